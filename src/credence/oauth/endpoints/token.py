"""The token endpoint (spec §4.1): every grant passes the same phases, in the order of D3.

The web layer has checked before: method 405, sizes 401, media type 415, structure and patterns 401.
"""

from credence.identity.applications import application_time, is_public
from credence.oauth.authority import Authority
from credence.oauth.client_authentication.authentication import access_error, authenticate_client, require_client
from credence.oauth.grants import GRANTS
from credence.oauth.grants.grant import AnyGrant, Login
from credence.oauth.issue import Issued, TokenOptions
from credence.oauth.parameters.attributes import Attributes
from credence.oauth.sender_constraint import token_binding
from credence.ratelimit.limiter import RateLimiter
from credence.refusals.credentials import ACCOUNT_NOT_ACTIVE
from credence.refusals.grants import GRANT_NOT_ALLOWED, GRANT_UNKNOWN, INVALID_AUTHORIZATION_DETAILS
from credence.refusals.refusal import Refused
from credence.request_context import RequestContext
from credence.store.records import Account, Application


async def obtain_token(
    authority: Authority, rate_limiter: RateLimiter, request: RequestContext, attributes: Attributes
) -> Issued:
    """Obtain a token.

    With the user name and password of an account: the password grant. With a refresh token: a new pair of tokens. The
    application's `client_id` and `client_secret` are sent as headers, in the body or by HTTP Basic.

    A refresh by headers has no body. A refresh token can be used once; a repetition of the request gets the same
    response for a short time (30 seconds by default), in case the first one was lost, and a later one revokes the
    whole login. The previous access token is valid until it expires.

    `Accept` chooses JSON or XML; without it the response has the form of the request. The response to a form
    (`application/x-www-form-urlencoded`) with a `grant_type` follows RFC 6749: `expires_in` is a number, and a refusal
    has the members `error` and `error_description` as well.

    A form has further grants. A person who signs in with a browser gives the application a code, or allows a device,
    which polls here until then. With client credentials an application gets a token for itself. By token exchange (RFC
    8693) a service gets a token to act for the user whose access token it received: with no more scopes, no longer
    lifetime, and the service in `act`.

    Raises Refused with the first reason in order (D3), or StoreUnavailable.
    """
    # 1. The request names a client, a known grant and the grant's attributes: 400.
    require_client(attributes)
    grant = _grant(attributes)
    _require_attributes(grant, attributes)
    # 2. Rate limits, also of the account that the request claims, then the client's credentials: 401.
    claimed = grant.claimed_identity(authority, attributes)
    username = claimed.username if claimed is not None else None
    application = await authenticate_client(authority, rate_limiter, request, attributes, username)
    # 3. The client may use the grant: 400 (D25).
    _require_allowed(grant, application)
    # 4. The client proves the key or certificate that the tokens are bound to: 400 (RFC 9449, RFC 8705).
    bound_to = await token_binding(
        authority,
        request,
        application,
        standard=attributes.standard,
        public_proves_key=grant.public_proves_key,
    )
    # 5. The password or token that the grant exchanges is genuine: 401.
    login = await grant.authenticate(authority, application, request, attributes, claimed)
    # 6. The rate limit of the account, now that it is authenticated: 401.
    if login.account is not None:
        request.username = login.account.username
        request.enforce(await rate_limiter.limit_account(request.username))
    # 7. The account is active: 401 (D14). The rules on address and hour allow the request: 403 (D15).
    refused = _owner_error(authority, request, application, login)
    if refused is not None:
        if grant.check_token_state is not None:  # the reason of an invalid or reused refresh token takes precedence
            await grant.check_token_state(authority, login, application_time(application, request.now))
        raise refused
    # 8. The tokens, if the application may have the scope, resource and authorization details: 400.
    if attributes.authorization_details is not None and not grant.takes_details:
        raise Refused(INVALID_AUTHORIZATION_DETAILS, "authorization_details.grant")
    options = TokenOptions(attributes.scope, _resources(grant, attributes), bound_to, attributes.authorization_details)
    return await grant.issue(authority, application, login, options, application_time(application, request.now))


async def obtain_token_in_seconds(
    authority: Authority, rate_limiter: RateLimiter, request: RequestContext, attributes: Attributes
) -> Issued:
    """Obtain a token, with issued_at in seconds.

    The token endpoint again, for clients that compare `issued_at` with a clock in seconds: it is in seconds here, and
    all else is the same.
    """
    return await obtain_token(authority, rate_limiter, request, attributes)


def _grant(attributes: Attributes) -> AnyGrant:
    grant = GRANTS.get(attributes.grant_type or _implied_grant(attributes))
    if grant is None:
        raise Refused(GRANT_UNKNOWN, "grant_type.unknown")
    return grant


def _implied_grant(attributes: Attributes) -> str:
    """Return the grant that a request without grant_type means (D2); an empty request is answered as a password grant."""
    if attributes.refresh_token and not (attributes.username or attributes.password):
        return "refresh_token"
    return "password"


def _require_attributes(grant: AnyGrant, attributes: Attributes) -> None:
    for name in grant.needs:
        if grant.missing is not None and not getattr(attributes, name):
            raise Refused(grant.missing, f"{grant.word}.attribute_missing")


def _resources(grant: AnyGrant, attributes: Attributes) -> tuple[str, ...]:
    """Return the requested resources of the token, without duplicates (RFC 8707 §2, RFC 8693 §2.1)."""
    if not grant.has_audience:
        return attributes.resources
    return tuple(dict.fromkeys(attributes.resources + attributes.audiences))


def _require_allowed(grant: AnyGrant, application: Application) -> None:
    if grant.name not in application.grants:
        raise Refused(GRANT_NOT_ALLOWED, "grant_type.not_allowed")
    if is_public(application) and not grant.open_to_public:
        raise Refused(GRANT_NOT_ALLOWED, "grant_type.not_for_public")


def _owner_error(
    authority: Authority, request: RequestContext, application: Application, login: Login
) -> Refused | None:
    account: Account | None = login.account
    if account is not None and account.status != "active":
        return Refused(ACCOUNT_NOT_ACTIVE, f"account.{account.status}")
    refused = access_error(authority.settings, request, application, account)
    if refused is None and login.presented_by is not None:
        return access_error(authority.settings, request, login.presented_by, None)
    return refused
