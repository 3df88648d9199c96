"""Whatever a peer does with the connection, and at which byte, a call ends as an answer or as a failure of the call.

Between caller and peer is a wire that breaks after so many bytes of the peer: it closes the connection, resets it, or flips
a bit and goes on. So it breaks in the handshake, in the head of the answer and in its body.
"""

import asyncio
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from credence.outgoing.client import Deadlines
from credence.outgoing.connecting import CallFailed
from credence.outgoing.mail import MailFailed, send_mail
from tests.deployment import OpenDeployment
from tests.outgoing.receivers import NAME, calling, demanding_certificate, listening, receiver
from tests.outgoing.test_client import get
from tests.ports import free_port
from tests.relay import Relay
from tests.sign_in.browsing import Browser, request_of
from tests.sign_in.client_documents import PATH, publishing
from tests.sweeps import sample

BODY = b"x" * 300
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 300\r\n\r\n" + BODY
MODES = ("close", "reset", "flip")
DEADLINES = Deadlines(connect=0.5, first_byte=0.5, whole=1)
"""A bit of a length can let the caller wait for bytes that never come."""
MOST_BYTES = 4_000
"""More than a handshake of TLS 1.3 and the answer."""


@dataclass
class Wire:
    """Breaks connections after this number of bytes of the peer; it counts those that it has passed on."""

    port: int
    after: int = MOST_BYTES
    mode: str = "close"
    passed: int = 0


@asynccontextmanager
async def breaking(target: int) -> AsyncIterator[Wire]:
    wire = Wire(free_port())

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from_peer, to_peer = await asyncio.open_connection("127.0.0.1", target)
        there = asyncio.create_task(_copy(reader, to_peer))
        wire.passed = 0
        try:
            while piece := await from_peer.read(MOST_BYTES):
                room = max(wire.after - wire.passed, 0)
                breaks = room < len(piece) and wire.passed <= wire.after
                if breaks and wire.mode == "flip":
                    piece = piece[:room] + bytes([piece[room] ^ 1]) + piece[room + 1 :]
                elif breaks:
                    piece = piece[:room]
                writer.write(piece)
                await writer.drain()
                wire.passed += len(piece)
                if breaks and wire.mode == "reset":
                    linger = struct.pack("ii", 1, 0)
                    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                    writer.transport.abort()
                if breaks and wire.mode != "flip":
                    return
        finally:
            there.cancel()
            to_peer.close()

    async with listening(serve, wire.port):
        yield wire


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while piece := await reader.read(MOST_BYTES):
            writer.write(piece)
            await writer.drain()
        writer.write_eof()


async def test_a_call_to_a_peer_that_breaks_at_any_byte_is_an_answer_or_fails(tmp_path: Path) -> None:
    async with receiver(tmp_path, ANSWER) as found, breaking(found.port) as wire:
        it, outcomes = calling(tmp_path, deadlines=DEADLINES), set()
        url = f"https://{NAME}:{wire.port}/"
        for mode, after in await _cases(wire, lambda: it.client.call(get(url)), MODES, 120):
            wire.mode, wire.after = mode, after
            try:
                outcome = (await it.client.call(get(url))).body
            except CallFailed as failed:
                outcome = str(failed).encode()
            outcomes.add(outcome)
            assert it.lines[-1].reason == (None if outcome == BODY else outcome.decode())
    assert outcomes <= {BODY, b"tls", b"connection_lost", b"broken_answer", b"timeout"}
    assert {b"tls", b"connection_lost"} <= outcomes


async def test_a_message_to_a_relay_that_breaks_at_any_byte_is_accepted_or_fails() -> None:
    port = free_port()
    async with listening(Relay().talk, port), breaking(port) as wire:

        async def send() -> None:
            await send_mail(f"smtp://127.0.0.1:{wire.port}", "a@example.com", "b@example.com", "Subject", "Text")

        outcomes = set()
        for mode, after in await _cases(wire, send, ("close", "reset"), 20):
            wire.mode, wire.after = mode, after
            try:
                await send()
            except MailFailed:
                outcomes.add("failed")
            else:
                outcomes.add("accepted")
    assert outcomes == {"failed", "accepted"}


async def test_a_host_of_client_documents_that_wants_a_client_certificate_is_a_refusal_and_no_fault(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    async with demanding_certificate(tmp_path) as port, publishing(tmp_path, open_deployment, port) as (_, deployment):
        page = await Browser(deployment).get(
            request_of(deployment.application, client_id=f"https://localhost:{port}{PATH}")
        )
        assert (page.status, page.headers["x-reason"]) == (400, "client_document.failed")


async def _cases(
    wire: Wire, act: Callable[[], Awaitable[object]], modes: Sequence[str], count: int
) -> list[tuple[str, int]]:
    """Let all bytes pass once, and return some of the ways to break them."""
    await act()
    return sample([(mode, after) for mode in modes for after in range(wire.passed)], count)
