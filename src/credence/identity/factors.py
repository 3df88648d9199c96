"""Enrols and checks second factors: an authenticator app and recovery codes. No other code checks them.

Wrong codes count like wrong passwords (`login_attempts.py`), but in separate tallies: the right password must not empty
them, or an attacker who knows it could guess codes without limit. In addition the account has a tally of wrong codes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from typing_extensions import override

from credence.clock import Milliseconds
from credence.crypto import one_time_codes
from credence.crypto.digest import keyed_digest
from credence.crypto.randomness import random_bytes, recovery_code
from credence.crypto.sealing import KeyEncryptionKeys, seal, unseal
from credence.identity.counted_check import checked
from credence.identity.login_attempts import (
    MINUTE_MS,
    ORIGIN,
    FailureLimit,
    LoginAttempt,
    LoginLimits,
    ThrottleRule,
    ThrottleRules,
    account_key,
    keys_of,
    trusted_until,
)
from credence.refusals.credentials import WRONG_USER
from credence.refusals.refusal import Refused
from credence.store.contract import Store
from credence.store.people import Factor
from credence.store.records import Account

RECOVERY_CODES = 10

FACTOR = FailureLimit(10, 30 * MINUTE_MS)
"""Wrong codes of an account from unknown origins: of the million codes three are right, so a year of guessing by an attacker
who knows the password succeeds with a probability of about one in twenty."""

_ATTEMPT = "second factor"
"""The value in place of the client_id in the tallies: an origin is the account and the address prefix."""


class FactorLimits(LoginLimits):
    """The limits of wrong codes: those of wrong passwords on a page, with a tally of codes in place of the account's."""

    def __init__(self, digest_key: bytes, per_address: int) -> None:
        super().__init__(digest_key, per_address, 0)

    @override
    def rules(self, attempt: LoginAttempt) -> ThrottleRules:
        account = account_key(self._digest_key, attempt.username)
        first = ThrottleRule("factor.throttled_origin", ((self._origin(account, attempt), ORIGIN),))
        if attempt.browser:
            return (first,)
        factor = account + self._key("guess factor", attempt.username)
        return (
            first,
            ThrottleRule("factor.throttled", ((factor, FACTOR),)),
            *self._of_address("factor.throttled_address", "guess address", attempt.network),
        )


class FactorCheck:
    """Enrols and checks second factors of accounts.

    The keys of apps are sealed under a key derived from the digest key, which a backup contains: an account keeps its
    second factor when a deployment is restored.
    """

    def __init__(self, store: Store, digest_key: bytes, per_address: int) -> None:
        self._store = store
        self._limits = FactorLimits(digest_key, per_address)
        self._digest_key = digest_key
        self._sealing = KeyEncryptionKeys((keyed_digest(digest_key, "factor key"),))

    async def verify(
        self, account: Account, code: str, network: str, now: Milliseconds, browser: bytes = b""
    ) -> Factor:
        """Return the factor to which the code belongs, and use it up; Refused for a wrong code, Throttled after too many.

        `browser` is the id of a known one.
        """
        attempt = LoginAttempt(account.username, _ATTEMPT, network, browser)
        rules, text = self._limits.rules(attempt), "".join(code.split())
        wrong = Refused(WRONG_USER, "factor.mismatch", account=account.username)
        used, found = await checked(self._store, rules, wrong, lambda: self._used(account, text, now), now)
        until = trusted_until(attempt, found.origin, now)
        if until is not None:
            await self._store.count_success(keys_of(rules)[0], until)
        return used

    async def enrol(
        self, account: Account, found: Sequence[Factor], key: bytes, code: str, name: str, now: Milliseconds
    ) -> tuple[str, ...] | None:
        """Store an app in place of an earlier one if the code matches its key; return new recovery codes, else None.

        `found` are all factors of the account, with which it was decided that the person may do this. Raises Conflict if the
        account or its factors changed meanwhile.
        """
        step = one_time_codes.step_of(key, "".join(code.split()), now)
        if step is None:
            return None
        identity = random_bytes(16)
        sealed = seal(self._sealing, _purpose(account.username, identity), key)
        app = Factor(identity, account.username, "totp", name, now, now, step, sealed)
        codes, rows = self._recovery(account.username, now)
        earlier = [each.id for each in found if each.kind != "passkey"]
        await self._store.change_factors(account, found, [app, *rows], earlier)
        return codes

    async def renew_recovery(self, account: Account, found: Sequence[Factor], now: Milliseconds) -> tuple[str, ...]:
        """Store new recovery codes in place of the old ones and return them; raises Conflict as `enrol` does."""
        codes, rows = self._recovery(account.username, now)
        await self._store.change_factors(account, found, rows, [each.id for each in found if each.kind == "recovery"])
        return codes

    def _recovery(self, username: str, now: Milliseconds) -> tuple[tuple[str, ...], Sequence[Factor]]:
        codes = tuple(recovery_code() for _ in range(RECOVERY_CODES))
        return codes, [Factor(self._recovery_id(username, code), username, "recovery", "", now) for code in codes]

    def _recovery_id(self, username: str, code: str) -> bytes:
        normal = code.replace("-", "").lower()
        return keyed_digest(self._digest_key, "recovery code", username.encode(), normal.encode())

    async def _used(self, account: Account, code: str, now: Milliseconds) -> Factor | None:
        """Return the factor of this code if this call has used it up; None otherwise."""
        factors = await self._store.factors_of(account.username)
        if code.isascii() and code.isdigit():
            for app in (each for each in factors if each.kind == "totp"):
                key = unseal(self._sealing, _purpose(app.username, app.id), app.secret)
                step = one_time_codes.step_of(key, code, now)
                if step is not None and await self._store.use_factor(app.id, step, now):
                    return app
            return None
        identity = self._recovery_id(account.username, code)
        found = next((each for each in factors if each.id == identity), None)
        if found is not None and await self._store.remove_factors(account.username, [identity]):
            return found
        return None


@dataclass(frozen=True, slots=True)
class Enrolled:
    """The number of an account's second factors, by kind."""

    apps: tuple[Factor, ...]
    recovery_codes: int

    @classmethod
    def of(cls, factors: Iterable[Factor]) -> "Enrolled":
        """Count them."""
        listed = list(factors)
        return cls(
            tuple(each for each in listed if each.kind == "totp"), sum(each.kind == "recovery" for each in listed)
        )


def _purpose(username: str, identity: bytes) -> str:
    return f"factor:{username}:{identity.hex()}"
