"""The status lists of one process: made when they are asked for, and kept for a while."""

import asyncio
from dataclasses import dataclass

from credence.clock import Milliseconds
from credence.oauth.authority import Authority
from credence.oauth.status import encoding
from credence.oauth.status.derivation import derive
from credence.oauth.status.encoding import Claims, StatusList
from credence.oauth.status.places import BLOCKS_OF_LIST, uri
from credence.recent import Recent

LIFE = 30
"""Seconds for which a list is served as it is, and then for which a verifier may keep it (`ttl`, §5.1).

So whoever keeps to `ttl` knows of a revocation within twice that.
"""

GOOD_FOR = 600
"""Seconds until `exp`: so long a verifier that cannot reach us may go on with what it has (§13.7)."""

MOST_HELD = 16
"""Lists held in memory, at least; 350 kilobytes each in the worst case, mostly far less."""


@dataclass(frozen=True, slots=True)
class _Made:
    """A list, and what it was made of."""

    sequence: int
    """Of the last change that it reflects."""
    blocks: range
    """The numbers it was made from."""
    status_list: StatusList
    kid: str
    at: Milliseconds
    token: bytes


class StatusLists:
    """Makes the lists of one authority."""

    def __init__(self) -> None:
        self._made: Recent[int, _Made] = Recent(MOST_HELD)
        self._making = asyncio.Lock()

    async def token(self, authority: Authority, number: int, now: Milliseconds) -> bytes | None:
        """Return the Status List Token of the list with this number, at most `LIFE` old; None when nobody holds a place.

        StoreUnavailable when the store cannot be asked.
        """
        made = self._still_good(authority, number, now)
        if made is None:
            async with self._making:  # one at a time: whoever asks meanwhile finds it made
                made = self._still_good(authority, number, now) or await self._make(authority, number, now)
        return made.token if made is not None else None

    def _still_good(self, authority: Authority, number: int, now: Milliseconds) -> _Made | None:
        made = self._made.get(number)
        if made is None or not 0 <= now - made.at < LIFE * 1000 or made.kid not in authority.ring.verifying:
            return None
        return made

    async def _make(self, authority: Authority, number: int, now: Milliseconds) -> _Made | None:
        blocks = blocks_of(number, await authority.store.status_block_numbers())
        if not blocks:
            return None
        await authority.follow(now)
        before, sequence = self._made.get(number), authority.mirror.sequence
        if before is not None and (before.sequence, before.blocks) == (sequence, blocks):
            status_list = before.status_list
        else:
            bits = await derive(authority.store, authority.mirror, number, blocks)
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
        made = _Made(sequence, blocks, status_list, key.kid, now, encoding.written(claims, key).encode())
        self._made.put(number, made)
        return made


def lists_of(blocks: range) -> range:
    """Return the numbers of the lists in which these blocks lie."""
    return range(blocks.start // BLOCKS_OF_LIST, (blocks.stop - 1) // BLOCKS_OF_LIST + 1) if blocks else range(0)


def blocks_of(number: int, held: range) -> range:
    """Return which of the blocks held lie in the list with this number."""
    first = number * BLOCKS_OF_LIST
    return range(max(first, held.start), min(first + BLOCKS_OF_LIST, held.stop))
