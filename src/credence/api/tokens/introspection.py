"""The introspection response: JSON, or a signed JWT if the client prefers it (RFC 7662, RFC 9701)."""

import msgspec

from credence.oauth.endpoints.introspection import Introspected
from credence.oauth.introspection import SIGNED, signed
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import NO_STORE, VARY
from credence.web.messages.request import preferred

_encode = msgspec.json.Encoder().encode


def introspection_answer(service: Service, request: RequestContext, result: Introspected) -> Answer:
    """Return the introspection response in the media type that Accept prefers."""
    accept = request.headers.get("accept", JSON)
    if SIGNED in accept.lower() and preferred(accept, (JSON, SIGNED)) == SIGNED:
        body = signed(service.authority, result.application, result.introspection, request.now).encode()
        return Answer(200, SIGNED, body, (NO_STORE, VARY))
    return Answer(200, JSON, _encode(result.introspection), (NO_STORE, VARY))
