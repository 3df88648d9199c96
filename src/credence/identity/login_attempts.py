"""Limits on wrong passwords (threats A4, A5, A6).

Each failure counts four times: against its origin, which is account, application and address prefix together; against the
account; against the address; against the application. If the tally of the origin is full, the attempt is refused. If that
of the account, the address or the application is full, other origins are admitted at a slow, even rate, and trusted ones
without limit. An origin is trusted for thirty days after a right password, so that an attacker elsewhere never locks the
owner out. `docs/adr/brute-force.md` explains the figures.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from credence.clock import Milliseconds
from credence.crypto.digest import keyed_digest
from credence.store.tallies import Tally, TallyIncrement, plausible_until

MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS
DAY_MS = 24 * HOUR_MS

TRUST_MS = 30 * DAY_MS
"""How long an origin is trusted after a right password."""

RENEWED_BELOW_MS = 15 * DAY_MS
"""A success renews the trust if less than this is left, so that a regular origin costs two writes a month."""

KEY_BYTES = 16


@dataclass(frozen=True, slots=True)
class FailureLimit:
    """A number of failures at once; after that, one for each `step` milliseconds."""

    failures: int
    step: Milliseconds

    @property
    def max_ahead(self) -> Milliseconds:
        """How far in the future the `drains_at` of a full tally is."""
        return self.failures * self.step

    def reached(self, tally: Tally, now: Milliseconds) -> bool:
        """Return whether the tally is full."""
        return now + self.max_ahead - self.step < tally.drains_at <= plausible_until(self.max_ahead, now)


ORIGIN = FailureLimit(5, 3 * MINUTE_MS)
ACCOUNT = FailureLimit(100, MINUTE_MS)


@dataclass(frozen=True, slots=True)
class LoginAttempt:
    """One presented password: the account, the application and the address prefix.

    `username` is in normal form (`identity/usernames.py`), as for the lookup of the account (threats A6).
    """

    username: str
    client_id: str
    network: str


@dataclass(frozen=True, slots=True)
class TallyKeys:
    """The keys of the four tallies of an attempt. They are keyed digests, so unknown names are not stored (threats A12)."""

    origin: bytes
    account: bytes
    address: bytes
    application: bytes

    def in_order(self) -> tuple[bytes, bytes, bytes, bytes]:
        """Return the keys in the order of the limits."""
        return self.origin, self.account, self.address, self.application


class LoginLimits:
    """The limits of one deployment: failures per hour for each address and each application; 0 means no limit."""

    reasons: tuple[str, ...] = (
        "password.throttled_origin",
        "password.throttled_account",
        "password.throttled_address",
        "password.throttled_application",
    )
    """The reason code of each limit, in order."""

    def __init__(self, digest_key: bytes, per_address: int, per_application: int) -> None:
        self._digest_key = digest_key
        self._limits: tuple[FailureLimit | None, ...] = (
            ORIGIN,
            ACCOUNT,
            _hourly(per_address),
            _hourly(per_application),
        )

    def keys(self, attempt: LoginAttempt) -> TallyKeys:
        """Return the keys of the tallies in which this attempt counts."""
        account = account_key(self._digest_key, attempt.username)
        # "guess place" and the other purposes are part of stored keys, so they must not change.
        origin = self._key("guess place", attempt.username, attempt.client_id, attempt.network)
        return TallyKeys(
            origin=account + origin,
            account=account,
            address=self._key("guess address", attempt.network),
            application=self._key("guess client", attempt.client_id),
        )

    def throttled(self, tallies: Sequence[Tally], now: Milliseconds) -> str | None:
        """Return the reason code if the attempt must be refused, otherwise None.

        `tallies` are in the order of `TallyKeys.in_order`.
        """
        origin = tallies[0]
        if ORIGIN.reached(origin, now):
            return self.reasons[0]
        if now < origin.trusted_until <= plausible_until(TRUST_MS, now):
            return None
        for limit, tally, reason in zip(self._limits, tallies, self.reasons, strict=True):
            if limit is not None and limit.reached(tally, now):
                return reason
        return None

    def increments(self, keys: TallyKeys) -> tuple[TallyIncrement, ...]:
        """Return the increments for one wrong password: the same for a known and an unknown name (threats A1)."""
        return tuple(
            TallyIncrement(key, limit.step, limit.max_ahead)
            for key, limit in zip(keys.in_order(), self._limits, strict=True)
            if limit is not None
        )

    def _key(self, purpose: str, *parts: str) -> bytes:
        return _key(self._digest_key, purpose, *parts)


def account_key(digest_key: bytes, username: str) -> bytes:
    """Return the key of an account's tally, which is the prefix of the keys of its origins."""
    return _key(digest_key, "guess account", username)


def trusted_until(origin: Tally, now: Milliseconds) -> Milliseconds | None:
    """Return the new end of the origin's trust after a success; None if nothing needs to be written."""
    if origin.drains_at <= now and now + RENEWED_BELOW_MS <= origin.trusted_until <= plausible_until(TRUST_MS, now):
        return None
    return now + TRUST_MS


def failures_counted(tally: Tally, limit: FailureLimit, now: Milliseconds) -> int:
    """Return how many failures of a tally still count."""
    if tally.drains_at > plausible_until(limit.max_ahead, now):
        return 0
    return max(0, -(-(tally.drains_at - now) // limit.step))


def _hourly(failures: int) -> FailureLimit | None:
    return FailureLimit(failures, HOUR_MS // failures) if failures else None


def _key(digest_key: bytes, purpose: str, *parts: str) -> bytes:
    return keyed_digest(digest_key, purpose, *(part.encode() for part in parts))[:KEY_BYTES]
