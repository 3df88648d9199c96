"""Hands out the places of tokens that belong to no login, one after another, from blocks opened ahead."""

import asyncio
from collections import deque
from dataclasses import dataclass, field

from credence.clock import Milliseconds
from credence.generational_cache import GenerationalCache
from credence.oauth.status_lists.places import PLACES_OF_BLOCK
from credence.store.contract import Store
from credence.store.records import StatusBlock
from credence.token_lifetimes import MAX_ACCESS_TOKEN_SECONDS

MOST_AHEAD = 64
"""Blocks opened by one write, at most: of many tokens for one application one in a thousand waits for the disk."""

BLOCK_LIFE = 2 * MAX_ACCESS_TOKEN_SECONDS * 1000
"""Milliseconds for which a block is kept; any token may take a place in the first half of them."""

MOST_HELD = 5_000
"""Holders whose free places are remembered, at least. Those of one forgotten are lost, and nothing else is."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Whose state decides about the tokens of a block. Two holders never share one."""

    client_id: str
    """Of every application that can end them, as `StatusBlock` has it."""
    username: str
    """The account they speak for; empty where the application speaks for itself."""
    family_id: bytes
    """The login whose end ends them; empty for none."""
    not_before: Milliseconds
    """The latest `not_before` of all these: a block from before it is dead, so another must be opened."""


@dataclass(slots=True)
class _Free:
    """What one holder has left: of the first block the places from `used` on, and the others whole."""

    blocks: deque[tuple[int, Milliseconds]] = field(default_factory=deque)
    """Number, and until when it is kept."""
    used: int = 0
    ahead: int = 1
    """How many to open next time; it doubles, so that one who asks seldom wastes little."""
    opening: asyncio.Lock = field(default_factory=asyncio.Lock)


class StatusPlaces:
    """The free places of one process."""

    def __init__(self) -> None:
        self._free: GenerationalCache[Holder, _Free] = GenerationalCache(MOST_HELD)

    async def take(self, store: Store, holder: Holder, issued_at: int, expires_at: int) -> int:
        """Return a place that no other token has or will have; times in seconds. StoreUnavailable when there is none."""
        free = self._free.get(holder)
        if free is None:
            free = _Free()
            self._free.put(holder, free)
        while True:
            place = _next(free, expires_at * 1000)
            if place is not None:
                return place
            async with free.opening:
                if not free.blocks:
                    await _open(store, holder, free, issued_at * 1000)


def _next(free: _Free, expires_at: Milliseconds) -> int | None:
    while free.blocks:
        number, until = free.blocks[0]
        if free.used < PLACES_OF_BLOCK and expires_at <= until:
            free.used += 1
            return number * PLACES_OF_BLOCK + free.used - 1
        free.blocks.popleft()
        free.used = 0
    return None


async def _open(store: Store, holder: Holder, free: _Free, opened_at: Milliseconds) -> None:
    until = opened_at + BLOCK_LIFE
    block = StatusBlock(holder.client_id, holder.username, holder.family_id, opened_at, until)
    numbers = await store.open_status_blocks(block, free.ahead)
    free.blocks.extend((number, until) for number in numbers)
    free.ahead = min(2 * free.ahead, MOST_AHEAD)
