"""Issues the tokens of a login or a refresh (spec §2.3, D4, D10)."""

from collections.abc import Collection

import msgspec

from credence.access.report_rights import ReportRights
from credence.clock import Milliseconds
from credence.crypto.jws import SigningKey
from credence.identity.applications import application_time, is_public, real_time, refresh_token_owner, resets
from credence.identity.not_before import dated
from credence.identity.sessions import authentication_class, public_id
from credence.oauth import fapi
from credence.oauth.authority import Authority
from credence.oauth.parameters import scopes
from credence.oauth.parameters.authorization_details import read_stored
from credence.oauth.status_places import with_place
from credence.oauth.tokens import access_token, id_token
from credence.oauth.tokens.access_token import Claims
from credence.oauth.tokens.refresh_token import RefreshTokenClaims, expiry_of, new_family_id
from credence.oauth.tokens.standard_claims import about, about_to
from credence.store.families import SignIn
from credence.store.records import (
    AccessTokenParameters,
    Account,
    Application,
    TokenFamily,
)


class TokenOptions(msgspec.Struct, frozen=True):
    """The requested properties of an access token: scope, resources and binding."""

    scope: str | None = None
    """The requested scope, before it is compared with what the application may have."""
    resources: tuple[str, ...] = ()
    """The requested resources (RFC 8707)."""
    confirmation: str = ""
    """The key or certificate to which the token is bound, such as `jkt:<thumbprint>`; empty for a bearer token."""
    details: str | None = None
    """The requested `authorization_details` (RFC 9396 §6), before they are compared with what may be granted."""


class Issued(msgspec.Struct, frozen=True):
    """A token response before a dialect writes it. `issued_at` is in milliseconds, `expires_in` in seconds."""

    __repr__ = object.__repr__  # keeps the tokens out of every log

    access_token: str
    refresh_token: str | None
    issued_at: Milliseconds
    expires_in: int
    scope: str
    token_type: str = "Bearer"  # noqa: S105 - a scheme (RFC 6749 §7.1, RFC 9449 §5)
    id_token: str | None = None
    issued_token_type: str | None = None
    """The type of the token in the answer to a token exchange (RFC 8693 §2.2.1)."""
    refresh_token_expires_in: int = 0
    """Whole seconds until the refresh token expires; 0 without one."""
    rights: tuple[ReportRights, ...] | None = None
    """The granted rights (RFC 9396 §7)."""


def next_parameters(
    authority: Authority,
    application: Application,
    at: Milliseconds,
    narrowed: str | None = None,
    confirmation: str = "",
) -> AccessTokenParameters:
    """Return issue time, lifetime and signing key for the next access token of this application."""
    kid = authority.signing_key(application.algorithm).kid
    return AccessTokenParameters(at, access_token_lifetime(authority, application), kid, narrowed, confirmation)


def access_token_lifetime(authority: Authority, application: Application) -> int:
    """Return the lifetime of an access token of this application in seconds (D4)."""
    return application.access_token_lifetime or authority.settings.access_token_lifetime_seconds


def new_family(
    authority: Authority,
    application: Application,
    account: Account,
    options: TokenOptions,
    now: Milliseconds,
    family_id: bytes | None = None,
) -> TokenFamily:
    """Return the family that a login opens; Refused when the requested scope or resource is not allowed.

    Its expiry is fixed here; no refresh moves it (D4, threats §6). `now` and the times of the family are times of the
    application's clock. `family_id` is given if a code contains it; it begins with the expiry.

    A login in the second of a change of its account or application is dated to the next second (`identity/not_before.py`).
    """
    opened_at = dated(now, application_time(application, max(account.not_before, application.not_before)))
    if family_id is None:
        lifetime = application.refresh_token_lifetime or authority.settings.refresh_token_lifetime_seconds
        family_id = new_family_id(opened_at + lifetime * 1000)
    first = next_parameters(authority, application, opened_at)
    own = authority.settings.token_audience
    audience = scopes.audience_of_resources(options.resources, application, authority.settings)
    return TokenFamily(
        id=family_id,
        client_id=application.client_id,
        username=account.username,
        scope=scopes.granted(options.scope, scopes.of_application(application)),
        created_at=opened_at,
        expires_at=expiry_of(family_id),
        issued_at=first.issued_at,
        expires_in=first.expires_in,
        kid=first.kid,
        audience="" if audience == own else audience,
        confirmation=options.confirmation,
    )


def issue_pair(
    authority: Authority,
    family: TokenFamily,
    application: Application,
    account: Account,
    sign_in: SignIn | None = None,
    nonce: str | None = None,
    named: Collection[str] = (),
) -> Issued:
    """Return the token pair of the family's newest generation. The same family always gives the same pair (D7).

    An ID token is included while the application has the scope `openid` (OpenID Connect Core §3.1.3.3, §12.2). `sign_in` is
    given for a family that a person opened in a browser; `nonce` and `named`, the account claims requested by name, for its
    first ID token. The claims of the scopes are at the user information endpoint then, unless the application has them in
    the ID token too (§5.4, D37), and an OpenID client gets a refresh token only with `offline_access` (§11).
    """
    settings = authority.settings
    # The key of an answer may be deleted when the answer is repeated; then another key signs the same claims (threats
    # §6).
    key = authority.ring.private.get(family.kid) or authority.signing_key(application.algorithm)
    refresh_token = None
    if "refresh_token" in application.grants and (sign_in is None or sign_in.offline or not _is_openid(family)):
        kept = application.profile is not None and fapi.keeps_refresh_token(application)
        generation = 0 if kept else family.generation
        refresh_token = authority.refresh_tokens.write(
            refresh_token_owner(application), RefreshTokenClaims(family.id, generation, family.username)
        )
    signed_in_at = family.created_at if sign_in is None else application_time(application, sign_in.signed_in_at)
    acr = None if sign_in is None else authentication_class(sign_in.methods)
    claims = access_token.of_family(
        family, account, settings.issuer, settings.token_audience, signed_in_at, acr, resets(application) or None
    )
    if sign_in is not None and sign_in.rights:
        claims = msgspec.structs.replace(claims, authorization_details=(read_stored(sign_in.rights),))
    # From the family alone, like everything that is issued, so that a repeated answer has the same bytes (D7).
    left = 0 if refresh_token is None else (family.expires_at - family.issued_at) // 1000
    pair = _issued(claims, key, application, refresh_token, left)
    effective = scopes.effective(claims.scope, application.scopes, is_public(application))
    if scopes.OPENID not in effective:
        return pair
    signed_at = real_time(application, family.issued_at)
    id_token_key = authority.id_token_key(application.id_token_algorithm, signed_at)
    members: dict[str, object]
    if sign_in is None:
        members = {**about(account, effective)}
    else:
        members = _of_sign_in(sign_in, acr, nonce)
        if application.claims_in_id_token or named:
            person = about_to(application, account, effective)
            in_all = application.claims_in_id_token
            members |= {name: value for name, value in person.items() if in_all or name in named}
    signed = id_token.sign_id_token(claims, pair.access_token, members, id_token_key)
    return msgspec.structs.replace(pair, id_token=signed)


def _is_openid(family: TokenFamily) -> bool:
    return scopes.OPENID in family.scope.split()


def _of_sign_in(sign_in: SignIn, acr: str | None, nonce: str | None) -> dict[str, object]:
    """Return the claims of an ID token about a sign-in in a browser."""
    sid = public_id(sign_in.sid or sign_in.session)
    return {"acr": acr, "amr": sign_in.methods.split(), "sid": sid, "nonce": nonce}


async def issue_access_token(authority: Authority, application: Application, claims: Claims) -> Issued:
    """Return an access token without a family; raises StoreUnavailable if no status list entry could be reserved."""
    if authority.settings.status_list:
        claims = await with_place(authority.store, authority.revocation_cache, authority.status_places, claims)
    return _issued(claims, authority.signing_key(application.algorithm), application)


def _issued(
    claims: Claims,
    key: SigningKey,
    application: Application,
    refresh_token: str | None = None,
    refresh_token_expires_in: int = 0,
) -> Issued:
    return Issued(
        access_token=access_token.sign_access_token(claims, key, application.access_token_type),
        refresh_token=refresh_token,
        # In whole seconds like `iat`: otherwise the token would expire before issued_at + expires_in (spec §5.4, D4).
        issued_at=claims.iat * 1000,
        expires_in=claims.exp - claims.iat,
        scope=claims.scope,
        token_type=access_token.token_type(claims.cnf),
        refresh_token_expires_in=refresh_token_expires_in,
        rights=claims.authorization_details,
    )
