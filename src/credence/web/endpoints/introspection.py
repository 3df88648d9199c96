"""POST /oauth2/v1/introspect (RFC 7662, RFC 9701)."""

import msgspec

from credence.oauth.client_authentication.methods import is_public
from credence.oauth.introspection import SIGNED, introspect, signed
from credence.oauth.parameters.attributes import Attributes
from credence.refusals import TOKEN_MISSING, WRONG_CLIENT, Refused
from credence.service import Service
from credence.web.checks.callers import authenticate_client, check_access, require_client
from credence.web.dialects.media import preferred
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import NO_STORE, VARY
from credence.web.messages.request import Request

_encode = msgspec.json.Encoder().encode


async def introspect_token(service: Service, request: Request, attributes: Attributes) -> Answer:
    """Return what the application may know of the token; the order of refusals is that of the token endpoint (D3)."""
    require_client(attributes)  # 400
    if not attributes.token:
        raise Refused(TOKEN_MISSING, "token.missing")  # 400
    application = await authenticate_client(service, request, attributes)  # spike arrest 401, wrong client 401
    if is_public(application):  # whoever may ask must have proved itself (RFC 7662 §2.1, §4)
        raise Refused(WRONG_CLIENT, "client.not_for_public")
    check_access(service, request, application, None)  # 403
    told = await introspect(service.authority, application, attributes.token, request.now)
    accept = request.headers.get("accept", JSON)
    if SIGNED in accept.lower() and preferred(accept, (JSON, SIGNED)) == SIGNED:
        body = signed(service.authority, application, told, request.now).encode()
        return Answer(200, SIGNED, body, (NO_STORE, VARY))
    return Answer(200, JSON, _encode(told), (NO_STORE, VARY))
