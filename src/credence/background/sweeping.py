"""Deletes expired rows of the store. No decision depends on it: every read checks the expiry itself (threats L11).

It deletes in small batches with pauses in between, so that other writes hardly wait, and continues until no expired row is
left, so that it keeps up with new ones.
"""

import asyncio

from credence.clock import Milliseconds
from credence.store.contract import Store

BATCH_ROWS = 1_000

PAUSE_FACTOR = 4
"""A pause is four times as long as the batch before it, so that other writes get four fifths of the time."""


class Sweeper:
    """Sweeps one store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._done: float | None = None

    async def sweep(self, now: Milliseconds) -> int:
        """Delete every row that has expired at `now` and return how many were deleted. Raises StoreUnavailable."""
        loop = asyncio.get_running_loop()
        self._done = self._done or loop.time()
        total = 0
        while True:
            began = loop.time()
            deleted = await self._store.sweep(now, BATCH_ROWS)
            total += deleted
            if deleted < BATCH_ROWS:
                self._done = loop.time()
                return total
            await asyncio.sleep((loop.time() - began) * PAUSE_FACTOR)

    def behind(self, now: float) -> float | None:
        """Return the seconds since no expired row was left, by the loop's clock; None before the first sweep."""
        return None if self._done is None else now - self._done
