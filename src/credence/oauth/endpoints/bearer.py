"""Authenticates the access token of an API request (spec §1.1, D3, D15, D16, D20)."""

from typing import NamedTuple

from credence.identity.applications import application_time
from credence.oauth import bearer
from credence.oauth.authority import Authority
from credence.oauth.bearer import Bearer
from credence.oauth.client_authentication.authentication import check_access
from credence.oauth.sender_constraint import check_sender_constraint
from credence.oauth.step_up import lacking
from credence.ratelimit.limiter import RateLimiter
from credence.refusals.credentials import AUTHENTICATION_FAILED, INSUFFICIENT_AUTHENTICATION, INSUFFICIENT_SCOPE
from credence.refusals.refusal import Refused
from credence.request_context import RequestContext


class Credentials(NamedTuple):
    """An access token with the scheme it was sent with, in lower case: `bearer` or `dpop`."""

    scheme: str
    token: str


class Required(NamedTuple):
    """What a request requires of its token."""

    scopes: tuple[str, ...] = ()
    """The scopes that the token must have, all of them (RFC 6750 §3.1)."""
    resource: str | None = None
    """The resource for which the token must have been issued (RFC 8707); None for this service."""


async def authenticate_bearer(
    authority: Authority,
    rate_limiter: RateLimiter,
    request: RequestContext,
    credentials: Credentials | None,
    required: Required,
) -> Bearer:
    """Return the token's claims and owners.

    Raises Refused, in this order of checks: valid token, rate limits, address and hour, strength and age of the sign-in
    (RFC 9470), scope (RFC 6750 §3.1). A request without a valid token counts against its address.
    """
    try:
        if credentials is None:
            raise Refused(AUTHENTICATION_FAILED, "bearer.header")
        scheme, token = credentials
        found = await bearer.check(authority, token, request.now, resource=required.resource)
        request.client_id = found.application.client_id
        check_sender_constraint(authority, request, found.application, scheme, token, found.claims.cnf)
    except Refused:
        request.enforce(await rate_limiter.limit_unauthenticated(request.address_prefix))
        raise
    application, account = found.application, found.account
    request.proven = True
    username = request.username = account.username if account else None
    prefix = request.address_prefix
    request.enforce(await rate_limiter.limit_authenticated(prefix, application, username))
    check_access(authority.settings, request, application, account)
    if account is not None:
        now = application_time(application, request.now)
        needed = lacking(found.claims, (application.rules, account.rules), now)
        if needed is not None:
            request.required_sign_in = (needed.acr_values, needed.max_age)
            raise Refused(INSUFFICIENT_AUTHENTICATION, needed.reason)
    if not found.scopes.issuperset(required.scopes):
        raise Refused(INSUFFICIENT_SCOPE, "scope.insufficient")
    return found
