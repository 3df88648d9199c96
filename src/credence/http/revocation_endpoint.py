"""POST /oauth2/v1/revokeToken (spec §4.2, D11)."""

from credence.http.callers import authenticate_client, require_client
from credence.http.request import Request
from credence.oauth.revoke import revoke
from credence.oauth.said import Said
from credence.refusals import TOKEN_MISSING, Refused
from credence.service import Service


async def revoke_token(service: Service, request: Request, said: Said) -> None:
    """Revoke the token, whatever it turns out to be; the order of refusals is that of the token endpoint (D3)."""
    require_client(said)  # 400
    if not said.token:
        raise Refused(TOKEN_MISSING, "token.missing")  # 400
    application = await authenticate_client(service, request, said)  # spike arrest 401, wrong client 401
    await revoke(service.authority, application, said.token, request.now)
