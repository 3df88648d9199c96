"""Computes which tokens of a status list are invalid, from the state that the bearer check reads (threats §7).

A list is computed from that state and not updated by the code that revokes, so it includes every way to revoke.
"""

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from credence.oauth.liveness import liveness_error
from credence.oauth.status_lists.encoding import all_valid, invalidate, invalidate_block
from credence.oauth.tokens import status_claim
from credence.oauth.tokens.access_token import family_sid
from credence.oauth.tokens.status_claim import BLOCKS_OF_LIST, PLACES_OF_BLOCK, PLACES_OF_LIST
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
