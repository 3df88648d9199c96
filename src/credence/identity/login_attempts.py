"""Who has guessed too often, and what one more wrong password counts against (threats A4, A5, A6).

Each failure counts four times: against the place it came from, which is account, application and address prefix
together; against the account wherever it comes from; against the address; against the application. A place that is full
is shut. An account, address or application that is full admits strangers at a slow, even pace, and a familiar place, from
which the right password came lately, not even that: a stranger elsewhere never stands in the owner's way.
`docs/adr/brute-force.md` says how the figures were found.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from credence.clock import Milliseconds
from credence.crypto.digest import keyed_digest
from credence.store.records import Tally, TallyIncrement

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR

FAMILIAR_FOR = 30 * DAY
RENEWED_BELOW = 15 * DAY
"""What is left when a success renews it: so logins from the same place are noted twice a month, not each time."""

KEY_BYTES = 16


@dataclass(frozen=True, slots=True)
class FailureLimit:
    """So many failures at once, and after that one in each `step` milliseconds."""

    failures: int
    step: Milliseconds

    @property
    def max_ahead(self) -> Milliseconds:
        """How far ahead the tally of a key that is full lies."""
        return self.failures * self.step

    def reached(self, tally: Tally, now: Milliseconds) -> bool:
        """Tell whether no further failure has room now."""
        return tally.drains_at - now > self.max_ahead - self.step


PLACE = FailureLimit(5, 3 * MINUTE)
ACCOUNT = FailureLimit(100, MINUTE)


@dataclass(frozen=True, slots=True)
class LoginAttempt:
    """One presented password: for whom, through which application, from which address prefix.

    `username` is the normal form (`identity/usernames.py`), the same that the account is looked up by (threats A6).
    """

    username: str
    client_id: str
    network: str


@dataclass(frozen=True, slots=True)
class TallyKeys:
    """What a guess counts against. Keyed digests: an unknown name is nobody's text in the store (threats A12)."""

    origin: bytes
    account: bytes
    address: bytes
    application: bytes


class LoginLimits:
    """The limits of one deployment: failures an hour for one address and one application, 0 for no limit."""

    def __init__(self, digest_key: bytes, per_address: int, per_application: int) -> None:
        self._digest_key = digest_key
        self._limits = (PLACE, ACCOUNT, _hourly(per_address), _hourly(per_application))

    def keys(self, attempt: LoginAttempt) -> TallyKeys:
        """Return what this guess counts against."""
        account = account_key(self._digest_key, attempt.username)
        origin = self._key("guess place", attempt.username, attempt.client_id, attempt.network)
        return TallyKeys(
            origin=account + origin,
            account=account,
            address=self._key("guess address", attempt.network),
            application=self._key("guess client", attempt.client_id),
        )

    def throttled(self, tallies: Sequence[Tally], now: Milliseconds) -> str | None:
        """Return None when the guess may be tried, else the reason code; `tallies` are those of `in_order(keys)`."""
        origin = tallies[0]
        if PLACE.reached(origin, now):
            return _REASONS[0]
        if now < origin.trusted_until:
            return None
        for limit, tally, reason in zip(self._limits, tallies, _REASONS, strict=True):
            if limit is not None and limit.reached(tally, now):
                return reason
        return None

    def increments(self, keys: TallyKeys) -> tuple[TallyIncrement, ...]:
        """Return what one wrong password counts: the same for a name that exists and one that does not (threats A1)."""
        return tuple(
            TallyIncrement(key, limit.step, limit.max_ahead)
            for key, limit in zip(in_order(keys), self._limits, strict=True)
            if limit is not None
        )

    def _key(self, purpose: str, *parts: str) -> bytes:
        return _key(self._digest_key, purpose, *parts)


def in_order(keys: TallyKeys) -> tuple[bytes, bytes, bytes, bytes]:
    """Return the keys in the order in which they are asked about."""
    return keys.origin, keys.account, keys.address, keys.application


def account_key(digest_key: bytes, username: str) -> bytes:
    """Return the key of an account's own tally, with which those of its places begin."""
    return _key(digest_key, "guess account", username)


def trusted_until(origin: Tally, now: Milliseconds) -> Milliseconds | None:
    """Return until when a success makes its place familiar, or None when it changes nothing and costs no write."""
    if origin.drains_at <= now and origin.trusted_until - now >= RENEWED_BELOW:
        return None
    return now + FAMILIAR_FOR


def failures_counted(tally: Tally, limit: FailureLimit, now: Milliseconds) -> int:
    """Return how many failures still count."""
    return max(0, -(-(tally.drains_at - now) // limit.step))


_REASONS = (
    "password.throttled_origin",
    "password.throttled_account",
    "password.throttled_address",
    "password.throttled_application",
)


def _hourly(failures: int) -> FailureLimit | None:
    return FailureLimit(failures, HOUR // failures) if failures else None


def _key(digest_key: bytes, purpose: str, *parts: str) -> bytes:
    return keyed_digest(digest_key, purpose, *(part.encode() for part in parts))[:KEY_BYTES]
