"""Finds out which tokens of a list are dead, from the state that the bearer check looks at (threats §7).

Nothing feeds a list: it is derived. So no way to revoke can be forgotten, and none needs to know of lists.
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

SLICE = 128
"""Blocks looked at before others get their turn: a millisecond or two."""

PAUSE = 0.002
"""Seconds until the next slice: whoever asks for many lists, and anybody may, takes half of a process at most."""


@dataclass(frozen=True, slots=True)
class _Revoked:
    """Access tokens that were revoked one by one."""

    places: list[int] = field(default_factory=list)
    """Of tokens that are no family's own."""
    generations: dict[str, list[int]] = field(default_factory=dict)
    """Of a family's own tokens, by `sid`."""


async def derive(store: Store, revocation_cache: RevocationCache, number: int, blocks: range) -> bytearray:
    """Return the bits of a list, as of when this was asked or later; its blocks have these numbers.

    StoreUnavailable when the store cannot be asked.
    """
    bits, first = all_valid(), number * BLOCKS_OF_LIST
    revoked = await asyncio.to_thread(_sorted_out, revocation_cache.revoked())
    for place in revoked.places:
        if place // PLACES_OF_LIST == number:
            invalidate(bits, place % PLACES_OF_LIST)
    for start in range(blocks.start, blocks.stop, SLICE):
        some = await store.status_blocks(start, min(start + SLICE, blocks.stop) - 1)
        parties = {client_id for _, block in some for client_id in block.client_id.split(" ")}
        applications = {client_id: await revocation_cache.application(client_id) for client_id in parties}
        usernames = {block.username for _, block in some if block.username}
        accounts = await _accounts(store, revocation_cache, usernames)
        for each, block in some:
            index = (each - first) * PLACES_OF_BLOCK
            sid = family_sid(block.family_id) if block.family_id else ""
            if revocation_cache.is_revoked(sid) or _is_dead(block, applications, accounts):
                invalidate_block(bits, index)
            elif " " not in block.client_id:  # the revocation of one token does not reach those it was exchanged for
                for generation in revoked.generations.get(sid, ()):
                    invalidate(bits, index + status_claim.of_generation(0, generation))
        await asyncio.sleep(PAUSE)
    return bits


def _sorted_out(subjects: Collection[str]) -> _Revoked:
    """Sort token ids by their kinds; what is neither is a family, or a token without a place."""
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
    """Return those of these accounts that there are.

    What is not in memory is read beside it: a list names more accounts than are in use, and must not push those out.
    """
    held = {name: account for name in usernames if (account := revocation_cache.cached_account(name)) is not None}
    others = [name for name in usernames if name not in held]
    if others:
        held |= {account.username: account for account in await store.accounts_named(others)}
    return held


def _is_dead(
    block: StatusBlock, applications: Mapping[str, Application | None], accounts: Mapping[str, Account]
) -> bool:
    """Tell whether `bearer.check` refuses whatever holds a place of the block, for the state of its owners.

    After a cut-off blocks are opened anew, so one from before it holds only tokens from before it.
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
