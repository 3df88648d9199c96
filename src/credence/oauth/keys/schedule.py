"""The life of each signing key: a plan made from the stored rows, and the state at an instant (D13, threats §5).

    published   in the key set, waiting
    signing     the one key of its algorithm that signs
    retired     in the key set until the last token it signed has expired
    removed     gone, at the end of its life or at once when it was revoked

Every process makes the same plan from the same rows, so nodes agree without messages, and a late node changes nothing.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from operator import attrgetter
from typing import NamedTuple

from credence.clock import Milliseconds
from credence.clock_tolerances import VERIFIER_TOLERANCE_MS
from credence.store.signing_keys import SigningKeyRow
from credence.token_lifetime_limits import MAX_ACCESS_TOKEN_SECONDS

KEY_SET_MAX_AGE_SECONDS = 3_600
"""Maximum number of seconds for which a verifier may cache the key set."""

SAFE_AFTER_MS = KEY_SET_MAX_AGE_SECONDS * 1000 + VERIFIER_TOLERANCE_MS
"""Time from publication until every verifier that honours `max-age` has the key (threats K1)."""

RETENTION_MS = MAX_ACCESS_TOKEN_SECONDS * 1000 + VERIFIER_TOLERANCE_MS
"""Time from a key's last signature until nothing that it signed is valid (threats K3)."""


class KeyState(StrEnum):
    """The state of a key."""

    PUBLISHED = "published"
    SIGNING = "signing"
    RETIRED = "retired"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class PlannedKey:
    """A key with the instants of its life, each None while it is not planned because there is no successor yet."""

    kid: str
    algorithm: str
    published_at: Milliseconds
    signs_from: Milliseconds
    retires_at: Milliseconds | None
    revoked_at: Milliseconds | None

    @property
    def removed_at(self) -> Milliseconds | None:
        """When the key leaves the key set."""
        if self.revoked_at is not None:
            return self.revoked_at
        return None if self.retires_at is None else self.retires_at + RETENTION_MS

    @property
    def forgotten_at(self) -> Milliseconds | None:
        """When its row is deleted.

        The row of a revoked key is kept until then, so that its predecessor does not sign again.
        """
        return self.removed_at if self.revoked_at is None else self.revoked_at + RETENTION_MS


class Transition(NamedTuple):
    """One step in the life of a key."""

    before: KeyState
    after: KeyState
    cause: str
    at: Callable[[PlannedKey], Milliseconds | None]
    """When the step is due; None while it is not planned."""


TRANSITIONS = (
    Transition(KeyState.PUBLISHED, KeyState.REMOVED, "revoked", attrgetter("revoked_at")),
    Transition(
        KeyState.PUBLISHED,
        KeyState.SIGNING,
        "every verifier knows it and its time has come, or its predecessor was revoked",
        attrgetter("signs_from"),
    ),
    Transition(KeyState.SIGNING, KeyState.REMOVED, "revoked", attrgetter("revoked_at")),
    Transition(KeyState.SIGNING, KeyState.RETIRED, "its successor signs", attrgetter("retires_at")),
    Transition(
        KeyState.RETIRED,
        KeyState.REMOVED,
        "the last token it signed has expired, or it was revoked",
        attrgetter("removed_at"),
    ),
)
"""Every step. `state` and `next_change` use this table, and `docs/keys.md` is generated from it.

The steps are in chronological order, except that revocation precedes the other steps from the same state.
"""


def plan(rows: Iterable[SigningKeyRow]) -> tuple[PlannedKey, ...]:
    """Return all keys with their instants, grouped by algorithm, in the order in which they sign."""
    by_algorithm: dict[str, list[SigningKeyRow]] = {}
    for row in sorted(rows, key=lambda row: (row.signs_from, row.kid)):
        by_algorithm.setdefault(row.algorithm, []).append(row)
    return tuple(key for each in by_algorithm.values() for key in _line(each))


def state(key: PlannedKey, now: Milliseconds) -> KeyState:
    """Return the key's state at `now`."""
    current = KeyState.PUBLISHED
    for step in _due(key, now):
        if step.before is current:
            current = step.after
    return current


def next_change(keys: Iterable[PlannedKey], now: Milliseconds) -> Milliseconds | None:
    """Return the first instant after `now` at which a key changes its state; None when none is planned."""
    instants = (step.at(key) for key in keys for step in TRANSITIONS)
    return min((instant for instant in instants if instant is not None and instant > now), default=None)


def last_change(keys: Iterable[PlannedKey], now: Milliseconds) -> Milliseconds:
    """Return the last instant up to `now` at which a key changed its state; 0 before the first change."""
    instants = (step.at(key) for key in keys for step in TRANSITIONS)
    return max((instant for instant in instants if instant is not None and instant <= now), default=0)


def _due(key: PlannedKey, now: Milliseconds) -> Iterator[Transition]:
    for step in TRANSITIONS:
        instant = step.at(key)
        if instant is not None and now >= instant:
            yield step


def successor_due(keys: Iterable[PlannedKey], algorithm: str, now: Milliseconds) -> bool:
    """Return whether the next key of this algorithm must be created: one is always published in advance (threats K6)."""
    return not any(key.algorithm == algorithm and state(key, now) is KeyState.PUBLISHED for key in keys)


def _line(rows: list[SigningKeyRow]) -> list[PlannedKey]:
    """Return the planned keys of one algorithm; each retires when the next one begins to sign."""
    line: list[PlannedKey] = []
    current: PlannedKey | None = None
    for row in rows:
        start = _start(row, current)
        key = PlannedKey(row.kid, row.algorithm, row.published_at, start, None, row.revoked_at)
        if row.revoked_at is not None and row.revoked_at <= start:
            line.append(key)  # a key revoked before it ever signed replaced no other key
            continue
        if current is not None:
            ends = start if current.revoked_at is None else min(start, current.revoked_at)
            line[line.index(current)] = replace(current, retires_at=ends)
        line.append(key)
        current = key
    return line


def _start(row: SigningKeyRow, before: PlannedKey | None) -> Milliseconds:
    """Return when a key begins to sign: as planned and known to verifiers (threats K1), or earlier in need (threats K7)."""
    if before is None:
        # The first key of a deployment signs at once: no verifier can have an older key set.
        return min(row.signs_from, row.published_at)
    start = max(row.signs_from, row.published_at + SAFE_AFTER_MS)
    if before.revoked_at is not None:
        start = min(start, max(before.revoked_at, row.published_at))
    return max(start, before.signs_from)
