"""Shows the content of a token and whether it is valid, for command line and console (D6, D7, D11)."""

from typing import NamedTuple

import msgspec

from credence.clock import Milliseconds
from credence.crypto.jws import InvalidSignature
from credence.errors import InvalidInput
from credence.identity.applications import application_time, refresh_token_owner
from credence.management.instants import instant
from credence.oauth import bearer
from credence.oauth.authority import Authority
from credence.oauth.family_life import transition
from credence.oauth.liveness import liveness_error
from credence.oauth.tokens.access_token import Claims
from credence.oauth.tokens.refresh_token import RefreshTokenClaims
from credence.oauth.tokens.verified_tokens import KeyRevoked, genuine_claims
from credence.refusals.refusal import Refused
from credence.store.records import TokenFamily


class ForeignToken(InvalidInput):
    """The text is not a token of this deployment."""


class ExpiredToken(InvalidInput):
    """The refresh token has expired, and its family is deleted."""


async def inspected(authority: Authority, token: str, now: Milliseconds) -> dict[str, object]:
    """Return the claims of a token and its state; raises ForeignToken for other text."""
    presented, family = await _refresh_token(authority, token)
    if presented is not None:
        return await _described_refresh(authority, presented, family, now)
    claims = _claims(authority, token)
    return {"state": await _state(authority, token, now), **msgspec.structs.asdict(claims)}


class TokenOwner(NamedTuple):
    """Whose a token is."""

    client_id: str
    username: str
    is_valid: bool
    """Whether it can still be revoked: it has neither expired nor been revoked."""


async def owner_of(authority: Authority, token: str, now: Milliseconds) -> TokenOwner:
    """Return whose a token is; raises ForeignToken, ExpiredToken."""
    presented, family = await _refresh_token(authority, token)
    if presented is None:
        claims = _claims(authority, token)
        is_valid = await _state(authority, token, now) not in {"revoked", "expired"}
        return TokenOwner(claims.client_id, claims.sub, is_valid)
    if family is None:
        raise ExpiredToken("This refresh token has expired.")
    return TokenOwner(family.client_id, family.username, family.ended_at is None)


async def _refresh_token(authority: Authority, token: str) -> tuple[RefreshTokenClaims | None, TokenFamily | None]:
    """Return the claims of a refresh token and its family, None if it was deleted; (None, None) for other text."""
    presented = authority.refresh_tokens.unverified(token)
    family = await authority.store.family(presented.family_id) if presented else None
    application = await authority.revocation_cache.application(family.client_id) if family is not None else None
    if application is not None and authority.refresh_tokens.read(refresh_token_owner(application), token) is None:
        raise ForeignToken("This is not a token of this deployment.")
    return presented, family


def _claims(authority: Authority, token: str) -> Claims:
    try:
        return genuine_claims(authority.ring.verifying, token, authority.ring.revoked)
    except KeyRevoked:
        raise ForeignToken("The key that signed this token was revoked: the token is refused.") from None
    except InvalidSignature:
        raise ForeignToken("This is not a token of this deployment.") from None


async def _state(authority: Authority, token: str, now: Milliseconds) -> str:
    """Return `valid`, or the reason for which the API refuses the token."""
    try:
        await bearer.check(authority, token, now)
    except Refused as refused:
        return refused.reason.removeprefix("token.")
    return "valid"


async def _described_refresh(
    authority: Authority, presented: RefreshTokenClaims, family: TokenFamily | None, now: Milliseconds
) -> dict[str, object]:
    if family is None:
        return {"state": "expired"}
    application = await authority.revocation_cache.application(family.client_id)
    account = await authority.revocation_cache.account(family.username)
    now = now if application is None else application_time(application, now)
    lapsed = liveness_error(application, account, issued_at=family.created_at, logged_in_at=family.created_at)
    window = authority.settings.refresh_retry_window_seconds
    found = transition(
        family, presented.generation, now, retry_window_seconds=window, before_not_before=lapsed == "before_not_before"
    )
    state = lapsed if lapsed in {"application_disabled", "account_not_active"} else found.reason or "valid"
    return {
        "state": state,
        "client_id": family.client_id,
        "sub": family.username,
        "generation": presented.generation,
        "newest_generation": family.generation,
        "opened_at": instant(family.created_at),
        "expires_at": instant(family.expires_at),
        "ended_at": instant(family.ended_at),
    }
