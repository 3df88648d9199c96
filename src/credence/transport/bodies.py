"""Receives request bodies within their limits: of size (D16, threats P1) and of time (threats P13)."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from itertools import takewhile
from typing import Any

from credence.refusals.refusal import Refused
from credence.refusals.requests import THREAT
from credence.screening.limits import Limits

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
"""Returns the next message of the server about a request (ASGI)."""

BODY_DEADLINE_SECONDS = 20
"""Time for the whole body. A late body is cancelled at the next tick, so up to a second later (threats section 3)."""

LEFT_UNREAD = frozenset({"body.size", "body.slow", "body.coding"})
"""Reasons of refusals before the end of the body: the connection can carry no further request (RFC 9112 §9.6)."""


def check_body(length: int, limits: Limits) -> None:
    """Refuse a body of more octets than the limit: called for each piece received, with the length so far.

    Raises `Refused` with `body.size`.
    """
    if length > limits.body:
        raise Refused(THREAT, "body.size")


class BodyDeadlines:
    """The bodies being received. Call `tick` once per second.

    One tick serves all of them: a timer for each request would cost more than everything else about its body.
    """

    def __init__(self) -> None:
        self._ticks = 0
        self._started: dict[asyncio.Task[Any], int] = {}
        """The number of ticks when each task began to receive; in the order of starting."""

    async def receive(self, receive: Receive, declared: int | None, limits: Limits) -> bytes:
        """Return the complete body; Refused when it is too large, too slow or incomplete (threats P1, P13, P14).

        A body that is declared as empty is not asked for: that would hand the request to the server's thread and back.
        One coroutine does all of it, because each one more takes as long as the rest.
        """
        if declared == 0:
            return b""
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("a body is received in a task")
        self._started[task] = self._ticks
        pieces: list[bytes] = []
        length = 0
        try:
            more = True
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise Refused(THREAT, "body.incomplete")
                piece = message.get("body", b"")
                length += len(piece)
                check_body(length, limits)
                pieces.append(piece)
                more = message.get("more_body", False)
        except asyncio.CancelledError:
            if task in self._started or task.uncancel():  # not cancelled by `tick`, or by something else as well
                raise
            raise Refused(THREAT, "body.slow") from None
        finally:
            self._started.pop(task, None)
        if declared is not None and declared != length:
            raise Refused(THREAT, "body.incomplete")
        return b"".join(pieces)

    def tick(self) -> None:
        """Cancel every body older than the deadline."""
        self._ticks += 1
        late = takewhile(lambda item: self._ticks - item[1] > BODY_DEADLINE_SECONDS, self._started.items())
        for task, _ in list(late):
            del self._started[task]
            task.cancel()
