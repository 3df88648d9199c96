"""Shared signals in a SQLite store; triggers of the schema write them."""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from typing_extensions import override

from credence.clock import Milliseconds
from credence.store.contract import Conflict, Store
from credence.store.deliveries import Delivery
from credence.store.signals import STREAM, Relation, Signal, SignalStream, encode_stream
from credence.store.sqlite.deliveries import add_deliveries
from credence.store.sqlite.group_commit import GroupCommit
from credence.store.sqlite.reading import Reader, decoded

_INSERT = (
    "INSERT INTO signal_streams (owner, version, document, id) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING 1"
)
_UPDATE = "UPDATE signal_streams SET owner = ?, version = ?, document = ? WHERE id = ? AND version = ? RETURNING 1"
_MOVE = "UPDATE deliveries SET due_at = ? WHERE receiver = ? AND given_up_at = 0"
_EMPTY = "DELETE FROM deliveries WHERE receiver = ?"
_DELETE = "DELETE FROM signal_streams WHERE id = ? AND version = ? RETURNING 1"
_RELATIONS = """
SELECT client_id, username, scope FROM consents
WHERE username IN (SELECT value FROM json_each(?1)) AND client_id IN (SELECT value FROM json_each(?2))
UNION
SELECT client_id, username, scope FROM families
WHERE username IN (SELECT value FROM json_each(?1)) AND client_id IN (SELECT value FROM json_each(?2))
    AND ended_at IS NULL AND expires_at > ?3
"""


class SqliteSignals(Store):
    """The part of the SQLite store that is about shared signals."""

    _writer: GroupCommit
    _reader: Reader

    def _read(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        raise NotImplementedError

    @override
    async def signal_stream(self, identity: str) -> SignalStream | None:
        rows = self._read("SELECT document FROM signal_streams WHERE id = ?", identity)
        return decoded(STREAM, rows[0][0]) if rows else None

    @override
    async def signal_streams(self) -> list[SignalStream]:
        return [decoded(STREAM, each) for (each,) in self._read("SELECT document FROM signal_streams ORDER BY id")]

    @override
    async def save_signal_stream(
        self,
        stream: SignalStream,
        deliveries: Sequence[Delivery] = (),
        due_at: Milliseconds | None = None,
        *,
        emptied: bool = False,
    ) -> None:
        values = (stream.owner, stream.version, encode_stream(stream), stream.id)

        def save(connection: sqlite3.Connection) -> None:
            first = stream.version == 1
            saved = connection.execute(*((_INSERT, values) if first else (_UPDATE, (*values, stream.version - 1))))
            if saved.fetchone() is None:
                raise Conflict(stream.id)
            if emptied:
                connection.execute(_EMPTY, (stream.id,))
            elif due_at is not None:
                connection.execute(_MOVE, (due_at, stream.id))
            add_deliveries(connection, deliveries)

        await self._writer.run(save)

    @override
    async def delete_signal_stream(self, stream: SignalStream) -> None:
        def delete(connection: sqlite3.Connection) -> None:
            if connection.execute(_DELETE, (stream.id, stream.version)).fetchone() is None:
                raise Conflict(stream.id)
            connection.execute(_EMPTY, (stream.id,))

        await self._writer.run(delete)

    @override
    async def signals(self, limit: int) -> list[Signal]:
        rows = self._read("SELECT id, kind, subject, before, after FROM signals ORDER BY id LIMIT ?", limit)
        return [Signal(*row) for row in rows]

    @override
    async def settle_signals(self, deliveries: Mapping[str, Sequence[Delivery]]) -> None:
        def settle(connection: sqlite3.Connection) -> None:
            for identity, of_signal in deliveries.items():
                if connection.execute("DELETE FROM signals WHERE id = ? RETURNING 1", (identity,)).fetchone():
                    add_deliveries(connection, of_signal)

        await self._writer.run(settle)

    @override
    async def relations(self, usernames: Sequence[str], owners: Sequence[str], now: Milliseconds) -> list[Relation]:
        # One account may have very many logins.
        values = (*(msgspec.json.encode(each).decode() for each in (usernames, owners)), now)
        return [Relation(*row) for row in await self._reader.rows_apart(_RELATIONS, *values)]
