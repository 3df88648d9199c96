"""Gives tokens their places in the status lists, where the service keeps such lists: what every grant calls."""

import msgspec

from credence.crypto import base64url
from credence.oauth.authority import Authority
from credence.oauth.status_lists import places
from credence.oauth.status_lists.allocation import Holder
from credence.oauth.tokens.access_token import Claims, parties
from credence.store.records import StatusBlock, TokenFamily
from credence.store.revocation_cache import RevocationCache
from credence.token_lifetimes import MAX_ACCESS_TOKEN_SECONDS


async def with_places(authority: Authority, family: TokenFamily) -> TokenFamily:
    """Return a family that is about to be opened, with a block for its tokens; StoreUnavailable when there is none."""
    if not authority.settings.status_list:
        return family
    until = family.expires_at + MAX_ACCESS_TOKEN_SECONDS * 1000
    block = StatusBlock(family.client_id, family.username, family.id, family.created_at, until)
    (number,) = await authority.store.open_status_blocks(block, 1)
    return msgspec.structs.replace(family, status_block=number)


async def with_place(authority: Authority, claims: Claims) -> Claims:
    """Return what a token that is no family's own is about to say, with its place; StoreUnavailable when there is none."""
    if not authority.settings.status_list:
        return claims
    holder = await _holder(authority.revocation_cache, claims)
    place = await authority.status_places.take(authority.store, holder, claims.iat, claims.exp)
    status = places.claim(claims.iss, place)
    return msgspec.structs.replace(claims, jti=places.with_place(claims.jti, place), status=status)


async def _holder(revocation_cache: RevocationCache, claims: Claims) -> Holder:
    found = [await revocation_cache.application(client_id) for client_id in parties(claims)]
    cut_offs = [application.not_before for application in found if application is not None]
    username = ""
    if claims.speaks_for_account:
        username = claims.sub
        account = await revocation_cache.account(username)
        cut_offs += [account.not_before] if account is not None else []
    family_id = base64url.decode(claims.sid) if claims.sid is not None else b""
    return Holder(" ".join(parties(claims)), username, family_id, max(cut_offs, default=0))
