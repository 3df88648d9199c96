"""Frees what nothing can depend on any more, and decides nothing: expiry is judged at each read (threats L11).

In small pieces with pauses between, so that the writes beside it hardly wait, and until nothing is left, so that it keeps up
with whatever comes in.
"""

import asyncio

from credence.clock import Milliseconds
from credence.store.contract import Store

PIECE = 1_000
"""Rows."""

REST = 4
"""A pause is so many times as long as the piece before it: four fifths of the time belong to the others."""


class Sweeper:
    """Sweeps one store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._done: float | None = None

    async def sweep(self, now: Milliseconds) -> int:
        """Free all that may go at this instant and return how many rows went."""
        loop = asyncio.get_running_loop()
        self._done = self._done or loop.time()
        freed = 0
        while True:
            began = loop.time()
            piece = await self._store.sweep(now, PIECE)
            freed += piece
            if piece < PIECE:
                self._done = loop.time()
                return freed
            await asyncio.sleep((loop.time() - began) * REST)

    def behind(self, now: float) -> float | None:
        """Return the seconds since nothing was left to free, `now` being of the loop's clock; None before the first look."""
        return None if self._done is None else now - self._done
