"""The part of the memory store that is about devices that wait for a person."""

import msgspec
from typing_extensions import override

from credence.clock import Milliseconds
from credence.store.contract import Conflict, Store
from credence.store.people import DeviceRequest


class MemoryDevices(Store):
    """Keeps the promises of the contract about devices."""

    _devices: dict[bytes, DeviceRequest]

    @override
    async def add_device_request(self, request: DeviceRequest) -> None:
        if request.key in self._devices:
            raise Conflict("device request")
        self._devices[request.key] = request

    @override
    async def device_request(self, key: bytes) -> DeviceRequest | None:
        return self._devices.get(key)

    @override
    async def note_device_poll(self, key: bytes, at: Milliseconds, pause: Milliseconds) -> None:
        kept = self._devices.get(key)
        if kept is not None:
            later = {"polled_at": max(kept.polled_at, at), "pause": max(kept.pause, pause)}
            self._devices[key] = msgspec.structs.replace(kept, **later)

    @override
    async def decide_device_request(self, request: DeviceRequest, at: Milliseconds) -> bool:
        kept = self._devices.get(request.key)
        if kept is None or kept.decision or kept.expires_at <= at:
            return False
        theirs = {name: getattr(request, name) for name in ("decision", "username", "signed_in_at", "methods")}
        self._devices[request.key] = msgspec.structs.replace(kept, **theirs)
        return True
