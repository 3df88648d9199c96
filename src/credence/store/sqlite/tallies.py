"""The tallies of wrong passwords and of other acts of callers, in a SQLite store (threats A4, A12)."""

import sqlite3
from collections.abc import Sequence

from typing_extensions import override

from credence.clock import Milliseconds
from credence.clock_tolerances import NODE_TOLERANCE_MS
from credence.store.sqlite.sign_ins import SqliteSignIns
from credence.store.tallies import Tally, TallyIncrement, has_room, last_key, tallies_in_order

_COUNT = (
    "INSERT INTO tallies (key, drains_at, familiar_until) VALUES (?1, ?2 + min(?3, ?4), 0) "
    "ON CONFLICT (key) DO UPDATE SET drains_at = min(max(drains_at, ?2) + ?3, ?2 + ?4)"
)
_GIVE_BACK = "UPDATE tallies SET drains_at = max(drains_at - ?, 0) WHERE key = ?"
_SUCCEED = (
    "INSERT INTO tallies (key, drains_at, familiar_until) VALUES (?, 0, ?) ON CONFLICT (key) DO UPDATE "
    "SET drains_at = 0, familiar_until = CASE WHEN familiar_until > excluded.familiar_until + ? "
    "THEN excluded.familiar_until ELSE max(familiar_until, excluded.familiar_until) END"
)
_CLEAR = "UPDATE tallies SET drains_at = 0 WHERE key BETWEEN ? AND ?"


class SqliteTallies(SqliteSignIns):
    """The part of the store that is about tallies."""

    @override
    async def tallies(self, keys: Sequence[bytes]) -> list[Tally]:
        return tallies_in_order(keys, self._read(_read(keys), *keys))

    @override
    async def count_failure(self, increments: Sequence[TallyIncrement], at: Milliseconds) -> None:
        values = [_values(each, at) for each in increments]

        def count(connection: sqlite3.Connection) -> None:
            connection.executemany(_COUNT, values)

        await self._writer.run(count)

    @override
    async def count_within(self, increments: Sequence[TallyIncrement], at: Milliseconds) -> bool:
        """See `Store.count_within`. No other write comes between reading and counting."""
        keys = [each.key for each in increments]
        values = [_values(each, at) for each in increments]

        def count(connection: sqlite3.Connection) -> bool:
            found = tallies_in_order(keys, connection.execute(_read(keys), keys))
            if not all(has_room(tally, each, at) for tally, each in zip(found, increments, strict=True)):
                return False
            connection.executemany(_COUNT, values)
            return True

        return await self._writer.run(count)

    @override
    async def give_back(self, increments: Sequence[TallyIncrement]) -> None:
        values = [(each.step, each.key) for each in increments]
        await self._writer.run(lambda connection: connection.executemany(_GIVE_BACK, values).rowcount)

    @override
    async def count_success(self, key: bytes, trusted_until: Milliseconds) -> None:
        values = (key, trusted_until, NODE_TOLERANCE_MS)
        await self._writer.run(lambda connection: connection.execute(_SUCCEED, values).rowcount)

    @override
    async def clear_failures(self, prefix: bytes) -> None:
        await self._writer.run(lambda connection: connection.execute(_CLEAR, (prefix, last_key(prefix))).rowcount)


def _read(keys: Sequence[bytes]) -> str:
    places = ", ".join("?" * len(keys))
    return f"SELECT key, drains_at, familiar_until FROM tallies WHERE key IN ({places})"  # noqa: S608 - constants


def _values(increment: TallyIncrement, at: Milliseconds) -> tuple[bytes, int, int, int]:
    return increment.key, at, increment.step, increment.max_ahead
