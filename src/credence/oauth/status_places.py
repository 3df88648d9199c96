"""Reserves places in the status lists: a block for each family, and single places for tokens without a family."""

import asyncio
from collections import deque
from dataclasses import dataclass, field

import msgspec

from credence.clock import Milliseconds
from credence.crypto import base64url
from credence.generational_cache import GenerationalCache
from credence.oauth.tokens import status_claim
from credence.oauth.tokens.access_token import Claims, parties
from credence.oauth.tokens.status_claim import PLACES_OF_BLOCK
from credence.store.contract import Store
from credence.store.records import StatusBlock, TokenFamily
from credence.store.revocation_cache import RevocationCache
from credence.token_lifetime_limits import MAX_ACCESS_TOKEN_SECONDS

MAX_BLOCKS_PER_WRITE = 64
"""Blocks that one write reserves at most: under load, about one token in a thousand waits for the disk."""

BLOCK_LIFETIME_MS = 2 * MAX_ACCESS_TOKEN_SECONDS * 1000
"""How long a block is stored. Only tokens issued in the first half of this time use it."""

MAX_ENTRIES = 5_000
"""Holders in each of the two generations of the cache. The free places of an evicted holder stay unused."""


@dataclass(frozen=True, slots=True)
class Holder:
    """The owners whose state decides on all tokens of a block. Two holders never share a block."""

    client_id: str
    """The applications whose end ends the tokens, separated by spaces as in `StatusBlock`."""
    username: str
    """The account of the tokens; empty when the application got them for itself."""
    family_id: bytes
    """The token family whose end ends the tokens; empty for none."""
    not_before: Milliseconds
    """The latest `not_before` of these owners.

    Tokens after a change of it get new blocks, because earlier blocks are invalid.
    """


@dataclass(slots=True)
class _Free:
    """The unused places of one holder: in the first block those from `used` on, in the others all."""

    blocks: deque[tuple[int, Milliseconds]] = field(default_factory=deque)
    """The number of each block, and when it expires."""
    used: int = 0
    ahead: int = 1
    """How many blocks the next write reserves. Doubles each time, so that a holder with few tokens wastes few places."""
    opening: asyncio.Lock = field(default_factory=asyncio.Lock)


class StatusPlaces:
    """The places in the status lists that this process has reserved and not yet given to a token."""

    def __init__(self) -> None:
        self._free: GenerationalCache[Holder, _Free] = GenerationalCache(MAX_ENTRIES)

    async def take(self, store: Store, holder: Holder, issued_at: int, expires_at: int) -> int:
        """Return a place that no other token has; times in seconds. Raises StoreUnavailable if none could be reserved."""
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
    until = opened_at + BLOCK_LIFETIME_MS
    block = StatusBlock(holder.client_id, holder.username, holder.family_id, opened_at, until)
    numbers = await store.open_status_blocks(block, free.ahead)
    free.blocks.extend((number, until) for number in numbers)
    free.ahead = min(2 * free.ahead, MAX_BLOCKS_PER_WRITE)


async def with_block(store: Store, family: TokenFamily) -> TokenFamily:
    """Return a new family with a block for its tokens; raises StoreUnavailable if none could be reserved."""
    until = family.expires_at + MAX_ACCESS_TOKEN_SECONDS * 1000
    block = StatusBlock(family.client_id, family.username, family.id, family.created_at, until)
    (number,) = await store.open_status_blocks(block, 1)
    return msgspec.structs.replace(family, status_block=number)


async def with_place(store: Store, revocation_cache: RevocationCache, free: StatusPlaces, claims: Claims) -> Claims:
    """Return the claims of a new token without a family, with a place.

    Raises StoreUnavailable if none could be reserved.
    """
    holder = await _holder(revocation_cache, claims)
    place = await free.take(store, holder, claims.iat, claims.exp)
    status = status_claim.claim(claims.iss, place)
    return msgspec.structs.replace(claims, jti=status_claim.with_place(claims.jti, place), status=status)


async def _holder(revocation_cache: RevocationCache, claims: Claims) -> Holder:
    found = [await revocation_cache.application(client_id) for client_id in parties(claims)]
    not_befores = [application.not_before for application in found if application is not None]
    username = ""
    if claims.speaks_for_account:
        username = claims.sub
        account = await revocation_cache.account(username)
        not_befores += [account.not_before] if account is not None else []
    family_id = base64url.decode(claims.sid) if claims.sid is not None else b""
    return Holder(" ".join(parties(claims)), username, family_id, max(not_befores, default=0))
