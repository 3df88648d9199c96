"""Tells whether a token is good now, and what it says (RFC 7662), signed if that is wanted (RFC 9701).

An access token is looked at in memory, by the check that the API itself makes; a refresh token takes one read of its family.
Nothing is written: a reuse that is only asked about ends no family (threats §9.2).

An application may ask about tokens issued to it, and about access tokens for a resource that it guards, as the operator has
registered it. About everything else it learns what it learns about a token that never was (RFC 7662 §4).
"""

from typing import Literal

import msgspec

from credence.clock import Milliseconds
from credence.crypto.jws import sign
from credence.oauth import bearer
from credence.oauth.authority import Authority
from credence.oauth.bearer import Bearer
from credence.oauth.family_life import Action, transition
from credence.oauth.liveness import liveness_error
from credence.oauth.parameters import scopes
from credence.oauth.tokens.access_token import Actor, Claims, family_sid, token_type
from credence.oauth.tokens.refresh_token import RefreshTokenClaims
from credence.refusals import Refused
from credence.store.records import Application

TYPE = "token-introspection+jwt"

SIGNED = f"application/{TYPE}"
"""The media type of the signed form (RFC 9701 §4)."""

SIGNING_ALGORITHM = "RS256"
"""Signs the answers: what clients expect that did not say otherwise (RFC 9701 §6)."""


class Introspection(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is told of a token (RFC 7662 §2.2); times are seconds since the epoch.

    Of the account it is the name alone: profile and mail address are the user information's to tell (RFC 7662 §5).
    """

    active: bool
    iss: str | None = None
    sub: str | None = None
    aud: str | None = None
    client_id: str | None = None
    username: str | None = None
    scope: str | None = None
    token_type: Literal["Bearer", "DPoP"] | None = None
    iat: int | None = None
    exp: int | None = None
    jti: str | None = None
    sid: str | None = None
    auth_time: int | None = None
    cnf: dict[str, str] | None = None
    act: Actor | None = None


INACTIVE = Introspection(active=False)
"""All that is ever said of a token that is not good, or not the asker's to ask about."""


async def introspect(authority: Authority, asker: Application, token: str, now: Milliseconds) -> Introspection:
    """Return what this application may know of the token now; INACTIVE is the answer to everything else."""
    claims = authority.refresh_tokens.read(asker.client_id, token)
    if claims is not None:
        return await _of_refresh_token(authority, asker, claims, now)
    try:
        good = await bearer.check(authority, token, now, for_any_resource=True)
    except Refused:
        return INACTIVE
    return _of_access_token(good) if _may_ask(asker, good.claims) else INACTIVE


def signed(authority: Authority, asker: Application, told: Introspection, now: Milliseconds) -> str:
    """Return the answer as a JWT for this application alone (RFC 9701 §5).

    Its type, and that it has neither `sub` nor `exp` of its own, keep it from being taken for a token (§8.1, threats T8).
    """
    key = authority.signing_key(SIGNING_ALGORITHM)
    issuer = authority.settings.issuer
    said = {"iss": issuer, "aud": asker.client_id, "iat": now // 1000, "token_introspection": told}
    return sign(key, TYPE, msgspec.json.encode(said))


def _may_ask(asker: Application, claims: Claims) -> bool:
    return claims.client_id == asker.client_id or claims.aud in asker.introspects


def _of_access_token(good: Bearer) -> Introspection:
    claims, account = good.claims, good.account
    return Introspection(
        active=True,
        iss=claims.iss,
        sub=claims.sub,
        aud=claims.aud,
        client_id=claims.client_id,
        username=account.username if account is not None else None,
        scope=scopes.format_scope(good.scopes) or None,
        token_type=token_type(claims.cnf),
        iat=claims.iat,
        exp=claims.exp,
        jti=claims.jti,
        sid=claims.sid,
        auth_time=claims.auth_time,
        cnf=claims.cnf,
        act=claims.act,
    )


async def _of_refresh_token(
    authority: Authority, asker: Application, presented: RefreshTokenClaims, now: Milliseconds
) -> Introspection:
    """Return what is told of a refresh token of the asker's own: good is only the newest of its family.

    The one before it, which may still repeat a lost answer (D7), is spent all the same.
    """
    account = await authority.revocation_cache.account(presented.username)
    family = await authority.store.family(presented.family_id)
    if account is None or family is None:
        return INACTIVE
    lapsed = liveness_error(asker, account, issued_at=family.created_at, logged_in_at=family.created_at)
    window = authority.settings.refresh_retry_window_seconds
    found = transition(
        family, presented.generation, now, retry_window_seconds=window, before_not_before=lapsed is not None
    )
    if found.action is not Action.ROTATE:
        return INACTIVE
    return Introspection(
        active=True,
        iss=authority.settings.issuer,
        sub=account.username,
        client_id=family.client_id,
        username=account.username,
        scope=scopes.format_scope(scopes.effective(family.scope, asker.scopes)) or None,
        iat=family.issued_at // 1000,
        exp=family.expires_at // 1000,
        sid=family_sid(family.id),
        auth_time=family.created_at // 1000,
    )
