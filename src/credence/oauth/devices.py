"""Devices without a browser: the two codes of RFC 8628 §3.2, and the one look-up of the code that people type.

The device polls with the device code. It is sealed and contains the id of the token family to be opened, like an
authorization code, so that a second redemption finds the family. The store has one row under a keyed digest of the user
code, and neither code.

User codes are looked up at a limited rate (RFC 8628 §5.1, threats A4). A wrong code counts against the account at this
address prefix, the account, the address and the whole service. When the whole service has too many, only accounts that have
a few of their own wait, so guesses keep no other account from connecting a device. A code has one of 2.56 * 10^10 values:
with a thousand pending devices, a hundred accounts that guess as fast as they may make ten thousand guesses in a day, and
find one with a probability below one in two thousand.
"""

import msgspec
from typing_extensions import override

from credence.clock import Milliseconds
from credence.crypto import base64url
from credence.crypto.digest import keyed_digest
from credence.crypto.randomness import USER_CODE_LENGTH, USER_CODE_LETTERS, credential_prefix
from credence.crypto.sealing import KeyEncryptionKeys, Unsealable, seal, unseal
from credence.identity.counted_check import checked
from credence.identity.login_attempts import (
    HOUR_MS,
    MINUTE_MS,
    ORIGIN,
    FailureLimit,
    LoginAttempt,
    LoginLimits,
    ThrottleRule,
    ThrottleRules,
)
from credence.refusals.refusal import Refused
from credence.refusals.sign_in import USER_CODE_UNKNOWN
from credence.store.contract import Store
from credence.store.devices import DeviceRequest
from credence.store.records import Account

LIFETIME_SECONDS = 600
"""The lifetime of both codes, in which the person must decide."""

INTERVAL_SECONDS = 5
"""The minimum interval between two polls, and the increment after a poll that came too early (RFC 8628 §3.2, §3.5)."""

_PURPOSE = "device code"
_KIND = "dev"


class DeviceCode(msgspec.Struct, frozen=True, array_like=True):
    """The content of a device code."""

    client_id: str
    key: bytes
    """The key of the row with the person's decision."""
    family_id: bytes
    expires_at: Milliseconds


_decode = msgspec.msgpack.Decoder(DeviceCode).decode


def write_device_code(environment: str, key: KeyEncryptionKeys, code: DeviceCode) -> str:
    """Return the text of a device code."""
    return credential_prefix(environment, _KIND) + base64url.encode(seal(key, _PURPOSE, msgspec.msgpack.encode(code)))


def read_device_code(environment: str, key: KeyEncryptionKeys, text: str) -> DeviceCode | None:
    """Return the content of a device code of this service, expired or not; None for any other text."""
    prefix = credential_prefix(environment, _KIND)
    if not text.startswith(prefix):
        return None
    try:
        return _decode(unseal(key, _PURPOSE, base64url.decode(text[len(prefix) :])))
    except (ValueError, Unsealable, msgspec.DecodeError):
        return None


def user_code_key(digest_key: bytes, code: str) -> bytes:
    """Return the key of the row of a user code, given in normal form."""
    return keyed_digest(digest_key, "user code", code.encode())


def normal_user_code(text: str) -> str | None:
    """Return a typed user code in normal form, None if it cannot be one (RFC 8628 §6.1).

    Case, spaces and hyphens are ignored.
    """
    letters = "".join(text.replace("-", " ").split()).upper()
    return letters if len(letters) == USER_CODE_LENGTH and set(letters) <= set(USER_CODE_LETTERS) else None


def shown_user_code(code: str) -> str:
    """Return a user code in two groups, as devices and pages display it."""
    return f"{code[:4]}-{code[4:]}"


ACCOUNT = FailureLimit(100, MINUTE_MS)

SERVICE = FailureLimit(500, 10_000)
"""Wrong codes of the whole service. From here on an account has only the codes of `ACCOUNT_UNDER_ATTACK`."""

ACCOUNT_UNDER_ATTACK = FailureLimit(3, 4 * HOUR_MS)

_ATTEMPT = "user code"
"""The value in place of the client_id in the tallies, because these origins are an account and an address prefix."""


class UserCodeLimits(LoginLimits):
    """The limits of wrong user codes.

    Their tallies are not those of passwords, so that guessing codes does not block sign-in.
    """

    def __init__(self, digest_key: bytes, per_address: int) -> None:
        super().__init__(digest_key, per_address, 0)

    @override
    def rules(self, attempt: LoginAttempt) -> ThrottleRules:
        account = self._key("device account", attempt.username)
        origin = account + self._key("device origin", attempt.username, attempt.network)
        patience = account + self._key("device codes of", attempt.username)
        service = self._key("device codes")
        return (
            ThrottleRule("user_code.throttled_origin", ((origin, ORIGIN),)),
            ThrottleRule("user_code.throttled_account", ((account, ACCOUNT),)),
            ThrottleRule("user_code.throttled", ((service, SERVICE), (patience, ACCOUNT_UNDER_ATTACK))),
            *self._of_address("user_code.throttled_address", "device address", attempt.network),
        )


class UserCodes:
    """Looks up pending device requests by user code, and counts wrong codes."""

    def __init__(self, store: Store, digest_key: bytes, per_address: int) -> None:
        self._store = store
        self._digest_key = digest_key
        self._limits = UserCodeLimits(digest_key, per_address)

    async def find(self, account: Account, text: str, network: str, now: Milliseconds) -> tuple[str, DeviceRequest]:
        """Return the code in normal form and the device that waits for it; raises Refused for a wrong code or too many."""
        rules = self._limits.rules(LoginAttempt(account.username, _ATTEMPT, network))
        wrong = Refused(USER_CODE_UNKNOWN, "user_code.unknown", account=account.username)
        found, _ = await checked(self._store, rules, wrong, lambda: self._found(text, now), now)
        return found

    async def _found(self, text: str, now: Milliseconds) -> tuple[str, DeviceRequest] | None:
        code = normal_user_code(text)
        found = None if code is None else await self.waiting(code, now)
        return None if code is None or found is None else (code, found)

    async def waiting(self, code: str, now: Milliseconds) -> DeviceRequest | None:
        """Return the pending device request with this code; None if it does not exist or its person has decided."""
        found = await self._store.device_request(user_code_key(self._digest_key, code))
        return found if found is not None and not found.decision and now < found.expires_at else None
