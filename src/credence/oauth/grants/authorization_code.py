"""The authorization code grant (RFC 6749 §4.1.3, RFC 7636 §4.6, OpenID Connect Core §3.1.3, D27).

The code carries the id of the family that it opens. A second redemption therefore finds the family of the first one, on
any node, and ends it with all its tokens (RFC 6749 §4.1.2).
"""

from credence.clock import Milliseconds
from credence.identity.not_before import is_cut_off
from credence.oauth.authority import Authority
from credence.oauth.authorization.code import CodeClaims, code_key, read_code, verifies_code_challenge
from credence.oauth.authorization.consent import lasting
from credence.oauth.grants.family_of_person import consent_stands, end_if_redeemed, open_family_of_person
from credence.oauth.grants.grant import Grant, Login
from credence.oauth.issue import Issued, TokenOptions, issue_pair
from credence.oauth.parameters.attributes import Attributes
from credence.oauth.parameters.authorization_details import granted, read_stored, stored
from credence.oauth.parameters.scopes import OFFLINE_ACCESS, are_among
from credence.oauth.tokens import access_token
from credence.refusals.grants import CODE_MISSING, INVALID_CODE, INVALID_TARGET
from credence.refusals.refusal import Refused
from credence.request_context import RequestContext
from credence.store.contract import Conflict
from credence.store.families import SignIn
from credence.store.records import Account, Application

_REUSED = "authorization_code_reused"
"""The log event of a code that is redeemed twice."""


class CodeLogin(Login, frozen=True):
    """The account and claims of a genuine code with the right verifier. It may have been redeemed before."""

    account: Account
    claims: CodeClaims


def claimed_identity(authority: Authority, attributes: Attributes) -> CodeClaims | None:
    """Return the claims of the code, None for a text that is not a code of this service."""
    return read_code(authority.settings.environment.prefix, code_key(authority.secrets.refresh), attributes.code or "")


async def authenticate(
    authority: Authority,
    application: Application,
    request: RequestContext,
    attributes: Attributes,
    claimed: CodeClaims | None,
) -> CodeLogin:
    """Return the account that authorized the code.

    Raises Refused unless the code was issued to this client, and for this redirect URI and verifier.
    """
    if claimed is None or claimed.client_id != application.client_id:
        raise Refused(INVALID_CODE, "code.invalid")
    if attributes.redirect_uri != claimed.redirect_uri:
        raise _invalid_code(claimed, "code.redirect_uri")
    if not _is_verified(claimed, attributes.code_verifier):
        raise _invalid_code(claimed, "code.verifier")
    if request.now >= claimed.expires_at:
        await end_if_redeemed(authority, claimed.family_id, request.now, _REUSED)
        raise _invalid_code(claimed, "code.expired")
    account = await authority.revocation_cache.account(claimed.username)
    if account is None:
        raise _invalid_code(claimed, "code.account_unknown")
    return CodeLogin(account, claimed)


async def open_family(
    authority: Authority, application: Application, login: CodeLogin, options: TokenOptions, now: Milliseconds
) -> Issued:
    """Open the family whose id the code carries and return its first tokens; Refused for a code used before."""
    account, claims = login.account, login.claims
    if claims.dpop_jkt is not None and options.confirmation != f"{access_token.DPOP_KEY}:{claims.dpop_jkt}":
        raise _invalid_code(claims, "code.other_key")
    if is_cut_off(claims.signed_in_at, account.not_before):
        raise _invalid_code(claims, "code.account_changed")
    kept = lasting(claims.scope, with_rights=bool(claims.rights))
    if claims.consented and not await consent_stands(authority, application, claims.username, kept):
        raise _invalid_code(claims, "code.consent_withdrawn")
    requested = TokenOptions(claims.scope, _resources(options, claims), options.confirmation)
    sign_in = SignIn(
        family_id=claims.family_id,
        session=claims.session,
        client_id=application.client_id,
        username=account.username,
        signed_in_at=claims.signed_in_at,
        methods=claims.methods,
        offline=OFFLINE_ACCESS in claims.scope.split(),
        rights=_rights(options, claims, application),
    )
    try:
        family = await open_family_of_person(authority, application, account, requested, sign_in, now)
    except Conflict:
        if await end_if_redeemed(authority, claims.family_id, now, _REUSED):
            raise _invalid_code(claims, "code.already_used") from None
        raise _invalid_code(claims, "code.session_ended") from None
    return issue_pair(authority, family, application, account, sign_in, claims.nonce, claims.id_token_claims)


AUTHORIZATION_CODE = Grant(
    name="authorization_code",
    needs=("code",),
    missing=CODE_MISSING,
    claimed_identity=claimed_identity,
    authenticate=authenticate,
    issue=open_family,
    open_to_public=True,
    public_proves_key=False,
    takes_details=True,
)


def _is_verified(claims: CodeClaims, verifier: str | None) -> bool:
    """Return whether the verifier matches.

    A verifier without a challenge is refused too, or an attacker could remove PKCE from the request (RFC 9700 §4.8.2).
    """
    if claims.code_challenge is None:
        return verifier is None
    return verifier is not None and verifies_code_challenge(claims.code_challenge, verifier)


def _resources(options: TokenOptions, claims: CodeClaims) -> tuple[str, ...]:
    """Return the requested resources, by default the authorized ones; Refused for one not authorized (RFC 8707 §2.2)."""
    if claims.resources and not are_among(options.resources, claims.resources):
        raise Refused(INVALID_TARGET, "resource.not_granted")
    return options.resources or claims.resources


def _rights(options: TokenOptions, claims: CodeClaims, application: Application) -> str:
    """Return the requested rights, by default the authorized ones; Refused for more than those (RFC 9396 §6)."""
    if options.details is None and not claims.rights and application.rights is None:
        return ""
    return stored(granted(options.details, (read_stored(claims.rights), application.rights)))


def _invalid_code(claims: CodeClaims, reason: str) -> Refused:
    return Refused(INVALID_CODE, reason, account=claims.username)
