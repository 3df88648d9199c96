"""How long may a body take to come? (threats §3, P13)

One look a second at all of them: a timer for each request would cost more than everything else about its body.
"""

import asyncio
from collections.abc import Awaitable
from itertools import takewhile
from typing import Any

from credence.refusals import THREAT, Refused

BODY_DEADLINE = 20
"""Seconds in which the whole body must have come, and at most one more until that is seen (threats §3)."""


class Bodies:
    """The bodies that are on their way. `look` is to be called once a second: these calls are what time is counted by."""

    def __init__(self) -> None:
        self._looks = 0
        self._begun: dict[asyncio.Task[Any], int] = {}
        """How many looks there had been when each task began to wait; the oldest stands first."""

    async def in_time(self, body: Awaitable[bytes]) -> bytes:
        """Return the body once it has come whole; Refused with `body.slow` when that takes too long."""
        task = _this_task()
        self._begun[task] = self._looks
        try:
            return await body
        except asyncio.CancelledError:
            if task in self._begun or task.uncancel():  # not by `look`, or not by it alone
                raise
            raise Refused(THREAT, "body.slow") from None
        finally:
            self._begun.pop(task, None)

    def look(self) -> None:
        """End the waiting for every body that has had its time."""
        self._looks += 1
        late = list(takewhile(lambda begun: self._looks - begun[1] > BODY_DEADLINE, self._begun.items()))
        for task, _ in late:
            del self._begun[task]
            task.cancel()


def _this_task() -> asyncio.Task[Any]:
    task = asyncio.current_task()
    if task is None:
        raise RuntimeError("a body is waited for in a task")
    return task
