"""Receivers that tests call: real TLS listeners on loopback, whose certificate is for `receiver.example` and localhost."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from ipaddress import ip_network
from pathlib import Path
from typing import Any

from credence.outgoing.addresses import Resolve
from credence.outgoing.client import CallRecord, Deadlines, OutgoingClient
from credence.outgoing.target import OutgoingRules
from credence.sandbox.certificates import ensure_certificates
from credence.tls import authority_file
from tests.ports import free_port

NAME = "receiver.example"
METHODS = ("GET", "POST")
"""A receiver knows no other, and a method in small letters is another (RFC 9110 §9.1)."""
LOOPBACK = (ip_network("127.0.0.0/8"), ip_network("::1/128"))

Serving = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
Answering = Callable[["Request", asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Request:
    """What a receiver has got."""

    head: str
    body: bytes


@dataclass
class Receiver:
    """A listener that keeps what it gets."""

    port: int
    requests: list[Request] = field(default_factory=list)
    connections: int = 0

    def url(self, path: str = "/", host: str = NAME) -> str:
        """Return the address of a path on this receiver."""
        return f"https://{host}:{self.port}{path}"


@asynccontextmanager
async def receiver(
    folder: Path,
    answering: Answering | bytes = b"HTTP/1.1 204 No Content\r\n\r\n",
    host: str = "127.0.0.1",
    port: int = 0,
    tls: ssl.SSLContext | None = None,
) -> AsyncIterator[Receiver]:
    """A receiver that answers each request with these bytes, or by this function, until the end of the block."""
    found = Receiver(port or free_port())

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        found.connections += 1
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = next((int(line[15:]) for line in head.lower().split("\r\n") if line.startswith("content-length:")), 0)
        request = Request(head, await reader.readexactly(length))
        found.requests.append(request)
        if head.partition(" ")[0] not in METHODS:
            writer.write(b"HTTP/1.1 501 Not Implemented\r\nContent-Length: 0\r\n\r\n")
            await writer.drain()
        elif isinstance(answering, bytes):
            writer.write(answering)
            await writer.drain()
        else:
            await answering(request, writer)

    async with listening(serve, found.port, host, tls or server_tls(folder)):
        yield found


@asynccontextmanager
async def listening(
    serve: Serving, port: int, host: str = "127.0.0.1", tls: ssl.SSLContext | None = None
) -> AsyncIterator[None]:
    """Serve each connection by this function until the end of the block, and leave none open after it."""
    tasks: set[asyncio.Task[Any]] = set()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        try:
            with suppress(OSError, asyncio.IncompleteReadError):
                await serve(reader, writer)
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()
        except asyncio.CancelledError:
            writer.transport.abort()
            with suppress(OSError, asyncio.CancelledError):
                await writer.wait_closed()

    server = await asyncio.start_server(handle, host, port, ssl=tls)
    try:
        yield
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await server.wait_closed()


def server_tls(folder: Path, name: str = NAME) -> ssl.SSLContext:
    """Return the TLS of a receiver with a certificate of the authority in `folder`."""
    chain, key = ensure_certificates(folder / "receiver-tls", name)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(chain, key)
    return context


@asynccontextmanager
async def demanding_certificate(folder: Path) -> AsyncIterator[int]:
    """A receiver that wants a client certificate, for the block; its port.

    In TLS 1.3 the client has finished the handshake and sent its request when it learns of it (RFC 8446 §4.4.2.4).
    """
    context = server_tls(folder)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_verify_locations(authority(folder))

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        got, given = ssl.MemoryBIO(), ssl.MemoryBIO()
        secured = context.wrap_bio(got, given, server_side=True)
        while data := await reader.read(65_536):
            got.write(data)
            with suppress(ssl.SSLError):
                secured.do_handshake()
            writer.write(given.read())
            await writer.drain()

    port = free_port()
    async with listening(serve, port):
        yield port


def authority(folder: Path) -> Path:
    """Return the file of the authority that issued the certificates of the receivers."""
    return authority_file(folder / "receiver-tls")


@dataclass
class Names:
    """A resolver with answers of the test's own; each question takes the next answer, the last one stays."""

    answers: list[Sequence[str]]
    asked: list[tuple[str, int]] = field(default_factory=list)

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        """Return the next answer."""
        self.asked.append((host, port))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if not answer:
            raise OSError(-2, "Name or service not known")
        return answer


@dataclass
class Calling:
    """A client with its audit lines and its resolver."""

    client: OutgoingClient
    lines: list[CallRecord]
    names: Names


def calling(
    folder: Path,
    *addresses: Sequence[str],
    deadlines: Deadlines | None = None,
    resolve: Resolve | None = None,
    **rules: Any,
) -> Calling:
    """Return a client for which every name resolves to these addresses, 127.0.0.1 by default, on any port."""
    lines: list[CallRecord] = []
    names = Names(list(addresses) or [["127.0.0.1"]])
    rules.setdefault("networks", LOOPBACK)
    rules.setdefault("ports", tuple(range(1, 65_536)))
    server_tls(folder)
    client = OutgoingClient(OutgoingRules(**rules), lines.append, authority(folder), resolve or names, deadlines)
    return Calling(client, lines, names)
