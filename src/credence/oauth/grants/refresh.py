"""The refresh grant: rotation, retry, and detection of reuse (spec §1.3, §5.6, D7, threats §6).

Exactly one of several requests with the same refresh token rotates the family. Within the retry window the others get the
same pair; later ones end the family. `oauth/family_life.py` has the table of all cases.
"""

import msgspec

from credence.clock import Milliseconds
from credence.identity.applications import application_time, is_public, refresh_token_owner
from credence.identity.not_before import first_whole_second
from credence.oauth import fapi
from credence.oauth.authority import Authority
from credence.oauth.family_life import Action, transition
from credence.oauth.grants.grant import OPENED_BY_PEOPLE, Grant, Login
from credence.oauth.issue import Issued, TokenOptions, issue_pair, next_parameters
from credence.oauth.liveness import liveness_error
from credence.oauth.parameters import scopes
from credence.oauth.parameters.attributes import Attributes
from credence.oauth.revoke import end_family
from credence.oauth.tokens import access_token
from credence.oauth.tokens.access_token import CERTIFICATE
from credence.oauth.tokens.refresh_token import RefreshTokenClaims
from credence.oauth.trusted_issuers.vouching import require_vouched
from credence.refusals.credentials import CERTIFICATE_MISSING, DPOP_REQUIRED, INVALID_TOKEN, REFRESH_TOKEN_REFUSED
from credence.refusals.grants import GRANT_NOT_ALLOWED, INVALID_SCOPE, INVALID_TARGET, REFRESH_TOKEN_MISSING
from credence.refusals.refusal import Refused
from credence.request_context import RequestContext
from credence.store.records import Account, Application, TokenFamily
from credence.telemetry.log import warning


class RefreshLogin(Login, frozen=True):
    """The account and claims of a genuine refresh token, whose family has not been read yet."""

    account: Account
    claims: RefreshTokenClaims
    client_id: str


def claimed_identity(authority: Authority, attributes: Attributes) -> RefreshTokenClaims | None:
    """Return the unverified claims of the refresh token; None when it has another form."""
    return authority.refresh_tokens.unverified(attributes.refresh_token or "")


async def authenticate(
    authority: Authority,
    application: Application,
    request: RequestContext,
    _attributes: Attributes,
    claimed: RefreshTokenClaims | None,
) -> RefreshLogin:
    """Return the account that the refresh token names; Refused unless it was issued to this application."""
    if claimed is None or not authority.refresh_tokens.is_genuine(refresh_token_owner(application), claimed):
        raise Refused(REFRESH_TOKEN_REFUSED, "refresh_token.invalid")
    cache = authority.revocation_cache
    account = cache.cached_account(claimed.username) or await cache.account(claimed.username)
    if account is None:
        raise Refused(REFRESH_TOKEN_REFUSED, "refresh_token.account_unknown")
    if account.issuers and authority.issuers:
        await require_vouched(authority, account, claimed.family_id, request.now)
    if application.profile is not None and fapi.keeps_refresh_token(application):
        claimed = await _with_newest_generation(authority, claimed)
    return RefreshLogin(account, claimed, application.client_id)


async def rotate(
    authority: Authority, application: Application, login: RefreshLogin, options: TokenOptions, now: Milliseconds
) -> Issued:
    """Rotate the family, or repeat a lost answer, and return the pair (spec §3.3).

    A confidential client may change its key, but a login that was bound to one stays bound; the refresh token of a public
    client is bound to its key (RFC 9449 §5). A retry must use the same key as the request that it repeats.

    One conditional write decides. The family is read before it only if the scope may be narrowed, and after it only if it
    changed no row.
    """
    account, claims = login.account, login.claims
    narrowed = None
    if options.scope or options.resources or application.scopes is not None or is_public(application):
        family = await _valid_family(authority, login, now, application)
        if is_public(application):
            await _check_public_client(authority, family, options)
        narrowed = _narrowed_scope(family, application, options, authority.settings.token_audience)
    parameters = next_parameters(authority, application, now, narrowed, options.confirmation)
    not_before = first_whole_second(application_time(application, max(account.not_before, application.not_before)))
    rotated = await authority.store.rotate(claims.family_id, claims.generation, parameters, not_before)
    if rotated is None:
        rotated = await _valid_family(authority, login, now, application)
        if rotated.generation == claims.generation and rotated.confirmation and not options.confirmation:
            missing = CERTIFICATE_MISSING if rotated.confirmation.startswith(CERTIFICATE) else DPOP_REQUIRED
            raise Refused(missing, "refresh_token.binding_dropped", account=account.username)
        if rotated.confirmation != options.confirmation:
            raise Refused(INVALID_TOKEN, "refresh_token.other_key", account=account.username)
    sign_in = None
    if OPENED_BY_PEOPLE.intersection(application.grants):
        sign_in = await authority.store.sign_in(rotated.id)
    return issue_pair(authority, rotated, application, account, sign_in)


async def check_refresh_token_reuse(authority: Authority, login: RefreshLogin, now: Milliseconds) -> None:
    """End the family of a reused refresh token; raise Refused for it and for any other that is no longer valid (D3, D7).

    `not_before` is ignored: the state of the account is the more precise reason for a refusal.
    """
    await _valid_family(authority, login, now)


REFRESH = Grant(
    name="refresh_token",
    needs=("refresh_token",),
    missing=REFRESH_TOKEN_MISSING,
    claimed_identity=claimed_identity,
    authenticate=authenticate,
    issue=rotate,
    check_token_state=check_refresh_token_reuse,
    open_to_public=True,
    public_proves_key=False,
)


async def _check_public_client(authority: Authority, family: TokenFamily, options: TokenOptions) -> None:
    """Raise Refused if a public client refreshes a login by password, or one bound to another key."""
    if await authority.store.sign_in(family.id) is None:
        raise Refused(GRANT_NOT_ALLOWED, "grant_type.not_for_public", account=family.username)
    if family.confirmation != options.confirmation:
        raise Refused(INVALID_TOKEN, "refresh_token.other_key", account=family.username)


async def _with_newest_generation(authority: Authority, claims: RefreshTokenClaims) -> RefreshTokenClaims:
    """Return the claims of a non-rotating refresh token, with the present generation of its family."""
    family = await authority.store.family(claims.family_id)
    if family is None or claims.generation > family.generation:
        return claims
    return msgspec.structs.replace(claims, generation=family.generation)


def _narrowed_scope(
    family: TokenFamily, application: Application, options: TokenOptions, own_audience: str
) -> str | None:
    """Return the scope of the next access token if it is narrower than the login's; None if it is the same (RFC 6749 §6).

    Scopes that the application has lost are removed, because verifiers elsewhere cannot know that (threats A15). Raises
    Refused if none remains, and for another resource than the login's, which never changes (RFC 8707 §2.2).
    """
    if not scopes.are_among(options.resources, (family.audience or own_audience,)):
        raise Refused(INVALID_TARGET, "resource.not_granted")
    effective = scopes.effective(family.scope, application.scopes, is_public(application))
    if family.scope and not effective:
        raise Refused(INVALID_SCOPE, "scope.not_allowed")
    if options.scope is not None:
        scope = scopes.granted(options.scope, effective)
    else:
        scope = scopes.format_scope(effective) if family.scope else ""
    return None if scope == family.scope else scope


async def _valid_family(
    authority: Authority, login: RefreshLogin, now: Milliseconds, application: Application | None = None
) -> TokenFamily:
    """Return the family of a refresh token that may rotate it or repeat its last answer; Refused otherwise.

    A reused token ends the family (threats L1). Without `application`, `not_before` is ignored.
    """
    claims = login.claims
    family = await authority.store.family(claims.family_id)
    before_not_before = (
        family is not None and application is not None and _is_before_not_before(family, application, login.account)
    )
    window = authority.settings.refresh_retry_window_seconds
    action, _, reason = transition(
        family, claims.generation, now, retry_window_seconds=window, before_not_before=before_not_before
    )
    if family is not None and action in (Action.ROTATE, Action.REPEAT):
        return family
    if action is Action.END:
        await end_family(authority, claims.family_id, now, "reused")
        warning("refresh_token_reused", sid=access_token.family_sid(claims.family_id))
    repeated = authority.refused_refresh_tokens.is_repeated(login.client_id, claims.family_id)
    raise Refused(
        REFRESH_TOKEN_REFUSED,
        "refresh_token.repeated" if repeated else f"refresh_token.{reason}",
        account=claims.username,
    )


def _is_before_not_before(family: TokenFamily, application: Application, account: Account) -> bool:
    opened_at = family.created_at
    return liveness_error(application, account, issued_at=opened_at, logged_in_at=opened_at) is not None
