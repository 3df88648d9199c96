"""Shared signals in a PostgreSQL store; triggers of the schema write them."""

from collections.abc import Mapping, Sequence

from typing_extensions import override

from credence.clock import Milliseconds
from credence.store.contract import Conflict, Store
from credence.store.deliveries import Delivery
from credence.store.postgres.connections import Connections, is_storable
from credence.store.postgres.deliveries import add_deliveries
from credence.store.signals import STREAM, Relation, Signal, SignalStream, encode_stream

_INSERT = (
    "INSERT INTO signal_streams (id, owner, version, document) VALUES (%(id)s, %(owner)s, %(version)s, %(document)s) "
    "ON CONFLICT DO NOTHING RETURNING 1"
)
_UPDATE = (
    "UPDATE signal_streams SET owner = %(owner)s, version = %(version)s, document = %(document)s "
    "WHERE id = %(id)s AND version = %(version)s - 1 RETURNING 1"
)
_MOVE = "UPDATE deliveries SET due_at = %s WHERE receiver = %s AND given_up_at = 0"
_EMPTY = "DELETE FROM deliveries WHERE receiver = %s"
_DELETE = "DELETE FROM signal_streams WHERE id = %s AND version = %s RETURNING 1"
_RELATIONS = """
SELECT client_id, username, scope FROM consents
WHERE username = ANY(%(names)s::text[]) AND client_id = ANY(%(owners)s::text[])
UNION
SELECT client_id, username, scope FROM families
WHERE username = ANY(%(names)s::text[]) AND client_id = ANY(%(owners)s::text[])
    AND ended_at IS NULL AND expires_at > %(now)s
"""


class PostgresSignals(Store):
    """The part of the PostgreSQL store that is about shared signals."""

    _connections: Connections

    @override
    async def signal_stream(self, identity: str) -> SignalStream | None:
        query = "SELECT document FROM signal_streams WHERE id = %s"
        row = await self._connections.one(query, (identity,)) if is_storable(identity) else None
        return STREAM.decode(bytes(row[0])) if row else None

    @override
    async def signal_streams(self) -> list[SignalStream]:
        rows = await self._connections.rows("SELECT document FROM signal_streams ORDER BY id")
        return [STREAM.decode(bytes(document)) for (document,) in rows]

    @override
    async def save_signal_stream(
        self,
        stream: SignalStream,
        deliveries: Sequence[Delivery] = (),
        due_at: Milliseconds | None = None,
        *,
        emptied: bool = False,
    ) -> None:
        values = {"id": stream.id, "owner": stream.owner, "version": stream.version, "document": encode_stream(stream)}
        async with self._connections.transaction() as connection:
            saved = await connection.execute(_INSERT if stream.version == 1 else _UPDATE, values)
            if not await saved.fetchall():
                raise Conflict(stream.id)
            if emptied:
                await connection.execute(_EMPTY, (stream.id,))
            elif due_at is not None:
                await connection.execute(_MOVE, (due_at, stream.id))
            await add_deliveries(connection, deliveries)

    @override
    async def delete_signal_stream(self, stream: SignalStream) -> None:
        async with self._connections.transaction() as connection:
            if not await (await connection.execute(_DELETE, (stream.id, stream.version))).fetchall():
                raise Conflict(stream.id)
            await connection.execute(_EMPTY, (stream.id,))

    @override
    async def signals(self, limit: int) -> list[Signal]:
        query = "SELECT id, kind, subject, before, after FROM signals ORDER BY id LIMIT %s"
        return [Signal(*row) for row in await self._connections.rows(query, (limit,))]

    @override
    async def settle_signals(self, deliveries: Mapping[str, Sequence[Delivery]]) -> None:
        query = "DELETE FROM signals WHERE id = ANY(%s::text[]) RETURNING id"
        async with self._connections.transaction() as connection:
            rows = await (await connection.execute(query, (sorted(deliveries),))).fetchall()
            await add_deliveries(connection, [each for (identity,) in rows for each in deliveries[identity]])

    @override
    async def relations(self, usernames: Sequence[str], owners: Sequence[str], now: Milliseconds) -> list[Relation]:
        values = {"names": list(usernames), "owners": list(owners), "now": now}
        return [Relation(*row) for row in await self._connections.rows(_RELATIONS, values)]
