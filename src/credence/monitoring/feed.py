"""The feed of events: reads after a number, and waits for new ones with one query of the store for all who wait."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress

from credence.store.contract import Store
from credence.store.monitoring import EventFilter, NumberedEvent

POLL_SECONDS = 1.0
"""Between two queries of the number of the last event, while anyone waits."""

MAX_WAIT_SECONDS = 20
"""Of a request and of a stream."""

MAX_WAITING = 10
"""Requests of one application that wait in one process; all applications together have fifty times as many."""


class Feed:
    """The feed of one process."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: Counter[str] = Counter()
        self._changed = asyncio.Event()
        self._last = 0
        self._poll: asyncio.Task[None] | None = None
        self.ended = asyncio.Event()
        self.ending = False
        """Whether the process stops, so that no request waits any more."""

    def end(self) -> None:
        """Answer every request that waits, at once, and let none wait from now on: the process is asked to stop."""
        self.ending = True
        self.ended.set()
        self._wake()

    @contextmanager
    def waiting(self, client_id: str) -> Iterator[None]:
        """Count a request of an application among those that wait, for the block."""
        self._waiting[client_id] += 1
        try:
            yield
        finally:
            self._waiting[client_id] -= 1

    def has_room(self, client_id: str) -> bool:
        """Return whether one more request of an application may wait."""
        return self._waiting[client_id] < MAX_WAITING and self._waiting.total() < 50 * MAX_WAITING

    async def read(
        self,
        client_id: str,
        after: int,
        limit: int,
        only: EventFilter,
        wait_seconds: float,
        disconnected: Callable[[], Awaitable[None]],
    ) -> tuple[list[NumberedEvent], int]:
        """Return at most `limit` events above `after` and the number to read on from.

        Without any it waits for `wait_seconds`, or until the caller disconnects. The number is that of the last event
        returned if there may be more; otherwise that of the last event there was when the read began, so that numbers of
        other owners are passed over.
        """
        until = asyncio.get_running_loop().time() + wait_seconds
        gone: asyncio.Future[object] | None = None
        try:
            with self.waiting(client_id):
                while True:
                    changed = self._changed
                    last = await self._store.last_event()
                    found = await self._store.events(client_id, after, limit, only)
                    left = until - asyncio.get_running_loop().time()
                    if found or left <= 0 or self.ending or (gone is not None and gone.done()):
                        return found, self._reached(found, after, last, limit)
                    after = max(after, last)
                    gone = gone or asyncio.ensure_future(disconnected())
                    await self._wait(changed, last, gone, left)
        finally:
            if gone is not None:
                gone.cancel()

    @staticmethod
    def _reached(found: list[NumberedEvent], after: int, last: int, limit: int) -> int:
        if len(found) == limit:
            return found[-1].number
        return max(after, last, found[-1].number if found else 0)

    async def _wait(self, changed: asyncio.Event, last: int, gone: asyncio.Future[object], seconds: float) -> None:
        """Wait until an event above `last` may be there, the caller has gone, or the seconds have passed."""
        self._last = max(self._last, last)
        if self._poll is None or self._poll.done():
            self._poll = asyncio.ensure_future(self._look())
        new: asyncio.Future[object] = asyncio.ensure_future(changed.wait())
        await asyncio.wait([new, gone], timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        new.cancel()

    async def _look(self) -> None:
        """Query once a second while anyone waits, and wake all when there are new events or the store fails."""
        while self._waiting.total() > 0:
            last = -1
            with suppress(Exception):
                last = await self._store.last_event()
            if last != self._last:
                self._last = last
                self._wake()
            await asyncio.sleep(POLL_SECONDS)

    def _wake(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def close(self) -> None:
        """End the queries."""
        if self._poll is not None:
            self._poll.cancel()
            with suppress(asyncio.CancelledError):
                await self._poll
