"""The feed of events: reads events after a number, and waits for new ones.

All waiting requests of a process share one query of the store.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress

from credence.store.contract import Store
from credence.store.events import EventFilter, NumberedEvent

POLL_SECONDS = 1.0
"""The interval of queries for the number of the last event, while any request waits."""

MAX_WAIT_SECONDS = 20
"""The maximum duration of a waiting request and of a stream."""

MAX_WAITING = 10
"""Waiting requests of one application in one process; all applications together have fifty times as many."""


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
        """Whether the process is stopping, so that no request waits any longer."""

    def end(self) -> None:
        """Answer every waiting request at once, and let none wait from now on, because the process is stopping."""
        self.ending = True
        self.ended.set()
        self._wake()

    @contextmanager
    def waiting(self, client_id: str) -> Iterator[None]:
        """Count one long-polling request of this application while the `with` block runs."""
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
        """Return at most `limit` events above `after`, and the number to continue from.

        If there is no such event, waits for `wait_seconds`, or until the caller disconnects. If there may be more events,
        the number is that of the last one returned; otherwise it is the highest number at the start of the read, so that
        events of other owners are skipped.
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
        """Wait until there may be an event above `last`, the caller has disconnected, or `seconds` have passed."""
        self._last = max(self._last, last)
        if self._poll is None or self._poll.done():
            self._poll = asyncio.ensure_future(self._look())
        new: asyncio.Future[object] = asyncio.ensure_future(changed.wait())
        await asyncio.wait([new, gone], timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        new.cancel()

    async def _look(self) -> None:
        """Query once a second while any request waits; wake all of them if there are new events or the store fails."""
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
        """Stop reading new events from the store."""
        if self._poll is not None:
            self._poll.cancel()
            with suppress(asyncio.CancelledError):
                await self._poll
