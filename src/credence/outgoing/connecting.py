"""The connection of one call: to a checked address and to no other, with limits on what is read (threats E3).

httpcore gets each connection to a host from its network backend. This backend ignores the host and connects to an address
that was resolved and checked once, so a later DNS answer for the same name has no effect. TLS verifies the name.
"""

import asyncio
import ssl
from collections.abc import Iterable, Sequence
from typing import Any

import httpcore
from httpcore import AsyncNetworkBackend, AsyncNetworkStream
from httpcore._backends.anyio import AnyIOBackend
from typing_extensions import override

from credence.outgoing.addresses import Address


class CallFailed(Exception):
    """A call got no complete answer. The message is a reason code."""

    milliseconds = 0
    """The duration in milliseconds, without the wait for a turn at the host."""


class Allowance:
    """The number of bytes that a connection may still read before it is closed."""

    def __init__(self, count: int) -> None:
        self.left = count
        self.reason = "head_too_large"


class CheckedBackend(AsyncNetworkBackend):
    """Connects to one of these addresses before the deadline, TLS included; ignores the host that httpcore passes."""

    def __init__(self, addresses: Sequence[Address], deadline: float, allowance: Allowance) -> None:
        """`deadline` is a time of the event loop's clock."""
        self._addresses = addresses
        self._deadline = deadline
        self._allowance = allowance
        self.connected: Address | None = None

    @override
    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> AsyncNetworkStream:
        for number, address in enumerate(self._addresses):
            share = _seconds_until(self._deadline) / (len(self._addresses) - number)
            try:
                stream = await AnyIOBackend().connect_tcp(str(address), port, share)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
            self.connected = address
            return _CountedStream(stream, self._deadline, self._allowance)
        raise CallFailed("not_connected")

    @override
    async def connect_unix_socket(self, path: str, timeout: float | None = None, socket_options: Any = None) -> Any:
        raise CallFailed("not_connected")

    @override
    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class _CountedStream(AsyncNetworkStream):
    def __init__(self, stream: AsyncNetworkStream, deadline: float, allowance: Allowance) -> None:
        self._stream = stream
        self._deadline = deadline
        self._allowance = allowance

    @override
    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        if self._allowance.left <= 0:
            raise CallFailed(self._allowance.reason)
        data = await self._stream.read(min(max_bytes, self._allowance.left), timeout)
        self._allowance.left -= len(data)
        return data

    @override
    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        await self._stream.write(buffer, timeout)

    @override
    async def aclose(self) -> None:
        await self._stream.aclose()

    @override
    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> AsyncNetworkStream:
        try:
            secured = await self._stream.start_tls(ssl_context, server_hostname, _seconds_until(self._deadline))
        except httpcore.ConnectTimeout:
            raise CallFailed("timeout") from None
        except (httpcore.ConnectError, OSError) as error:
            raise CallFailed("tls") from error
        return _CountedStream(secured, self._deadline, self._allowance)

    @override
    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _seconds_until(deadline: float) -> float:
    return max(0.001, deadline - asyncio.get_running_loop().time())
