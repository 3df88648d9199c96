"""POST /oauth2/v1/revokeToken (spec §4.2, D11)."""

from credence.oauth.parameters.attributes import Attributes
from credence.oauth.revoke import revoke
from credence.refusals import TOKEN_MISSING, Refused
from credence.service import Service
from credence.web.checks.callers import authenticate_client, require_client
from credence.web.messages.request import Request


async def revoke_token(service: Service, request: Request, attributes: Attributes) -> None:
    """Revoke the token, whatever it turns out to be; the order of refusals is that of the token endpoint (D3)."""
    require_client(attributes)  # 400
    if not attributes.token:
        raise Refused(TOKEN_MISSING, "token.missing")  # 400
    application = await authenticate_client(service, request, attributes)  # spike arrest 401, wrong client 401
    if await revoke(service.authority, application, attributes.token, request.now):
        request.trace.deed = "revoked"
