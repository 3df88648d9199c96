"""The tallies of wrong passwords and of other acts of callers, in a PostgreSQL store (threats A4, A12)."""

from collections.abc import Sequence

from typing_extensions import override

from credence.clock import Milliseconds
from credence.clock_tolerances import NODE_TOLERANCE_MS
from credence.store.contract import Store
from credence.store.postgres.connections import Connections
from credence.store.tallies import Tally, TallyIncrement, last_key, plausible_until, tallies_in_order

_TALLIES = "SELECT key, drains_at, familiar_until FROM tallies WHERE key = ANY(%s::bytea[])"
_COUNT = (
    "INSERT INTO tallies (key, drains_at, familiar_until) VALUES (%(key)s, %(at)s + least(%(step)s, %(most)s), 0) "
    "ON CONFLICT (key) DO UPDATE "
    "SET drains_at = least(greatest(tallies.drains_at, %(at)s) + %(step)s, %(at)s + %(most)s)"
)
_COUNT_WITHIN = (
    "INSERT INTO tallies (key, drains_at, familiar_until) "
    "SELECT %(key)s::bytea, %(at)s::bigint + %(step)s, 0 WHERE %(step)s::bigint <= %(most)s "
    "ON CONFLICT (key) DO UPDATE "
    "SET drains_at = least(greatest(tallies.drains_at, %(at)s) + %(step)s, %(at)s::bigint + %(most)s) "
    "WHERE greatest(tallies.drains_at, %(at)s) + %(step)s <= %(at)s::bigint + %(most)s "
    "OR tallies.drains_at > %(plausible_until)s RETURNING 1"
)
_GIVE_BACK = "UPDATE tallies SET drains_at = greatest(drains_at - %(step)s, 0) WHERE key = %(key)s"
_SUCCEED = (
    "INSERT INTO tallies (key, drains_at, familiar_until) VALUES (%s, 0, %s) ON CONFLICT (key) DO UPDATE "
    "SET drains_at = 0, familiar_until = CASE WHEN tallies.familiar_until > excluded.familiar_until + %s "
    "THEN excluded.familiar_until ELSE greatest(tallies.familiar_until, excluded.familiar_until) END RETURNING 1"
)
_CLEAR = (
    "WITH found AS MATERIALIZED (SELECT key FROM tallies WHERE key BETWEEN %s AND %s ORDER BY key FOR UPDATE) "
    "UPDATE tallies SET drains_at = 0 FROM found WHERE tallies.key = found.key RETURNING 1"
)


class _NoRoom(Exception):
    """A tally has no room, so the transaction is rolled back."""


class PostgresTallies(Store):
    """The part of the store that is about tallies."""

    _connections: Connections

    @override
    async def tallies(self, keys: Sequence[bytes]) -> list[Tally]:
        return tallies_in_order(keys, await self._connections.rows(_TALLIES, (list(keys),)))

    @override
    async def count_failure(self, increments: Sequence[TallyIncrement], at: Milliseconds) -> None:
        """See `Store.count_failure`. Rows are locked in the order of their keys, so no two calls deadlock."""
        values = [_values(each, at) for each in sorted(increments, key=lambda increment: increment.key)]
        async with self._connections.transaction() as connection:
            await connection.cursor().executemany(_COUNT, values)

    @override
    async def count_within(self, increments: Sequence[TallyIncrement], at: Milliseconds) -> bool:
        """See `Store.count_within`. Rows are locked in the order of `count_failure`."""
        try:
            async with self._connections.transaction() as connection:
                for each in sorted(increments, key=lambda increment: increment.key):
                    values = _values(each, at) | {"plausible_until": plausible_until(each.max_ahead, at)}
                    if not await (await connection.execute(_COUNT_WITHIN.encode(), values)).fetchall():
                        raise _NoRoom
        except _NoRoom:
            return False
        return True

    @override
    async def give_back(self, increments: Sequence[TallyIncrement]) -> None:
        values = [
            {"step": each.step, "key": each.key} for each in sorted(increments, key=lambda increment: increment.key)
        ]
        async with self._connections.transaction() as connection:
            await connection.cursor().executemany(_GIVE_BACK, values)

    @override
    async def count_success(self, key: bytes, trusted_until: Milliseconds) -> None:
        await self._connections.rows(_SUCCEED, (key, trusted_until, NODE_TOLERANCE_MS))

    @override
    async def clear_failures(self, prefix: bytes) -> None:
        await self._connections.rows(_CLEAR, (prefix, last_key(prefix)))


def _values(increment: TallyIncrement, at: Milliseconds) -> dict[str, object]:
    return {"key": increment.key, "at": at, "step": increment.step, "most": increment.max_ahead}
