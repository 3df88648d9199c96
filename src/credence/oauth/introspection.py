"""Reports whether a token is valid now, with its claims (RFC 7662), and signs the report (RFC 9701).

An access token passes the same check as at the API, in memory; a refresh token needs one read of its family. Nothing is
written: introspecting a reused refresh token does not end its family (threats §9.2).

An application may introspect its own tokens, and access tokens for resources that the operator has registered it for. Every
other token is answered as an unknown one (RFC 7662 §4).
"""

from typing import Annotated, Literal

import msgspec

from credence.access.report_rights import ReportRights
from credence.clock import Milliseconds
from credence.crypto.jws import sign
from credence.identity.applications import application_time, is_public, refresh_token_owner
from credence.meanings import meaning
from credence.oauth import bearer, fapi
from credence.oauth.authority import Authority
from credence.oauth.bearer import Bearer
from credence.oauth.family_life import Action, transition
from credence.oauth.liveness import liveness_error
from credence.oauth.parameters import scopes
from credence.oauth.tokens.access_token import Actor, Claims, family_sid, token_type
from credence.oauth.tokens.refresh_token import RefreshTokenClaims
from credence.refusals.refusal import Refused
from credence.store.records import Application

TYPE = "token-introspection+jwt"

SIGNED = f"application/{TYPE}"
"""The media type of the signed form (RFC 9701 §4)."""

SIGNING_ALGORITHM = "RS256"
"""The algorithm of signed answers: the default for clients that registered no other (RFC 9701 §6)."""


class Introspection(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The members of an answer (RFC 7662 §2.2); times are seconds since the epoch.

    Of the account it has only the login name. Profile and mail address are for the user information endpoint (RFC 7662 §5).
    """

    active: Annotated[bool, meaning("Whether the token is valid now. Every other member is absent if it is not.")]
    iss: Annotated[str | None, meaning("Issuer of the token.", example="https://api.example.com")] = None
    sub: Annotated[
        str | None, meaning("Username of the account, or the client_id of a token without an account.", example="ada")
    ] = None
    aud: Annotated[
        str | None, meaning("The resource for which the token is.", example="https://api.example.com/risk")
    ] = None
    client_id: Annotated[
        str | None, meaning("The application that the token was issued to.", example="cr_sandbox_1")
    ] = None
    username: Annotated[str | None, meaning("Username of the account.", example="ada")] = None
    scope: Annotated[
        str | None, meaning("Scopes of the token, separated by spaces.", example="credit:report credit:search")
    ] = None
    token_type: Annotated[
        Literal["Bearer", "DPoP"] | None, meaning("How the token is sent: `DPoP` for one that is bound to a key.")
    ] = None
    iat: Annotated[
        int | None, meaning("When the token was issued.", unit="seconds since 1970 (UTC)", example=1763700000)
    ] = None
    exp: Annotated[
        int | None, meaning("When the token expires.", unit="seconds since 1970 (UTC)", example=1763710800)
    ] = None
    jti: Annotated[str | None, meaning("Identifier of the token.", example="AZqk3vYQc5uQ0o0K1m3Jxw")] = None
    sid: Annotated[
        str | None, meaning("Identifier of the login, which all its tokens share.", example="AZqk3vYQc5uQ0o0K")
    ] = None
    auth_time: Annotated[
        int | None, meaning("When the password was presented.", unit="seconds since 1970 (UTC)", example=1763700000)
    ] = None
    acr: Annotated[
        str | None, meaning("How the person signed in with a browser: the class of authentication.", example="1")
    ] = None
    cnf: Annotated[
        dict[str, str] | None,
        meaning(
            "Thumbprint of the key or certificate that the token is bound to: `jkt` (RFC 9449), `x5t#S256` (RFC 8705).",
            example={"jkt": "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"},
        ),
    ] = None
    authorization_details: Annotated[
        tuple[ReportRights, ...] | None,
        meaning("Which reports the scope `credit:report` opens, if not those on every company (RFC 9396)."),
    ] = None
    act: Annotated[Actor | None, meaning("Who acts for the account, after a token exchange (RFC 8693).")] = None


INACTIVE = Introspection(active=False)
"""The answer for a token that is not valid, or that the application may not introspect."""


async def introspect(authority: Authority, application: Application, token: str, now: Milliseconds) -> Introspection:
    """Return the state of the token at `now`; INACTIVE if it is invalid or the application may not introspect it."""
    claims = authority.refresh_tokens.read(refresh_token_owner(application), token)
    if claims is not None:
        return await _of_refresh_token(authority, application, claims, application_time(application, now))
    try:
        good = await bearer.check(authority, token, now, for_any_resource=True)
    except Refused:
        return INACTIVE
    return _of_access_token(good) if _may_introspect(application, good.claims) else INACTIVE


def signed(authority: Authority, application: Application, introspection: Introspection, now: Milliseconds) -> str:
    """Return the answer as a JWT for this application (RFC 9701 §5).

    It has its own type and neither `sub` nor `exp`, so that no verifier accepts it as an access token (§8.1, threats T8).
    """
    key = authority.signing_key(SIGNING_ALGORITHM)
    issuer = authority.settings.issuer
    content = {"iss": issuer, "aud": application.client_id, "iat": now // 1000, "token_introspection": introspection}
    return sign(key, TYPE, msgspec.json.encode(content))


def _may_introspect(application: Application, claims: Claims) -> bool:
    return claims.client_id == application.client_id or claims.aud in application.introspects


def _of_access_token(good: Bearer) -> Introspection:
    claims, account = good.claims, good.account
    # Without `act`, which few tokens have: of more than 15 named arguments Python 3.11 makes a dictionary.
    found = Introspection(
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
        acr=claims.acr,
        cnf=claims.cnf,
    )
    if good.rights is not None:
        found = msgspec.structs.replace(found, authorization_details=(good.rights,))
    return found if claims.act is None else msgspec.structs.replace(found, act=claims.act)


async def _of_refresh_token(
    authority: Authority, application: Application, presented: RefreshTokenClaims, now: Milliseconds
) -> Introspection:
    """Return the answer for a refresh token of this application. Only the newest one of a family is active.

    The previous one may still return a lost answer again (D7), but it counts as used.
    """
    account = await authority.revocation_cache.account(presented.username)
    family = await authority.store.family(presented.family_id)
    if account is None or family is None:
        return INACTIVE
    lapsed = liveness_error(application, account, issued_at=family.created_at, logged_in_at=family.created_at)
    window = authority.settings.refresh_retry_window_seconds
    kept = fapi.keeps_refresh_token(application) and presented.generation <= family.generation
    generation = family.generation if kept else presented.generation
    found = transition(family, generation, now, retry_window_seconds=window, before_not_before=lapsed is not None)
    if found.action is not Action.ROTATE:
        return INACTIVE
    return Introspection(
        active=True,
        iss=authority.settings.issuer,
        sub=account.username,
        client_id=family.client_id,
        username=account.username,
        scope=scopes.format_scope(scopes.effective(family.scope, application.scopes, is_public(application))) or None,
        iat=family.issued_at // 1000,
        exp=family.expires_at // 1000,
        sid=family_sid(family.id),
        auth_time=family.created_at // 1000,
    )
