"""The outbox in a PostgreSQL store."""

from collections.abc import Sequence

import msgspec
from typing_extensions import override

from credence.clock import Milliseconds
from credence.store.contract import Store
from credence.store.deliveries import HELD, NEVER, Backlog, Delivery, plausible_until
from credence.store.postgres.connections import Connection, Connections

DELIVERY = ", ".join(Delivery.__struct_fields__)

_TYPES = ("bytea", "text", "text", "bytea", "bigint", "bigint", "bigint", "bigint", "bigint", "text")
_ADD = (
    f"INSERT INTO deliveries ({DELIVERY}) SELECT * FROM unnest({', '.join(f'%s::{each}[]' for each in _TYPES)}) "  # noqa: S608 - constants, here and below
    "ON CONFLICT DO NOTHING RETURNING 1"
)
_REPLAY = (
    f"INSERT INTO deliveries ({DELIVERY}) SELECT * FROM unnest({', '.join(f'%s::{each}[]' for each in _TYPES)}) "  # noqa: S608
    "ON CONFLICT (id) DO UPDATE SET due_at = excluded.due_at, keep_until = excluded.keep_until, attempts = 0, "
    "given_up_at = 0 WHERE deliveries.given_up_at > 0 RETURNING 1"
)
_IS_DUE = (
    "SELECT EXISTS (SELECT 1 FROM deliveries WHERE due_at <= %s), "
    "EXISTS (SELECT 1 FROM deliveries WHERE due_at > %s AND due_at < %s)"
)
_END_WAIT = "UPDATE deliveries SET due_at = %s WHERE due_at > %s AND due_at < %s RETURNING 1"
# Steps through the receivers by the index, so a receiver with a long queue costs no more than one with a short queue.
# A row that another node locks is skipped; one that it has just claimed is due no more when its lock is gone.
_CLAIM = f"""
WITH RECURSIVE receivers (name) AS (
    (SELECT receiver FROM deliveries ORDER BY receiver LIMIT 1)
    UNION ALL
    SELECT (SELECT receiver FROM deliveries WHERE receiver > name ORDER BY receiver LIMIT 1) FROM receivers
    WHERE name IS NOT NULL
), due AS (
    SELECT each.id FROM receivers CROSS JOIN LATERAL (
        SELECT id, due_at FROM deliveries WHERE receiver = name AND due_at <= %(now)s ORDER BY due_at LIMIT %(per)s
    ) AS each
    WHERE name IS NOT NULL AND name <> ALL(%(busy)s::text[]) ORDER BY each.due_at LIMIT %(most)s
), locked AS MATERIALIZED (
    SELECT id FROM deliveries WHERE id IN (SELECT id FROM due) AND due_at <= %(now)s FOR UPDATE SKIP LOCKED
)
UPDATE deliveries SET due_at = %(lease)s, attempts = attempts + 1 FROM locked WHERE deliveries.id = locked.id
RETURNING {", ".join(f"deliveries.{each}" for each in Delivery.__struct_fields__)}
"""  # noqa: S608
_END = "DELETE FROM deliveries WHERE id = %s AND attempts = %s AND given_up_at = 0 RETURNING 1"
_POSTPONE = (
    "UPDATE deliveries SET due_at = %s, outcome = %s, given_up_at = %s "
    "WHERE id = %s AND attempts = %s AND given_up_at = 0 RETURNING 1"
)
_RETURN = (
    "UPDATE deliveries SET due_at = %s, attempts = attempts - 1 WHERE id = %s AND attempts = %s AND given_up_at = 0 "
    "RETURNING 1"
)
_OF = f"SELECT {DELIVERY} FROM deliveries WHERE receiver = %s AND given_up_at <= %s ORDER BY created_at, id LIMIT %s"  # noqa: S608
_NAMED = f"SELECT {DELIVERY} FROM deliveries WHERE receiver = %s AND given_up_at = 0 AND id = ANY(%s::bytea[])"  # noqa: S608
_GIVEN_UP = f"SELECT {DELIVERY} FROM deliveries WHERE given_up_at > 0 ORDER BY given_up_at DESC, id LIMIT %s"  # noqa: S608
_REVIVE = (
    "UPDATE deliveries SET due_at = %s, keep_until = %s, attempts = 0, given_up_at = 0 "
    "WHERE receiver = %s AND given_up_at > 0 RETURNING 1"
)
_BACKLOG = (
    "SELECT count(*) FILTER (WHERE due_at < %(held)s), count(*) FILTER (WHERE due_at >= %(never)s), "
    "min(due_at) FILTER (WHERE due_at < %(held)s) FROM deliveries"
)


async def add_deliveries(connection: Connection, deliveries: Sequence[Delivery]) -> None:
    """Store deliveries in the transaction of the caller."""
    if deliveries:
        await connection.execute(_ADD.encode(), _columns(deliveries))


def _columns(deliveries: Sequence[Delivery]) -> list[list[object]]:
    return [list(column) for column in zip(*map(msgspec.structs.astuple, deliveries), strict=True)]


class PostgresDeliveries(Store):
    """The part of the PostgreSQL store that is the outbox."""

    _connections: Connections

    @override
    async def add_deliveries(self, deliveries: Sequence[Delivery]) -> None:
        if deliveries:
            await self._connections.rows(_ADD, _columns(deliveries))

    @override
    async def replay_deliveries(self, deliveries: Sequence[Delivery]) -> None:
        if deliveries:
            await self._connections.rows(_REPLAY, _columns(deliveries))

    @override
    async def claim_deliveries(
        self, now: Milliseconds, lease_until: Milliseconds, per_receiver: int, most: int, busy: Sequence[str] = ()
    ) -> list[Delivery]:
        too_long = plausible_until(now), HELD
        is_due, waits_too_long = await self._connections.one(_IS_DUE, (now, *too_long)) or (False, False)
        if waits_too_long:
            await self._connections.rows(_END_WAIT, (now, *too_long))
        elif not is_due:
            return []
        values = {"now": now, "lease": lease_until, "per": per_receiver, "most": most, "busy": list(busy)}
        rows = await self._connections.rows(_CLAIM, values)
        return sorted((Delivery(*row) for row in rows), key=lambda each: (each.created_at, each.id))

    @override
    async def end_delivery(self, delivery: Delivery) -> bool:
        return await self._connections.one(_END, (delivery.id, delivery.attempts)) is not None

    @override
    async def postpone_delivery(
        self, delivery: Delivery, due_at: Milliseconds, outcome: str, given_up_at: Milliseconds = 0
    ) -> bool:
        due_at = NEVER if given_up_at else due_at
        values = (due_at, outcome, given_up_at, delivery.id, delivery.attempts)
        return await self._connections.one(_POSTPONE, values) is not None

    @override
    async def return_delivery(self, delivery: Delivery, due_at: Milliseconds) -> bool:
        return await self._connections.one(_RETURN, (due_at, delivery.id, delivery.attempts)) is not None

    @override
    async def deliveries_of(self, receiver: str, most: int = 100, *, waiting: bool = False) -> list[Delivery]:
        return [Delivery(*row) for row in await self._connections.rows(_OF, (receiver, 0 if waiting else NEVER, most))]

    @override
    async def deliveries_named(self, receiver: str, ids: Sequence[bytes]) -> list[Delivery]:
        rows = await self._connections.rows(_NAMED, (receiver, list(ids)))
        return [Delivery(*row) for row in rows]

    @override
    async def given_up_deliveries(self, most: int = 100) -> list[Delivery]:
        return [Delivery(*row) for row in await self._connections.rows(_GIVEN_UP, (most,))]

    @override
    async def revive_deliveries(self, receiver: str, at: Milliseconds, keep_until: Milliseconds) -> int:
        return len(await self._connections.rows(_REVIVE, (at, keep_until, receiver)))

    @override
    async def delete_deliveries(self, receiver: str) -> int:
        return len(await self._connections.rows("DELETE FROM deliveries WHERE receiver = %s RETURNING 1", (receiver,)))

    @override
    async def backlog(self) -> Backlog:
        row = await self._connections.one(_BACKLOG, {"held": HELD, "never": NEVER})
        return Backlog(*row) if row else Backlog(0, 0, None)
