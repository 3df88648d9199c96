"""Sends long answers in pieces and detects those that are not read (threats P13 and its section 3).

The server (granian) copies a body that it gets whole, and keeps the copy until the caller has read it. Of a body in pieces
it accepts five, then `send` waits until the caller has read one. The rest stays here and is not copied. With HTTP/2 this is
the only sign of a stalled stream, because pings keep the connection active.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any

from credence.transport.connections import Connections, Peer

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

WHOLE_HTTP_1 = 65_536
"""Bodies of up to this number of octets are sent whole over HTTP/1, where a connection has one answer at a time."""

WHOLE_HTTP_2 = 4_096
"""The same limit for HTTP/2, where a connection has many answers."""

PIECE_HTTP_1 = 16_384

LARGEST_PIECE_HTTP_2 = 4_096

PIECES_HTTP_2 = 8
"""The minimum number of pieces of a body: the server accepts fewer at once, and nothing shows whether they are read."""

PIECE_DEADLINE_SECONDS = 20
"""The time in which the caller must read enough for the server to accept another piece."""


@dataclass(slots=True, eq=False)
class _Unfinished:
    """A body that is being sent."""

    peer: Peer
    left: int
    """The octets that the server has not accepted yet."""
    ticks: int
    """The number of ticks when the server accepted the last piece."""


class Answers:
    """The answers that are being sent, by connection. Call `tick` once per second."""

    def __init__(self) -> None:
        self.connections = Connections()
        self._ticks = 0
        self._unfinished: set[_Unfinished] = set()

    async def send_in_pieces(self, send: Send, body: bytes, peer: Peer, *, http_2: bool, more: bool = False) -> None:
        """Send a long body, after its head.

        Returns when the server has accepted all of it; with `more` the body continues.
        """
        piece = min(LARGEST_PIECE_HTTP_2, max(len(body) // PIECES_HTTP_2, 1)) if http_2 else PIECE_HTTP_1
        answer = _Unfinished(peer, len(body), self._ticks)
        self._unfinished.add(answer)
        try:
            for start in range(0, len(body), piece):
                end = start + piece
                await send(
                    {"type": "http.response.body", "body": body[start:end], "more_body": more or end < len(body)}
                )
                answer.left, answer.ticks = len(body) - end, self._ticks
                handed = self.connections.handed
                handed[peer] = handed.get(peer, 0) + min(piece, len(body) - start)
        finally:
            self._unfinished.discard(answer)

    async def send_as_made(
        self,
        send: Send,
        first: bytes,
        rest: AsyncIterator[bytes],
        peer: Peer,
        disconnected: Callable[[], Awaitable[None]],
        *,
        http_2: bool,
    ) -> None:
        """Send a body whose parts are made while it is sent, until the caller disconnects.

        An error of `rest` ends the connection without the end of the body, so that no client takes a part for the whole
        (RFC 9112 §8).
        """
        gone = asyncio.ensure_future(disconnected())
        try:
            await self.send_in_pieces(send, first, peer, http_2=http_2, more=True)
            async for part in rest:
                if gone.done():
                    return
                await self.send_in_pieces(send, part, peer, http_2=http_2, more=True)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            gone.cancel()

    def tick(self) -> None:
        """Count a second."""
        self._ticks += 1

    def octets(self) -> Counter[Peer]:
        """Return the octets that are not accepted yet, by peer."""
        octets: Counter[Peer] = Counter()
        for answer in self._unfinished:
            octets[answer.peer] += answer.left
        return octets

    def unread(self) -> set[Peer]:
        """Return the peers with an answer of which nothing was read within the deadline."""
        return {each.peer for each in self._unfinished if self._ticks - each.ticks > PIECE_DEADLINE_SECONDS}
