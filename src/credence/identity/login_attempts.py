"""Limits on wrong passwords (threats A4, A5, A6).

Each failure counts against its origin, which is account, application and address prefix together; against the account;
against the address; and against the application. If the tally of the origin is full, the attempt waits. If another one is
full, attempts from unknown origins wait, and trusted ones do not. An origin is trusted for thirty days after a right
password, so that an attacker elsewhere never locks the owner out. A browser in which the person has signed in before
(`known_browsers.py`) is an origin of its own, for which no other limit holds.

What an application has proved by its credentials is counted apart from everything else, so that a caller without a secret
cannot use up the limits of those who have one. On the pages for people, which may be opened for any application, none is
counted.
`docs/adr/brute-force.md` explains the figures.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from credence.access.caller_address import WIDER, counted_networks
from credence.clock import Milliseconds
from credence.crypto.digest import keyed_digest
from credence.refusals.refusal import Refusal, Refused
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
    counted: int = 0
    """The most failures that the tally counts, if that is more than `failures`."""

    @property
    def max_ahead(self) -> Milliseconds:
        """How far in the future the `drains_at` of a tally is that counts no more failures."""
        return max(self.failures, self.counted) * self.step

    def wait(self, tally: Tally, now: Milliseconds) -> Milliseconds:
        """Return the time until the tally has room for one more failure; 0 if it has room."""
        if tally.drains_at > plausible_until(self.max_ahead, now):
            return 0
        return max(0, tally.drains_at - now - (self.failures - 1) * self.step)


ORIGIN = FailureLimit(5, 3 * MINUTE_MS)

ACCOUNT = FailureLimit(1_000, MINUTE_MS)
"""Wrong passwords for an account on the pages, from unknown origins everywhere."""

ACCOUNT_UNDER_ATTACK = FailureLimit(100, MINUTE_MS, counted=ACCOUNT.failures)
"""From here on a network has only the attempts of `NETWORK_UNDER_ATTACK` for the account."""

NETWORK_UNDER_ATTACK = FailureLimit(3, 4 * HOUR_MS)
"""Wrong passwords from one network, /32 or /48, for one account that is under attack.

So 240 addresses can attack an account without end before they keep a person at a new address out: together they add no more
than what `ACCOUNT` takes away, one a minute.
"""

ACCOUNT_OF_APPLICATION = FailureLimit(100, MINUTE_MS)
"""Wrong passwords for an account through one application that has proved who it is."""


@dataclass(frozen=True, slots=True)
class LoginAttempt:
    """One presented password: the account, the application and the address prefix.

    `username` is in normal form (`identity/usernames.py`), as for the lookup of the account (threats A6).
    """

    username: str
    client_id: str
    """The application of a password grant, which has proved who it is; empty on the pages, which may be opened for any."""
    network: str
    browser: bytes = b""
    """The id of a browser in which this person has signed in before; empty for any other."""


class ThrottleRule(NamedTuple):
    """Refuses an attempt while the tallies of all its parts are full. A failure counts in each of them."""

    reason: str
    parts: tuple[tuple[bytes, FailureLimit], ...]
    """Keys of tallies and their limits. The keys are keyed digests, so unknown names are not stored (threats A12)."""
    of_pages: bool = False
    """Whether it counts all failures on pages from one network."""


ThrottleRules = tuple[ThrottleRule, ...]
"""The rules of one attempt. The first is that of the origin, and has one part; for a known browser it is the only one."""


class AdmittedAttempt(NamedTuple):
    """What the tallies say about an attempt that is admitted."""

    origin: Tally
    trusted: bool
    """Whether its origin is trusted, or a known browser."""
    failures: int
    """The wrong passwords on pages from its network that count now; 0 for a trusted origin and for an application."""


class Throttled(Refused):
    """An attempt that is not checked, because too many before it were wrong.

    Pages say how long the caller must wait; the token endpoint answers as for a wrong one (threats A2).
    """

    def __init__(self, refusal: Refusal, reason: str, wait: Milliseconds) -> None:
        super().__init__(refusal, reason)
        self.wait_seconds = -(-wait // 1_000)


class LoginLimits:
    """The limits of one deployment: failures per hour for each address and each application; 0 means no limit."""

    def __init__(self, digest_key: bytes, per_address: int, per_application: int) -> None:
        self._digest_key = digest_key
        self._networks = tuple(_hourly(per_address * wider) for wider in WIDER) if per_address else ()
        self._application = _hourly(per_application) if per_application else None

    def rules(self, attempt: LoginAttempt) -> ThrottleRules:
        """Return the rules of an attempt."""
        account = account_key(self._digest_key, attempt.username)
        first = ThrottleRule("password.throttled_origin", ((self._origin(account, attempt), ORIGIN),))
        if attempt.browser:
            return (first,)
        if attempt.client_id:
            return (first, *self._of_application(attempt, account))
        widest = counted_networks(attempt.network)[-1]
        network = account + self._key("guess network", attempt.username, widest)
        under_attack = ((account, ACCOUNT_UNDER_ATTACK), (network, NETWORK_UNDER_ATTACK))
        return (
            first,
            ThrottleRule("password.throttled_account", ((account, ACCOUNT),)),
            ThrottleRule("password.throttled_account", under_attack),
            *self._of_address("password.throttled_address", "guess address", attempt.network),
        )

    def _origin(self, account: bytes, attempt: LoginAttempt) -> bytes:
        # "guess place" and the other purposes are part of stored keys, so they must not change.
        if attempt.browser:
            return account + self._key("guess browser", attempt.client_id, attempt.browser.hex())
        return account + self._key("guess place", attempt.username, attempt.client_id, attempt.network)

    def _of_application(self, attempt: LoginAttempt, account: bytes) -> ThrottleRules:
        """Return the rules for the account, the address and all attempts through one application."""
        client_id = attempt.client_id
        through_it = account + self._key("guess account of", attempt.username, client_id)
        # The first part counts the failure for `account show`; it is full whenever the second is.
        parts = ((account, ACCOUNT_UNDER_ATTACK), (through_it, ACCOUNT_OF_APPLICATION))
        rules = (
            ThrottleRule("password.throttled_account", parts),
            *self._of_address("password.throttled_address", "guess address of", attempt.network, client_id),
        )
        if self._application is None:
            return rules
        whole = (self._key("guess client", client_id), self._application)
        return (*rules, ThrottleRule("password.throttled_application", (whole,)))

    def _of_address(self, reason: str, purpose: str, network: str, *client_id: str) -> ThrottleRules:
        """Return one rule for each network around an address, through one application or on pages; none without a limit."""
        around = zip(counted_networks(network), self._networks, strict=False)
        return tuple(
            ThrottleRule(reason, ((self._key(purpose, each, *client_id), limit),), of_pages=not client_id)
            for each, limit in around
        )

    def _key(self, purpose: str, *parts: str) -> bytes:
        return _key(self._digest_key, purpose, *parts)


def keys_of(rules: ThrottleRules) -> list[bytes]:
    """Return the keys of the tallies that the rules need, each once; that of the origin is the first."""
    return list(dict.fromkeys(key for rule in rules for key, _ in rule.parts))


def increments(rules: ThrottleRules) -> list[TallyIncrement]:
    """Return the increments for one failure: the same for a known and an unknown name (threats A1)."""
    furthest: dict[bytes, FailureLimit] = {}
    for rule in rules:
        for key, limit in rule.parts:
            if key not in furthest or limit.max_ahead > furthest[key].max_ahead:
                furthest[key] = limit
    return [TallyIncrement(key, limit.step, limit.max_ahead) for key, limit in furthest.items()]


def throttle(rules: ThrottleRules, tallies: Sequence[Tally], refusal: Refusal, now: Milliseconds) -> AdmittedAttempt:
    """Admit an attempt, or raise Throttled with this refusal if it must wait.

    `tallies` are those of `keys_of`.
    """
    found = dict(zip(keys_of(rules), tallies, strict=True))
    origin = tallies[0]
    trusted = len(rules) == 1 or now < origin.trusted_until <= plausible_until(TRUST_MS, now)
    deciding = rules[:1] if trusted else rules
    waits = [(_wait(rule, found, now), rule.reason) for rule in deciding]
    longest = max(wait for wait, _ in waits)
    if longest:
        raise Throttled(refusal, next(reason for wait, reason in waits if wait), longest)
    networks = (part for rule in deciding if rule.of_pages for part in rule.parts)
    failures = max((failures_counted(found[key], limit, now) for key, limit in networks), default=0)
    return AdmittedAttempt(origin, trusted, failures)


def _wait(rule: ThrottleRule, tallies: Mapping[bytes, Tally], now: Milliseconds) -> Milliseconds:
    return min(limit.wait(tallies[key], now) for key, limit in rule.parts)


def account_key(digest_key: bytes, username: str) -> bytes:
    """Return the key of an account's tally, which is the prefix of the keys of its origins."""
    return _key(digest_key, "guess account", username)


def trusted_until(attempt: LoginAttempt, origin: Tally, now: Milliseconds) -> Milliseconds | None:
    """Return the new end of the origin's trust after a success; None if nothing needs to be written.

    The trust in a known browser is in its cookie, so for that only failures are to be emptied.
    """
    if attempt.browser:
        return now if origin.drains_at > now else None
    if origin.drains_at <= now and now + RENEWED_BELOW_MS <= origin.trusted_until <= plausible_until(TRUST_MS, now):
        return None
    return now + TRUST_MS


def failures_counted(tally: Tally, limit: FailureLimit, now: Milliseconds) -> int:
    """Return how many failures of a tally still count."""
    if tally.drains_at > plausible_until(limit.max_ahead, now):
        return 0
    return max(0, -(-(tally.drains_at - now) // limit.step))


def _hourly(failures: int) -> FailureLimit:
    return FailureLimit(failures, max(1, HOUR_MS // failures))


def _key(digest_key: bytes, purpose: str, *parts: str) -> bytes:
    return keyed_digest(digest_key, purpose, *(part.encode() for part in parts))[:KEY_BYTES]
