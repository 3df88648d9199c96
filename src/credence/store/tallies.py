"""Tallies of wrong passwords and of other acts of callers: records, how their rows are read, and store (threats A4, A12)."""

from collections.abc import Iterable, Sequence
from typing import Protocol

import msgspec

from credence.clock import Milliseconds
from credence.clock_tolerances import NODE_TOLERANCE_MS

MAX_KEY_BYTES = 32
"""The longest key of a tally or of the replay cache."""


class Tally(msgspec.Struct, frozen=True):
    """The wrong passwords counted against one key, as a leaky bucket (threats A4)."""

    drains_at: Milliseconds = 0
    """When all counted failures have expired."""
    trusted_until: Milliseconds = 0
    """The origin of this key is trusted until this instant (threats A5); 0 if it is not trusted, or the key is no origin.
    """


class TallyIncrement(msgspec.Struct, frozen=True):
    """How one wrong password changes the tally of a key.

    `drains_at`, or the present if later, grows by `step` milliseconds, but to at most `max_ahead` milliseconds from now.
    """

    key: bytes
    """At most `MAX_KEY_BYTES`."""
    step: Milliseconds
    max_ahead: Milliseconds


def plausible_until(max_ahead: Milliseconds, at: Milliseconds) -> Milliseconds:
    """Return the latest `drains_at`, or end of trust, that a clock which was right can have left.

    A later one is of a clock that was ahead, and would count until that clock's time; it counts as none (threats T11).
    """
    return at + max_ahead + NODE_TOLERANCE_MS


def has_room(tally: Tally, increment: TallyIncrement, at: Milliseconds) -> bool:
    """Return whether `count_within` counts one more against this tally."""
    drains_at = max(tally.drains_at, at) + increment.step
    return drains_at <= at + increment.max_ahead or (
        increment.step <= increment.max_ahead and tally.drains_at > plausible_until(increment.max_ahead, at)
    )


def last_key(prefix: bytes) -> bytes:
    """Return the greatest key with this prefix. The prefix itself is the least."""
    return prefix.ljust(MAX_KEY_BYTES, b"\xff")


def tallies_in_order(keys: Sequence[bytes], rows: Iterable[tuple[bytes, Milliseconds, Milliseconds]]) -> list[Tally]:
    """Return one tally for each key, given rows of key, `drains_at` and `trusted_until`; empty for a key without a row."""
    found = {key: Tally(drains_at, trusted_until) for key, drains_at, trusted_until in rows}
    return [found.get(key, Tally()) for key in keys]


class TallyStore(Protocol):
    """Tallies in a store; the guarantees of `Store` apply."""

    async def tallies(self, keys: Sequence[bytes]) -> list[Tally]:
        """Return the tally of each key, in the order of the keys; an empty tally if nothing is stored (threats A4)."""

    async def count_failure(self, increments: Sequence[TallyIncrement], at: Milliseconds) -> None:
        """Count one wrong password against every key, all or none. Concurrent calls are all counted."""

    async def count_within(self, increments: Sequence[TallyIncrement], at: Milliseconds) -> bool:
        """Count one more against every key unless that would exceed `max_ahead` of one; return whether it was counted.

        A tally that is not plausible has room, and is full afterwards.
        Of any number of concurrent calls no more are counted than have room (threats A12).
        """

    async def give_back(self, increments: Sequence[TallyIncrement]) -> None:
        """Take back what one call of `count_within` has counted."""

    async def count_success(self, key: bytes, trusted_until: Milliseconds) -> None:
        """Empty the tally of this key only, and make its origin trusted at least until then (threats A5)."""

    async def clear_failures(self, prefix: bytes) -> None:
        """Empty every tally whose key has this prefix. Trusted origins stay trusted."""
