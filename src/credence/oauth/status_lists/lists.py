"""The status lists of one process: made when they are asked for, and kept for a while."""

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

LIFE = 30
"""Seconds for which a list is served as it is, and then for which a verifier may keep it (`ttl`, §5.1).

So whoever keeps to `ttl` knows of a revocation within twice that.
"""

GOOD_FOR = 600
"""Seconds until `exp`: so long a verifier that cannot reach us may go on with what it has (§13.7)."""

MOST_HELD = 16
"""Lists held in memory, at least; 500 kilobytes each in the worst case, mostly far less."""


@dataclass(frozen=True, slots=True)
class Made:
    """A list, and what it was made of."""

    sequence: int
    """Of the last change that it reflects."""
    blocks: range
    """The numbers it was made from."""
    status_list: StatusList
    kid: str
    at: Milliseconds
    token: bytes
    gzipped: bytes
    """The same as it should be sent to whoever takes it so (§8.2): base64url spends eight bits on six."""


class StatusLists:
    """Makes the lists of one authority."""

    def __init__(self) -> None:
        self._made: GenerationalCache[int, Made] = GenerationalCache(MOST_HELD)
        self._making = asyncio.Lock()

    async def made(self, authority: Authority, number: int, now: Milliseconds) -> Made | None:
        """Return the list with this number as it was at most `LIFE` ago; None when nobody holds a place of it.

        StoreUnavailable when the store cannot be asked.
        """
        await authority.follow(now)
        made = self._still_good(authority, number, now)
        if made is None:
            async with self._making:  # one at a time: whoever asks meanwhile finds it made
                made = self._still_good(authority, number, now) or await self._make(authority, number, now)
        return made

    def _still_good(self, authority: Authority, number: int, now: Milliseconds) -> Made | None:
        made = self._made.get(number)
        if made is None or not 0 <= now - made.at < LIFE * 1000 or made.kid not in authority.ring.verifying:
            return None
        return made

    async def _make(self, authority: Authority, number: int, now: Milliseconds) -> Made | None:
        blocks = blocks_of(number, await authority.store.status_block_numbers())
        if not blocks:
            return None
        before, sequence = self._made.get(number), authority.revocation_cache.sequence
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
            exp=iat + GOOD_FOR,
            ttl=LIFE,
            status_list=status_list,
        )
        token = encoding.sign_status_list(claims, key).encode()
        gzipped = await asyncio.to_thread(gzip.compress, token, mtime=0)
        made = Made(sequence, blocks, status_list, key.kid, now, token, gzipped)
        self._made.put(number, made)
        return made


def lists_of(blocks: range) -> range:
    """Return the numbers of the lists in which these blocks lie."""
    return range(blocks.start // BLOCKS_OF_LIST, (blocks.stop - 1) // BLOCKS_OF_LIST + 1) if blocks else range(0)


def blocks_of(number: int, held: range) -> range:
    """Return which of the blocks held lie in the list with this number."""
    first = number * BLOCKS_OF_LIST
    return range(max(first, held.start), min(first + BLOCKS_OF_LIST, held.stop))
