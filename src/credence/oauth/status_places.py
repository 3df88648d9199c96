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


async def with_block(store: Store, family: TokenFamily) -> TokenFamily:
    """Return a family that is about to be opened, with a block for its tokens; StoreUnavailable when there is none."""
    until = family.expires_at + MAX_ACCESS_TOKEN_SECONDS * 1000
    block = StatusBlock(family.client_id, family.username, family.id, family.created_at, until)
    (number,) = await store.open_status_blocks(block, 1)
    return msgspec.structs.replace(family, status_block=number)


async def with_place(store: Store, revocation_cache: RevocationCache, free: StatusPlaces, claims: Claims) -> Claims:
    """Return what a token that is no family's own is about to say, with its place; StoreUnavailable when there is none."""
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
