"""The introspection endpoint (RFC 7662, RFC 9701)."""

import msgspec

from credence.oauth.authority import Authority
from credence.oauth.client_authentication.authentication import authenticate_client, check_access, require_client
from credence.oauth.introspection import Introspection, introspect
from credence.oauth.parameters.attributes import Attributes
from credence.ratelimit.limiter import RateLimiter
from credence.refusals.credentials import WRONG_CLIENT
from credence.refusals.grants import TOKEN_MISSING
from credence.refusals.refusal import Refused
from credence.request_context import RequestContext
from credence.store.records import Application


class Introspected(msgspec.Struct, frozen=True):
    """The answer, and the application that requested it."""

    introspection: Introspection
    application: Application


async def introspect_token(
    authority: Authority, rate_limiter: RateLimiter, request: RequestContext, attributes: Attributes
) -> Introspected:
    """Introspect a token.

    Whether the token is active, and its claims (RFC 7662). An application may introspect tokens issued to it, and
    access tokens for a resource that it protects. For any other token, and for one that is not active, the response is
    `active: false` alone. With `Accept: application/token-introspection+jwt` the response is signed (RFC 9701).

    Raises Refused in the order of the token endpoint (D3).
    """
    require_client(attributes)  # 400
    if not attributes.token:
        raise Refused(TOKEN_MISSING, "token.missing")  # 400
    application = await authenticate_client(authority, rate_limiter, request, attributes)  # 401
    if not request.proven:  # a public client proves nothing, and must to introspect (RFC 7662 §2.1, §4)
        raise Refused(WRONG_CLIENT, "client.not_for_public")
    check_access(authority.settings, request, application, None)  # 403
    return Introspected(await introspect(authority, application, attributes.token, request.now), application)
