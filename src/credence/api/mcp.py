"""POST /mcp: the Model Context Protocol over HTTP, a protected resource of its own (D32).

Every message is answered with one JSON body; there is no stream and no session, so GET and DELETE are answered with
405.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from msgspec import Struct

from credence.api.resources.acting import acting_for_itself
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
from credence.mcp.server import answer, companies_of, tool_of
from credence.mcp.tool import Sources, Watching
from credence.mcp.tools import TOOLS
from credence.meanings import meaning
from credence.oauth.bearer import Bearer
from credence.oauth.parameters.scopes import REPORT
from credence.oauth.report_rights import use_rights
from credence.refusals.credentials import INSUFFICIENT_SCOPE
from credence.refusals.refusal import Refused
from credence.refusals.requests import FORBIDDEN, UNSUPPORTED_MEDIA_TYPE
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import NO_STORE
from credence.web.messages.request import MediaType, body_media_type
from credence.web.routing.operation import Content, Parameter

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


class McpMessage(Struct, omit_defaults=True):
    """A request or a notification in JSON-RPC 2.0."""

    jsonrpc: Annotated[Literal["2.0"], meaning("The version of JSON-RPC.")]
    method: Annotated[str, meaning("The method, such as `tools/list` or `tools/call`.")]
    id: Annotated[int | None, meaning("A number, or a text; the answer repeats it. A notification has no id.")] = None
    params: Annotated[dict[str, Any] | None, meaning("The parameters of the method.")] = None


class McpError(Struct, omit_defaults=True):
    """Why there is no result."""

    code: Annotated[int, meaning("Code of JSON-RPC or of the protocol.", example=-32601)]
    message: Annotated[str, meaning("The error in a sentence.", example="This server has no such method.")]
    data: Annotated[
        dict[str, Any] | None,
        meaning("More about it.", example={"supported": ["2026-07-28"], "requested": "1900-01-01"}),
    ] = None


class McpAnswer(Struct, omit_defaults=True):
    """The answer to one request."""

    jsonrpc: Annotated[Literal["2.0"], meaning("The version of JSON-RPC.")]
    id: Annotated[int | None, meaning("The id of the request; null for a message that could not be read.")] = None
    result: Annotated[dict[str, Any] | None, meaning("What the method returns; absent with an error.")] = None
    error: Annotated[McpError | None, meaning("Absent with a result.")] = None


_REVISION = Parameter(
    "MCP-Protocol-Version",
    "header",
    "The revision. With 2026-07-28 the body repeats it, and `Mcp-Method` and `Mcp-Name` repeat the body.",
    "2025-11-25",
)


async def mcp_message(
    service: Service, request: Annotated[RequestContext, _REVISION, Content(JSON, (McpMessage,))], bearer: Bearer
) -> Annotated[Answer, McpAnswer, Content("", status=202), UNSUPPORTED_MEDIA_TYPE]:
    """Model Context Protocol.

    Language-model agents search companies, read reports by section, compare companies and have scores explained. Revisions
    2026-07-28, 2025-11-25 and 2025-06-18. The resource has an audience of its own: request a token with `resource` set to
    this address. A tool needs the scope of the route that it reads.

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
            if bearer.rights is not None and REPORT in tool.scopes:
                await use_rights(service.authority, bearer, companies_of(message), request.now)
        watching = Watching(acting_for_itself(service, request, bearer), service.feed)
        only = () if bearer.rights is None else bearer.rights.companies
        sources = Sources(service.reports, service.searches, service.policies, request.now, watching, only)
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
