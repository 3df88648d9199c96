"""Looks up the user codes that people type, at a limited rate (RFC 8628 §5.1, threats A4). No other code looks them up.

A wrong code counts in four tallies, as a wrong password does: account and address prefix, account, address prefix, and the
whole service. A code has one of 2.56 * 10^10 values: even with a thousand pending devices, guesses at the maximum rate of
the whole service find one within a day with a probability below one in two thousand.
"""

import asyncio
from dataclasses import replace
from weakref import WeakValueDictionary

from typing_extensions import override

from credence.clock import Milliseconds
from credence.identity.login_attempts import FailureLimit, LoginAttempt, LoginLimits, TallyKeys
from credence.oauth.devices.codes import normal_user_code, user_code_key
from credence.refusals.refusal import Refused
from credence.refusals.sign_in import USER_CODE_UNKNOWN
from credence.store.contract import Store
from credence.store.people import DeviceRequest
from credence.store.records import Account

SERVICE = FailureLimit(500, 10_000)
"""The limit on wrong codes of the whole service."""

_ATTEMPT = "user code"
"""The value in place of the client_id in the tallies, because these origins are an account and an address prefix."""


class UserCodeLimits(LoginLimits):
    """The limits of wrong user codes: those of wrong passwords, with a tally of the service for the application's."""

    reasons = (
        "user_code.throttled_origin",
        "user_code.throttled_account",
        "user_code.throttled_address",
        "user_code.throttled",
    )

    def __init__(self, digest_key: bytes, per_address: int) -> None:
        super().__init__(digest_key, per_address, 0)
        self._limits = (*self._limits[:3], SERVICE)

    @override
    def keys(self, attempt: LoginAttempt) -> TallyKeys:
        """Return the keys of the tallies.

        They differ from those of passwords, so that guessing codes does not block sign-in.
        """
        keys = super().keys(attempt)
        account = self._key("device account", attempt.username)
        return replace(
            keys,
            origin=account + self._key("device origin", attempt.username, attempt.network),
            account=account,
            address=self._key("device address", attempt.network),
            application=self._key("device codes"),
        )


class UserCodes:
    """Looks up pending device requests by user code, and counts wrong codes."""

    def __init__(self, store: Store, digest_key: bytes, per_address: int) -> None:
        self._store = store
        self._digest_key = digest_key
        self._limits = UserCodeLimits(digest_key, per_address)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def find(self, account: Account, text: str, network: str, now: Milliseconds) -> tuple[str, DeviceRequest]:
        """Return the code in normal form and the device that waits for it; Refused for a wrong one or after too many.

        One code of an account is looked up at a time, so that guesses sent together are all counted.
        """
        keys = self._limits.keys(LoginAttempt(account.username, _ATTEMPT, network))
        async with self._turns.setdefault(account.username, asyncio.Lock()):
            reason = self._limits.throttled(await self._store.tallies(keys.in_order()), now)
            if reason is not None:
                raise Refused(USER_CODE_UNKNOWN, reason, account=account.username)
            code = normal_user_code(text)
            found = None if code is None else await self.waiting(code, now)
            if code is None or found is None:
                await self._store.count_failure(self._limits.increments(keys), now)
                raise Refused(USER_CODE_UNKNOWN, "user_code.unknown", account=account.username)
            return code, found

    async def waiting(self, code: str, now: Milliseconds) -> DeviceRequest | None:
        """Return the pending device request with this code; None if it does not exist or its person has decided."""
        found = await self._store.device_request(user_code_key(self._digest_key, code))
        return found if found is not None and not found.decision and now < found.expires_at else None
