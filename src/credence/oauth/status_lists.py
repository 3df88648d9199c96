"""Status lists: one download informs a verifier elsewhere of all revocations (threats §7).

They follow draft-ietf-oauth-status-list; `docs/verifying.md` gives the version and the omissions. A list is created on
request and cached by each process. It is computed from the state that the bearer check reads and not updated by the code
that revokes, so it includes every way to revoke.
"""

import asyncio
import gzip
import zlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import msgspec

from credence.clock import Milliseconds
from credence.crypto import base64url
from credence.crypto.jws import SigningKey, sign
from credence.generational_cache import GenerationalCache
from credence.oauth.authority import Authority
from credence.oauth.liveness import liveness_error
from credence.oauth.tokens import status_claim
from credence.oauth.tokens.access_token import family_sid
from credence.oauth.tokens.status_claim import BLOCKS_OF_LIST, PLACES_OF_BLOCK, PLACES_OF_LIST, uri
from credence.store.contract import Store
from credence.store.records import Account, Application, StatusBlock
from credence.store.revocation_cache import RevocationCache

BLOCKS_PER_SLICE = 128
"""Blocks that are checked between two pauses, in one or two milliseconds."""

PAUSE_SECONDS = 0.002
"""Pause between slices. The lists are public; a caller that requests many of them gets at most half of a process."""


@dataclass(frozen=True, slots=True)
class _Revoked:
    """Access tokens that were revoked one by one."""

    places: list[int] = field(default_factory=list)
    """Places of tokens without a family."""
    generations: dict[str, list[int]] = field(default_factory=dict)
    """`sid` of a family -> generations of its revoked tokens."""


async def derive(store: Store, revocation_cache: RevocationCache, number: int, blocks: range) -> bytearray:
    """Return the bits of list `number`, which consists of the blocks numbered `blocks`. Later changes may be included.

    Raises StoreUnavailable when the store cannot be read.
    """
    bits, first = all_valid(), number * BLOCKS_OF_LIST
    revoked = await asyncio.to_thread(_by_kind, revocation_cache.revoked())
    for place in revoked.places:
        if place // PLACES_OF_LIST == number:
            invalidate(bits, place % PLACES_OF_LIST)
    for start in range(blocks.start, blocks.stop, BLOCKS_PER_SLICE):
        some = await store.status_blocks(start, min(start + BLOCKS_PER_SLICE, blocks.stop) - 1)
        parties = {client_id for _, block in some for client_id in block.client_id.split(" ")}
        applications = {client_id: await revocation_cache.application(client_id) for client_id in parties}
        usernames = {block.username for _, block in some if block.username}
        accounts = await _accounts(store, revocation_cache, usernames)
        for each, block in some:
            index = (each - first) * PLACES_OF_BLOCK
            sid = family_sid(block.family_id) if block.family_id else ""
            if revocation_cache.is_revoked(sid) or _is_invalid(block, applications, accounts):
                invalidate_block(bits, index)
            elif " " not in block.client_id:  # revoking a token does not revoke the tokens from which it was exchanged
                for generation in revoked.generations.get(sid, ()):
                    invalidate(bits, index + status_claim.of_generation(0, generation))
        await asyncio.sleep(PAUSE_SECONDS)
    return bits


def _by_kind(subjects: Collection[str]) -> _Revoked:
    """Return the revoked tokens. Whole families, and tokens without a place, are left out."""
    revoked = _Revoked()
    for subject in subjects:
        place = status_claim.of_token_id(subject)
        if place is not None:
            revoked.places.append(place)
            continue
        sid, dot, generation = subject.partition(".")
        if dot:
            revoked.generations.setdefault(sid, []).append(int(generation))
    return revoked


async def _accounts(store: Store, revocation_cache: RevocationCache, usernames: Collection[str]) -> dict[str, Account]:
    """Return the accounts with these names that exist.

    An account outside the cache is read from the store and not cached: a list names more accounts than are in use, and
    would evict those that are.
    """
    found = {name: account for name in usernames if (account := revocation_cache.cached_account(name)) is not None}
    others = [name for name in usernames if name not in found]
    if others:
        found |= {account.username: account for account in await store.accounts_named(others)}
    return found


def _is_invalid(
    block: StatusBlock, applications: Mapping[str, Application | None], accounts: Mapping[str, Account]
) -> bool:
    """Return whether `bearer.check` refuses every token of the block because of the state of its owners.

    A token issued after the `not_before` of its owners never has a place in a block that was opened before that instant.
    """
    first, *others = [applications[client_id] for client_id in block.client_id.split(" ")]
    opened_at = block.opened_at // 1000 * 1000
    lapsed = liveness_error(
        first,
        accounts.get(block.username),
        issued_at=opened_at,
        logged_in_at=opened_at,
        for_account=bool(block.username),
        exchanged_through=others,
    )
    return lapsed is not None


TYPE = "statuslist+jwt"
MEDIA_TYPE = f"application/{TYPE}"

_OCTETS_OF_BLOCK = PLACES_OF_BLOCK // 8
_BLOCK_OF_INVALID = b"\xff" * _OCTETS_OF_BLOCK


class StatusList(msgspec.Struct, frozen=True):
    """One bit for each token: 0 is valid, 1 is invalid (§4.2, §7.1)."""

    bits: int
    lst: str


class Claims(msgspec.Struct, frozen=True):
    """The claims of a Status List Token (§5.1); times are in seconds."""

    iss: str
    sub: str
    iat: int
    exp: int
    ttl: int
    status_list: StatusList


def all_valid() -> bytearray:
    """Return a list in which every token is valid. An unused place has the same bit as a valid token."""
    return bytearray(PLACES_OF_LIST // 8)


def invalidate(bits: bytearray, index: int) -> None:
    """Mark one token as invalid. The lowest index of an octet is its least significant bit (§4)."""
    bits[index >> 3] |= 1 << (index & 7)


def invalidate_block(bits: bytearray, index: int) -> None:
    """Mark all tokens of the block that begins at `index` as invalid."""
    start = index >> 3
    bits[start : start + _OCTETS_OF_BLOCK] = _BLOCK_OF_INVALID


def compressed(bits: bytearray) -> StatusList:
    """Return the bits compressed by DEFLATE in ZLIB format, at the highest level (§4.1). Takes milliseconds."""
    return StatusList(1, base64url.encode(zlib.compress(bits, 9)))


def sign_status_list(claims: Claims, key: SigningKey) -> str:
    """Return the signed Status List Token with these claims."""
    return sign(key, TYPE, msgspec.json.encode(claims))


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
            status_list = await asyncio.to_thread(compressed, bits)
        settings, key, iat = authority.settings, authority.signing_key(None), now // 1000
        claims = Claims(
            iss=settings.issuer,
            sub=uri(settings.issuer, number),
            iat=iat,
            exp=iat + EXPIRES_AFTER_SECONDS,
            ttl=TTL_SECONDS,
            status_list=status_list,
        )
        token = sign_status_list(claims, key).encode()
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
