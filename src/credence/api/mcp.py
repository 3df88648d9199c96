"""POST /mcp: the Model Context Protocol over HTTP, a protected resource of its own (D32).

Every message is answered with one JSON body; there is no stream and no session, so GET and DELETE are answered with
405.
"""

from collections.abc import Mapping
from urllib.parse import urlsplit

from credence.mcp.protocol import (
    HEADER_MISMATCH,
    INVALID_PARAMETERS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    STATELESS,
    UNSUPPORTED_REVISION,
    Message,
    RpcError,
    error_of,
    read_message,
    revision_of,
)
from credence.mcp.server import answer, tool_of
from credence.mcp.tool import Sources, Watching
from credence.mcp.tools import TOOLS
from credence.oauth.bearer import Bearer
from credence.refusals.credentials import INSUFFICIENT_SCOPE
from credence.refusals.refusal import Refused
from credence.refusals.requests import FORBIDDEN, UNSUPPORTED_MEDIA_TYPE
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.dialects.media import MediaType, body_media_type
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import NO_STORE

SCOPES = frozenset(scope for tool in TOOLS for scope in tool.scopes)
"""All scopes that tools need."""

_STATUS: Mapping[int, int] = {
    PARSE_ERROR: 400,
    INVALID_REQUEST: 400,
    INVALID_PARAMETERS: 400,
    HEADER_MISMATCH: 400,
    UNSUPPORTED_REVISION: 400,
    METHOD_NOT_FOUND: 404,
}
"""Error code -> HTTP status in the revision without sessions; any other error is sent with 200."""


async def mcp_message(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Return the answer to a message, 202 for a notification.

    Raises Refused with 403 for a page of another origin or a token without the scopes of the called tool, 415 for a
    body that is not JSON.
    """
    _require_own_origin(service, request)
    if body_media_type(request.headers) is not MediaType.JSON:
        raise Refused(UNSUPPORTED_MEDIA_TYPE, "media_type.unknown")
    message, revision = None, STATELESS
    try:
        message = read_message(request.body)
        revision = revision_of(message, request.headers)
        if message.is_notification:
            return Answer(202, "", b"", (NO_STORE,))
        tool = tool_of(message)
        if tool is not None:
            _require_scopes(request, bearer, tool.scopes)
        watching = Watching(service.authority.store, service.feed, bearer.application.client_id)
        sources = Sources(service.reports, service.searches, service.policies, request.now, watching)
        body = await answer(message, revision, sources)
    except RpcError as error:
        return Answer(_status(error, message, revision), JSON, error_of(error, message), (NO_STORE,))
    return Answer(200, JSON, body, (NO_STORE,), (f"mcp_{tool.name}",) if tool else ())


def _status(error: RpcError, message: Message | None, revision: str) -> int:
    return 200 if message is not None and revision != STATELESS else _STATUS.get(error.code, 200)


def _require_own_origin(service: Service, request: RequestContext) -> None:
    """Raise Refused for a page of another origin: DNS rebinding must not open this machine to other pages."""
    origin = request.headers.get("origin")
    own = urlsplit(service.settings.issuer)
    if origin is not None and origin != f"{own.scheme}://{own.netloc}":
        raise Refused(FORBIDDEN, "origin.foreign")


def _require_scopes(request: RequestContext, bearer: Bearer, scopes: tuple[str, ...]) -> None:
    """Raise Refused if the token lacks a scope of the tool; the challenge names all its scopes (RFC 6750 §3.1)."""
    request.required_scope = " ".join(scopes)
    if not bearer.scopes.issuperset(scopes):
        raise Refused(INSUFFICIENT_SCOPE, "scope.insufficient")
