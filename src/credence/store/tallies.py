"""Tallies of wrong passwords and of other acts of callers in a store (threats A4, A12)."""

from collections.abc import Sequence

import msgspec

from credence.clock import Milliseconds
from credence.clock_tolerances import NODE_TOLERANCE_MS
from credence.store.statements import Act, Each, Row, Statements, do

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


_READ = "SELECT key, drains_at, familiar_until FROM tallies WHERE key = ANY(:keys::bytea[])"
_COUNT = (
    "INSERT INTO tallies (key, drains_at, familiar_until) VALUES (:key, :at + least(:step, :most), 0) "
    "ON CONFLICT (key) DO UPDATE SET drains_at = least(greatest(tallies.drains_at, :at) + :step, :at + :most)"
)
_COUNT_WITHIN = (
    "INSERT INTO tallies (key, drains_at, familiar_until) "
    "SELECT :key::bytea, :at::bigint + :step, 0 WHERE :step::bigint <= :most "
    "ON CONFLICT (key) DO UPDATE "
    "SET drains_at = least(greatest(tallies.drains_at, :at) + :step, :at::bigint + :most) "
    "WHERE greatest(tallies.drains_at, :at) + :step <= :at::bigint + :most OR tallies.drains_at > :plausible_until "
    "RETURNING 1"
)
_GIVE_BACK = "UPDATE tallies SET drains_at = greatest(drains_at - :step, 0) WHERE key = :key"
_SUCCEED = (
    "INSERT INTO tallies (key, drains_at, familiar_until) VALUES (:key, 0, :until) ON CONFLICT (key) DO UPDATE "
    "SET drains_at = 0, familiar_until = CASE WHEN tallies.familiar_until > excluded.familiar_until + :tolerance "
    "THEN excluded.familiar_until ELSE greatest(tallies.familiar_until, excluded.familiar_until) END RETURNING 1"
)
_CLEAR = (
    "WITH found AS MATERIALIZED (SELECT key FROM tallies WHERE key BETWEEN :first AND :last ORDER BY key FOR UPDATE) "
    "UPDATE tallies SET drains_at = 0 FROM found WHERE tallies.key = found.key RETURNING 1"
)


class _NoRoom(Exception):
    """A tally has no room."""


class Tallies(Statements):
    """The part of a store that has tallies; the guarantees of `Store` apply."""

    async def tallies(self, keys: Sequence[bytes]) -> list[Tally]:
        """Return the tally of each key, in the order of the keys; an empty tally if nothing is stored (threats A4)."""
        return _tallies(keys, await self._rows(_READ, keys=list(keys)))

    async def count_failure(self, increments: Sequence[TallyIncrement], at: Milliseconds) -> None:
        """Count one wrong password against every key, all or none. Concurrent calls are all counted."""

        def counting() -> Act[None]:
            in_order = sorted(increments, key=lambda each: each.key)  # so no two calls wait for each other
            yield Each(_COUNT, [_values(each, at) for each in in_order])

        await self._transact(counting)

    async def count_within(self, increments: Sequence[TallyIncrement], at: Milliseconds) -> bool:
        """Count one more against every key unless that would exceed `max_ahead` of one; return whether it was counted.

        A tally that is not plausible has room, and is full afterwards.
        Of any number of concurrent calls no more are counted than have room (threats A12).
        """

        def counting() -> Act[None]:
            in_order = sorted(increments, key=lambda each: each.key)
            found = _tallies([each.key for each in in_order], (yield do(_READ, keys=[each.key for each in in_order])))
            if not all(has_room(tally, each, at) for tally, each in zip(found, in_order, strict=True)):
                raise _NoRoom
            for each in in_order:
                until = plausible_until(each.max_ahead, at)
                if not (yield do(_COUNT_WITHIN, **_values(each, at), plausible_until=until)):
                    raise _NoRoom  # another one was counted since

        try:
            await self._transact(counting)
        except _NoRoom:
            return False
        return True

    async def give_back(self, increments: Sequence[TallyIncrement]) -> None:
        """Take back what one call of `count_within` has counted."""

        def giving() -> Act[None]:
            in_order = sorted(increments, key=lambda each: each.key)
            yield Each(_GIVE_BACK, [{"step": each.step, "key": each.key} for each in in_order])

        await self._transact(giving)

    async def count_success(self, key: bytes, trusted_until: Milliseconds) -> None:
        """Empty the tally of this key only, and make its origin trusted at least until then (threats A5)."""
        await self._write(_SUCCEED, key=key, until=trusted_until, tolerance=NODE_TOLERANCE_MS)

    async def clear_failures(self, prefix: bytes) -> None:
        """Empty every tally whose key has this prefix. Trusted origins stay trusted."""
        await self._write(_CLEAR, first=prefix, last=last_key(prefix))


def _tallies(keys: Sequence[bytes], rows: Sequence[Row]) -> list[Tally]:
    found = {key: Tally(drains_at, trusted_until) for key, drains_at, trusted_until in rows}
    return [found.get(key, Tally()) for key in keys]


def _values(increment: TallyIncrement, at: Milliseconds) -> dict[str, object]:
    return {"key": increment.key, "at": at, "step": increment.step, "most": increment.max_ahead}
