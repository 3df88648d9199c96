"""Revocation of a refresh or access token (spec §1.3, §3.4, §4.2, §5.7, D11, RFC 7009).

Revoking a refresh token ends its family; revoking an access token ends only that token. An unknown or expired token, or one
of another application, has no effect and gets the same answer, so that the answer reveals nothing.
"""

from credence.clock import Milliseconds
from credence.crypto.jws import InvalidSignature
from credence.identity.applications import application_time, refresh_token_owner
from credence.oauth.authority import Authority
from credence.oauth.tokens import access_token
from credence.oauth.tokens.verified_tokens import genuine_claims
from credence.store.records import Application
from credence.token_lifetime_limits import MAX_ACCESS_TOKEN_SECONDS


async def revoke(authority: Authority, application: Application, token: str, now: Milliseconds) -> bool:
    """Revoke the token; raise StoreUnavailable when that could not be made durable (threats L4).

    Returns whether it was a token of this application that had not expired.
    """
    refresh = authority.refresh_tokens.read(refresh_token_owner(application), token)
    if refresh is not None:
        await end_family(authority, refresh.family_id, now, "revoked")
        return True
    try:
        claims = genuine_claims(authority.ring.verifying, token)
    except InvalidSignature:
        return False
    if claims.client_id != application.client_id or application_time(application, now) >= claims.exp * 1000:
        return False
    await authority.store.revoke_token(claims.jti, claims.exp * 1000)
    authority.revocation_cache.mark_revoked(claims.jti, claims.exp * 1000)
    return True


async def end_family(authority: Authority, family_id: bytes, now: Milliseconds, because: str) -> None:
    """End a token family and revoke its tokens, at once in this process."""
    await authority.store.end_family(family_id, now, because)
    authority.revocation_cache.mark_revoked(access_token.family_sid(family_id), now + MAX_ACCESS_TOKEN_SECONDS * 1000)
