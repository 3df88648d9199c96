"""The revocation endpoint (spec §4.2, D11, RFC 7009)."""

from typing import NamedTuple

from credence.oauth.authority import Authority
from credence.oauth.client_authentication.authentication import authenticate_client, require_client
from credence.oauth.parameters.attributes import Attributes
from credence.oauth.revoke import revoke
from credence.ratelimit.limiter import RateLimiter
from credence.refusals.grants import TOKEN_MISSING
from credence.refusals.refusal import Refused
from credence.request_context import RequestContext


class Revocation(NamedTuple):
    """The result. Only the audit trail shows it; the answer is the same for every token (D11)."""

    revoked: bool
    """Whether the token belonged to this application and had not expired."""


async def revoke_token(
    authority: Authority, rate_limiter: RateLimiter, request: RequestContext, attributes: Attributes
) -> Revocation:
    """Revoke a token.

    A refresh token revokes every token of its login, an access token only itself. A token that is unknown, expired or
    another application's changes nothing and gets the same response. A JSON or XML body may contain what the headers
    do not; a form follows RFC 7009.

    Raises Refused in the order of the token endpoint (D3), or StoreUnavailable.
    """
    require_client(attributes)  # 400
    if not attributes.token:
        raise Refused(TOKEN_MISSING, "token.missing")  # 400
    application = await authenticate_client(authority, rate_limiter, request, attributes)  # 401
    return Revocation(await revoke(authority, application, attributes.token, request.now))
