"""The outbox in a SQLite store."""

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from typing_extensions import override

from credence.clock import Milliseconds
from credence.store.contract import Store
from credence.store.deliveries import HELD, NEVER, Backlog, Delivery, plausible_until
from credence.store.sqlite.group_commit import GroupCommit

DELIVERY = ", ".join(Delivery.__struct_fields__)

_ADD = f"INSERT OR IGNORE INTO deliveries ({DELIVERY}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608 - constants, here and below
_REPLAY = (
    f"INSERT INTO deliveries ({DELIVERY}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE "  # noqa: S608
    "SET due_at = excluded.due_at, keep_until = excluded.keep_until, attempts = 0, given_up_at = 0 WHERE given_up_at > 0"
)
_IS_DUE = "SELECT 1 FROM deliveries WHERE due_at <= ? LIMIT 1"
_WAITS_TOO_LONG = "SELECT 1 FROM deliveries WHERE due_at > ? AND due_at < ? LIMIT 1"
_END_WAIT = "UPDATE deliveries SET due_at = ? WHERE due_at > ? AND due_at < ?"
# Steps through the receivers by the index, so a receiver with a long queue costs no more than one with a short queue.
_CLAIM = f"""
WITH RECURSIVE receivers (name) AS (
    SELECT min(receiver) FROM deliveries
    UNION ALL
    SELECT (SELECT min(receiver) FROM deliveries WHERE receiver > name) FROM receivers WHERE name IS NOT NULL
)
UPDATE deliveries SET due_at = ?2, attempts = attempts + 1 WHERE id IN (
    SELECT each.id FROM receivers CROSS JOIN deliveries AS each ON each.id IN (
        SELECT id FROM deliveries WHERE receiver = name AND due_at <= ?1 ORDER BY due_at LIMIT ?3
    )
    WHERE name IS NOT NULL AND name NOT IN (SELECT value FROM json_each(?5)) ORDER BY each.due_at LIMIT ?4
)
RETURNING {DELIVERY}
"""  # noqa: S608
_END = "DELETE FROM deliveries WHERE id = ? AND attempts = ? AND given_up_at = 0 RETURNING 1"
_POSTPONE = (
    "UPDATE deliveries SET due_at = ?, outcome = ?, given_up_at = ? WHERE id = ? AND attempts = ? AND given_up_at = 0 "
    "RETURNING 1"
)
_RETURN = (
    "UPDATE deliveries SET due_at = ?, attempts = attempts - 1 WHERE id = ? AND attempts = ? AND given_up_at = 0 "
    "RETURNING 1"
)
_OF = f"SELECT {DELIVERY} FROM deliveries WHERE receiver = ? AND given_up_at <= ? ORDER BY created_at, id LIMIT ?"  # noqa: S608
_GIVEN_UP = f"SELECT {DELIVERY} FROM deliveries WHERE given_up_at > 0 ORDER BY given_up_at DESC, id LIMIT ?"  # noqa: S608
_REVIVE = (
    "UPDATE deliveries SET due_at = ?, keep_until = ?, attempts = 0, given_up_at = 0 "
    "WHERE receiver = ? AND given_up_at > 0"
)
_BACKLOG = (
    "SELECT coalesce(sum(due_at < ?1), 0), coalesce(sum(due_at >= ?2), 0), min(CASE WHEN due_at < ?1 THEN due_at END) "
    "FROM deliveries"
)


def add_deliveries(connection: sqlite3.Connection, deliveries: Iterable[Delivery]) -> None:
    """Store deliveries in the transaction of the caller."""
    connection.executemany(_ADD, map(msgspec.structs.astuple, deliveries))


class SqliteDeliveries(Store):
    """The part of the SQLite store that is the outbox."""

    _writer: GroupCommit

    def _read(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        raise NotImplementedError

    @override
    async def add_deliveries(self, deliveries: Sequence[Delivery]) -> None:
        await self._writer.run(lambda connection: add_deliveries(connection, deliveries))

    @override
    async def replay_deliveries(self, deliveries: Sequence[Delivery]) -> None:
        rows = list(map(msgspec.structs.astuple, deliveries))
        await self._writer.run(lambda connection: connection.executemany(_REPLAY, rows).rowcount)

    @override
    async def claim_deliveries(
        self, now: Milliseconds, lease_until: Milliseconds, per_receiver: int, most: int, busy: Sequence[str] = ()
    ) -> list[Delivery]:
        too_long = plausible_until(now), HELD
        if self._read(_WAITS_TOO_LONG, *too_long):
            await self._writer.run(lambda connection: connection.execute(_END_WAIT, (now, *too_long)).rowcount)
        if not self._read(_IS_DUE, now):
            return []
        values = (now, lease_until, per_receiver, most, msgspec.json.encode(busy).decode())
        rows = await self._writer.run(lambda connection: connection.execute(_CLAIM, values).fetchall())
        return sorted((Delivery(*row) for row in rows), key=lambda each: (each.created_at, each.id))

    @override
    async def end_delivery(self, delivery: Delivery) -> bool:
        return await self._change(_END, delivery.id, delivery.attempts)

    @override
    async def postpone_delivery(
        self, delivery: Delivery, due_at: Milliseconds, outcome: str, given_up_at: Milliseconds = 0
    ) -> bool:
        due_at = NEVER if given_up_at else due_at
        return await self._change(_POSTPONE, due_at, outcome, given_up_at, delivery.id, delivery.attempts)

    @override
    async def return_delivery(self, delivery: Delivery, due_at: Milliseconds) -> bool:
        return await self._change(_RETURN, due_at, delivery.id, delivery.attempts)

    @override
    async def deliveries_of(self, receiver: str, most: int = 100, *, waiting: bool = False) -> list[Delivery]:
        return [Delivery(*row) for row in self._read(_OF, receiver, 0 if waiting else NEVER, most)]

    @override
    async def deliveries_named(self, receiver: str, ids: Sequence[bytes]) -> list[Delivery]:
        places = ", ".join("?" * len(ids))
        statement = f"SELECT {DELIVERY} FROM deliveries WHERE receiver = ? AND given_up_at = 0 AND id IN ({places})"  # noqa: S608 - constants
        return [Delivery(*row) for row in self._read(statement, receiver, *ids)]

    @override
    async def given_up_deliveries(self, most: int = 100) -> list[Delivery]:
        return [Delivery(*row) for row in self._read(_GIVEN_UP, most)]

    @override
    async def revive_deliveries(self, receiver: str, at: Milliseconds, keep_until: Milliseconds) -> int:
        values = (at, keep_until, receiver)
        return await self._writer.run(lambda connection: connection.execute(_REVIVE, values).rowcount)

    @override
    async def delete_deliveries(self, receiver: str) -> int:
        statement = "DELETE FROM deliveries WHERE receiver = ?"
        return await self._writer.run(lambda connection: connection.execute(statement, (receiver,)).rowcount)

    @override
    async def backlog(self) -> Backlog:
        return Backlog(*self._read(_BACKLOG, HELD, NEVER)[0])

    async def _change(self, statement: str, *values: object) -> bool:
        row = await self._writer.run(lambda connection: connection.execute(statement, values).fetchone())
        return row is not None
