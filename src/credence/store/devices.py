"""Pending device requests in a store (RFC 8628)."""

from typing import Literal

import msgspec

from credence.clock import Milliseconds
from credence.store.errors import Conflict
from credence.store.statements import Statements, columns

DeviceDecision = Literal["", "allowed", "refused"]


class DeviceRequest(msgspec.Struct, frozen=True):
    """A device request (RFC 8628) that waits for a person's decision, which sets the fields from `decision` on."""

    key: bytes
    """Keyed digest of the user code."""
    client_id: str
    scope: str
    resources: str
    """The resources (RFC 8707), separated by spaces."""
    address: str
    """The address from which the device sent the request, which the person compares."""
    created_at: Milliseconds
    expires_at: Milliseconds
    pause: Milliseconds
    """How long the device must wait between two polls; it only grows (milliseconds, RFC 8628 §3.5)."""
    polled_at: Milliseconds = 0
    decision: DeviceDecision = ""
    username: str = ""
    signed_in_at: Milliseconds = 0
    methods: str = ""
    """The person's authentication methods: values of `amr` separated by spaces."""


_COLUMNS, _PLACES = columns(DeviceRequest)
_ADD = f"INSERT INTO device_requests ({_COLUMNS}) VALUES ({_PLACES}) ON CONFLICT DO NOTHING RETURNING 1"  # noqa: S608 - constants, here and below
_READ = f"SELECT {_COLUMNS} FROM device_requests WHERE key = :key"  # noqa: S608 - constants
_POLL = (
    "UPDATE device_requests SET polled_at = greatest(polled_at, :at), pause = greatest(pause, :pause) WHERE key = :key "
    "RETURNING 1"
)
_DECIDE = (
    "UPDATE device_requests SET decision = :decision, username = :username, signed_in_at = :signed_in_at, "
    "methods = :methods WHERE key = :key AND decision = '' AND expires_at > :at RETURNING 1"
)


class Devices(Statements):
    """The part of a store for pending device requests."""

    async def add_device_request(self, request: DeviceRequest) -> None:
        """Store a device that waits for a person; Conflict when the key exists."""
        if not await self._write(_ADD, **msgspec.structs.asdict(request)):
            raise Conflict("device request")

    async def device_request(self, key: bytes) -> DeviceRequest | None:
        """Return the request of a device with this key, expired or not."""
        rows = await self._rows(_READ, key=key)
        return DeviceRequest(*rows[0]) if rows else None

    async def note_device_poll(self, key: bytes, at: Milliseconds, pause: Milliseconds) -> None:
        """Store the time of a device's poll and the minimum pause before its next one. Neither value decreases."""
        await self._write(_POLL, key=key, at=at, pause=pause)

    async def decide_device_request(self, request: DeviceRequest, at: Milliseconds) -> bool:
        """Store the decision, `username`, `signed_in_at` and `methods` of this request if it is undecided and not expired.

        Of any number of concurrent calls for one request exactly one returns True.
        """
        decided = {name: getattr(request, name) for name in ("key", "decision", "username", "signed_in_at", "methods")}
        return bool(await self._write(_DECIDE, **decided, at=at))
