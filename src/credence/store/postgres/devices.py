"""Pending device requests in a PostgreSQL store."""

import msgspec
from typing_extensions import override

from credence.clock import Milliseconds
from credence.store.contract import Conflict, Store
from credence.store.people import DeviceRequest
from credence.store.postgres.connections import Connections

REQUEST = ", ".join(DeviceRequest.__struct_fields__)
_READ = f"SELECT {REQUEST} FROM device_requests WHERE key = %s"  # noqa: S608 - constants, here and below
_PLACES = ", ".join(["%s"] * len(DeviceRequest.__struct_fields__))
_ADD = f"INSERT INTO device_requests ({REQUEST}) VALUES ({_PLACES}) ON CONFLICT DO NOTHING RETURNING 1"  # noqa: S608
_POLL = (
    "UPDATE device_requests SET polled_at = greatest(polled_at, %s), pause = greatest(pause, %s) "
    "WHERE key = %s RETURNING 1"
)
_DECIDE = (
    "UPDATE device_requests SET decision = %s, username = %s, signed_in_at = %s, methods = %s "
    "WHERE key = %s AND decision = '' AND expires_at > %s RETURNING 1"
)


class PostgresDevices(Store):
    """The part of the PostgreSQL store for pending device requests."""

    _connections: Connections

    @override
    async def add_device_request(self, request: DeviceRequest) -> None:
        if await self._connections.one(_ADD, msgspec.structs.astuple(request)) is None:
            raise Conflict("device request")

    @override
    async def device_request(self, key: bytes) -> DeviceRequest | None:
        row = await self._connections.one(_READ, (key,))
        return DeviceRequest(*row) if row else None

    @override
    async def note_device_poll(self, key: bytes, at: Milliseconds, pause: Milliseconds) -> None:
        await self._connections.rows(_POLL, (at, pause, key))

    @override
    async def decide_device_request(self, request: DeviceRequest, at: Milliseconds) -> bool:
        values = (request.decision, request.username, request.signed_in_at, request.methods, request.key, at)
        return await self._connections.one(_DECIDE, values) is not None
