"""The status lists of one process: created on request and cached."""

import asyncio
import gzip
from dataclasses import dataclass

from credence.clock import Milliseconds
from credence.generational_cache import GenerationalCache
from credence.oauth.authority import Authority
from credence.oauth.status_lists import encoding
from credence.oauth.status_lists.derivation import derive
from credence.oauth.status_lists.encoding import Claims, StatusList
from credence.oauth.tokens.status_claim import BLOCKS_OF_LIST, uri

TTL_SECONDS = 30
"""How long a list is served from the cache, and how long a verifier may then keep it (`ttl`, §5.1).

A verifier that honours `ttl` learns of a revocation within twice this time.
"""

EXPIRES_AFTER_SECONDS = 600
"""The lifetime of a list from `iat` to `exp`, for a verifier that cannot fetch a newer one (§13.7)."""

MAX_ENTRIES = 16
"""Lists in each of the two generations of the cache: at most 500 kilobytes each, usually far less."""


@dataclass(frozen=True, slots=True)
class CachedList:
    """A signed list, and the state from which it was created."""

    sequence: int
    """The number of the last change that it includes."""
    blocks: range
    """The numbers of its blocks."""
    status_list: StatusList
    kid: str
    created_at: Milliseconds
    token: bytes
    gzipped: bytes
    """The token compressed for clients that accept gzip (§8.2), because base64url uses eight bits for six."""


class StatusLists:
    """Creates and caches the lists of one authority."""

    def __init__(self) -> None:
        self._cache: GenerationalCache[int, CachedList] = GenerationalCache(MAX_ENTRIES)
        self._creating = asyncio.Lock()

    async def current(self, authority: Authority, number: int, now: Milliseconds) -> CachedList | None:
        """Return list `number`, at most `TTL_SECONDS` old; None when no token has a place in it.

        Raises StoreUnavailable when the store cannot be read.
        """
        await authority.follow(now)
        found = self._cached(authority, number, now)
        if found is None:
            async with self._creating:  # one at a time: requests that wait here then find the list in the cache
                found = self._cached(authority, number, now) or await self._create(authority, number, now)
        return found

    def _cached(self, authority: Authority, number: int, now: Milliseconds) -> CachedList | None:
        found = self._cache.get(number)
        if found is None or not 0 <= now - found.created_at < TTL_SECONDS * 1000:
            return None
        return found if found.kid in authority.ring.verifying else None

    async def _create(self, authority: Authority, number: int, now: Milliseconds) -> CachedList | None:
        blocks = blocks_of(number, await authority.store.status_block_numbers())
        if not blocks:
            return None
        before, sequence = self._cache.get(number), authority.revocation_cache.sequence
        if before is not None and (before.sequence, before.blocks) == (sequence, blocks):
            status_list = before.status_list
        else:
            bits = await derive(authority.store, authority.revocation_cache, number, blocks)
            status_list = await asyncio.to_thread(encoding.compressed, bits)
        settings, key, iat = authority.settings, authority.signing_key(None), now // 1000
        claims = Claims(
            iss=settings.issuer,
            sub=uri(settings.issuer, number),
            iat=iat,
            exp=iat + EXPIRES_AFTER_SECONDS,
            ttl=TTL_SECONDS,
            status_list=status_list,
        )
        token = encoding.sign_status_list(claims, key).encode()
        gzipped = await asyncio.to_thread(gzip.compress, token, mtime=0)
        created = CachedList(sequence, blocks, status_list, key.kid, now, token, gzipped)
        self._cache.put(number, created)
        return created


def lists_of(blocks: range) -> range:
    """Return the numbers of the lists that contain these blocks."""
    return range(blocks.start // BLOCKS_OF_LIST, (blocks.stop - 1) // BLOCKS_OF_LIST + 1) if blocks else range(0)


def blocks_of(number: int, stored: range) -> range:
    """Return which of the stored blocks belong to list `number`."""
    first = number * BLOCKS_OF_LIST
    return range(max(first, stored.start), min(first + BLOCKS_OF_LIST, stored.stop))
