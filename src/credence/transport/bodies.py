"""The limits of a request body while it is received: its size (D16, threats P1) and its time (threats P13)."""

import asyncio
from collections.abc import Awaitable
from itertools import takewhile
from typing import Any

from credence.refusals import THREAT, Refused
from credence.screening.limits import Limits

BODY_DEADLINE_SECONDS = 20
"""Time for the whole body. A late body is cancelled at the next tick, so up to a second later (threats section 3)."""


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

    async def receive(self, body: Awaitable[bytes]) -> bytes:
        """Return the complete body; Refused (`body.slow`) when the deadline passes first."""
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("a body is received in a task")
        self._started[task] = self._ticks
        try:
            return await body
        except asyncio.CancelledError:
            if task in self._started or task.uncancel():  # not cancelled by `tick`, or by something else as well
                raise
            raise Refused(THREAT, "body.slow") from None
        finally:
            self._started.pop(task, None)

    def tick(self) -> None:
        """Cancel every body older than the deadline."""
        self._ticks += 1
        late = takewhile(lambda item: self._ticks - item[1] > BODY_DEADLINE_SECONDS, self._started.items())
        for task, _ in list(late):
            del self._started[task]
            task.cancel()
