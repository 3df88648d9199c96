"""When each signing key does what: a plan made from rows alone, and the state at an instant (D13, threats §5).

    published   in the key set, waiting
    signing     the one key of its algorithm that signs
    retired     in the key set until the last token it signed has expired
    removed     gone, at the end of its life or at once when it was revoked

Every process makes the same plan from the same rows, so nodes agree without talking and a late one changes nothing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from credence.clock import Milliseconds
from credence.store.contract import LONGEST_ACCESS_TOKEN
from credence.store.records import SigningKeyRow

KEY_SET_MAX_AGE = 3_600
"""Seconds for which a verifier may keep the key set, at most."""

SKEW = 60_000
"""Milliseconds by which the clocks of nodes and verifiers may differ."""

SAFE_AFTER = KEY_SET_MAX_AGE * 1000 + SKEW
"""Milliseconds from publication until every verifier that honours `max-age` knows a key (law K1)."""

RETENTION = LONGEST_ACCESS_TOKEN * 1000 + SKEW
"""Milliseconds from a key's last signature until nothing it signed is valid (law K3)."""


class KeyState(StrEnum):
    """Where a key is in its life."""

    PUBLISHED = "published"
    SIGNING = "signing"
    RETIRED = "retired"
    REMOVED = "removed"


TRANSITIONS: Mapping[tuple[KeyState, KeyState], str] = {
    (
        KeyState.PUBLISHED,
        KeyState.SIGNING,
    ): "its time has come and every verifier knows it, or its predecessor was revoked",
    (KeyState.SIGNING, KeyState.RETIRED): "its successor signs",
    (KeyState.RETIRED, KeyState.REMOVED): "the last token it signed has expired, or it was revoked",
    (KeyState.PUBLISHED, KeyState.REMOVED): "revoked",
    (KeyState.SIGNING, KeyState.REMOVED): "revoked",
}
"""Every step there is and what brings it about; `docs/keys.md` is drawn from this."""


@dataclass(frozen=True, slots=True)
class PlannedKey:
    """A key with the instants of its life; None where no successor has been planned yet."""

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
        return None if self.retires_at is None else self.retires_at + RETENTION

    @property
    def forgotten_at(self) -> Milliseconds | None:
        """When its row may go. A revoked key is remembered for as long, so that its predecessor does not sign again."""
        return self.removed_at if self.revoked_at is None else self.revoked_at + RETENTION


def plan(rows: Iterable[SigningKeyRow]) -> tuple[PlannedKey, ...]:
    """Return every key with its instants, by algorithm and in the order in which they sign."""
    by_algorithm: dict[str, list[SigningKeyRow]] = {}
    for row in sorted(rows, key=lambda row: (row.signs_from, row.kid)):
        by_algorithm.setdefault(row.algorithm, []).append(row)
    return tuple(key for each in by_algorithm.values() for key in _line(each))


def state(key: PlannedKey, now: Milliseconds) -> KeyState:
    """Return the key's state at this instant."""
    if key.removed_at is not None and now >= key.removed_at:
        return KeyState.REMOVED
    if key.retires_at is not None and now >= key.retires_at:
        return KeyState.RETIRED
    return KeyState.SIGNING if now >= key.signs_from else KeyState.PUBLISHED


def next_change(keys: Iterable[PlannedKey], now: Milliseconds) -> Milliseconds | None:
    """Return the first instant after `now` at which some key changes its state, None when none is planned."""
    instants = (instant for key in keys for instant in (key.signs_from, key.retires_at, key.removed_at))
    return min((instant for instant in instants if instant is not None and instant > now), default=None)


def successor_due(keys: Iterable[PlannedKey], algorithm: str, now: Milliseconds) -> bool:
    """Tell whether this algorithm has no key waiting to take over: the next one is always published ahead (law K6)."""
    return not any(key.algorithm == algorithm and state(key, now) is KeyState.PUBLISHED for key in keys)


def _line(rows: list[SigningKeyRow]) -> list[PlannedKey]:
    """Return the keys of one algorithm, each retiring when the next one begins."""
    line: list[PlannedKey] = []
    current: PlannedKey | None = None
    for row in rows:
        start = _start(row, current)
        key = PlannedKey(row.kid, row.algorithm, row.published_at, start, None, row.revoked_at)
        if row.revoked_at is not None and row.revoked_at <= start:
            line.append(key)  # revoked before it ever signed: nobody's successor
            continue
        if current is not None:
            ends = start if current.revoked_at is None else min(start, current.revoked_at)
            line[line.index(current)] = replace(current, retires_at=ends)
        line.append(key)
        current = key
    return line


def _start(row: SigningKeyRow, before: PlannedKey | None) -> Milliseconds:
    """Return when a key begins to sign: planned, but not before verifiers know it (K1), unless it must help out (K7)."""
    if before is None:
        # The first key of a deployment signs at once: no verifier can hold an older key set.
        return min(row.signs_from, row.published_at)
    start = max(row.signs_from, row.published_at + SAFE_AFTER)
    if before.revoked_at is not None:
        start = min(start, max(before.revoked_at, row.published_at))
    return max(start, before.signs_from)
