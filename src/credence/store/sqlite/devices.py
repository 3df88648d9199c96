"""Pending device requests in a SQLite store."""

import sqlite3
from typing import Any

import msgspec
from typing_extensions import override

from credence.clock import Milliseconds
from credence.store.contract import Conflict, Store
from credence.store.people import DeviceRequest
from credence.store.sqlite.group_commit import GroupCommit

REQUEST = ", ".join(DeviceRequest.__struct_fields__)
READ = f"SELECT {REQUEST} FROM device_requests WHERE key = ?"  # noqa: S608 - constants, here and below
_PLACES = ", ".join("?" * len(DeviceRequest.__struct_fields__))
_ADD = f"INSERT OR IGNORE INTO device_requests ({REQUEST}) VALUES ({_PLACES}) RETURNING 1"  # noqa: S608
_POLL = "UPDATE device_requests SET polled_at = max(polled_at, ?), pause = max(pause, ?) WHERE key = ?"
_DECIDE = (
    "UPDATE device_requests SET decision = ?, username = ?, signed_in_at = ?, methods = ? "
    "WHERE key = ? AND decision = '' AND expires_at > ? RETURNING 1"
)


def add(connection: sqlite3.Connection, request: DeviceRequest) -> None:
    """Store the request; Conflict if the key exists."""
    if connection.execute(_ADD, msgspec.structs.astuple(request)).fetchone() is None:
        raise Conflict("device request")


def note_poll(connection: sqlite3.Connection, key: bytes, at: Milliseconds, pause: Milliseconds) -> None:
    """Store the time of a poll and the next pause."""
    connection.execute(_POLL, (at, pause, key))


def decide(connection: sqlite3.Connection, request: DeviceRequest, at: Milliseconds) -> bool:
    """Store the decision; return whether this call stored it."""
    values = (request.decision, request.username, request.signed_in_at, request.methods, request.key, at)
    return connection.execute(_DECIDE, values).fetchone() is not None


class SqliteDevices(Store):
    """The part of the SQLite store for pending device requests."""

    _writer: GroupCommit

    def _read(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        raise NotImplementedError

    @override
    async def add_device_request(self, request: DeviceRequest) -> None:
        await self._writer.run(lambda connection: add(connection, request))

    @override
    async def device_request(self, key: bytes) -> DeviceRequest | None:
        rows = self._read(READ, key)
        return DeviceRequest(*rows[0]) if rows else None

    @override
    async def note_device_poll(self, key: bytes, at: Milliseconds, pause: Milliseconds) -> None:
        await self._writer.run(lambda connection: note_poll(connection, key, at, pause))

    @override
    async def decide_device_request(self, request: DeviceRequest, at: Milliseconds) -> bool:
        return await self._writer.run(lambda connection: decide(connection, request, at))
