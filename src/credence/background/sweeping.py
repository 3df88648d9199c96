"""Deletes expired rows from the store. No decision depends on it: every read checks expiry itself (threats L11).

Rows are deleted in small batches with pauses, so that other writes hardly wait, and until none is left, so that
deletion keeps up with new rows.
"""

import asyncio

from credence.clock import Milliseconds
from credence.store.contract import Store

BATCH_ROWS = 1_000

PAUSE_FACTOR = 4
"""A pause lasts this many times as long as the batch before it, which leaves four fifths of the time to other writes."""


class Sweeper:
    """Deletes the expired rows of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._finished_at: float | None = None

    async def sweep(self, now: Milliseconds | None) -> int:
        """Delete all rows that have expired at this instant and return how many; delete none if `now` is None."""
        loop = asyncio.get_running_loop()
        self._finished_at = self._finished_at or loop.time()
        deleted = 0
        while now is not None:
            began = loop.time()
            batch = await self._store.sweep(now, BATCH_ROWS)
            deleted += batch
            if batch < BATCH_ROWS:
                self._finished_at = loop.time()
                return deleted
            await asyncio.sleep((loop.time() - began) * PAUSE_FACTOR)
        return deleted

    def lag_seconds(self, now: float) -> float | None:
        """Return the seconds since the store last had no expired row; None before the first sweep.

        `now` is the loop's time.
        """
        return None if self._finished_at is None else now - self._finished_at
