"""Documentation of the MCP endpoint."""

from typing import Annotated, Any, Literal

import msgspec

from credence.meanings import meaning
from credence.refusals.requests import UNSUPPORTED_MEDIA_TYPE
from credence.web.messages.answer import JSON
from credence.web.routing.operation import Content, Operation, Parameter


class McpMessage(msgspec.Struct, omit_defaults=True):
    """A request or a notification in JSON-RPC 2.0."""

    jsonrpc: Annotated[Literal["2.0"], meaning("The version of JSON-RPC.")]
    method: Annotated[str, meaning("The method, such as `tools/list` or `tools/call`.")]
    id: Annotated[int | None, meaning("A number, or a text; the answer repeats it. A notification has no id.")] = None
    params: Annotated[dict[str, Any] | None, meaning("The parameters of the method.")] = None


class McpError(msgspec.Struct, omit_defaults=True):
    """Why there is no result."""

    code: Annotated[int, meaning("Code of JSON-RPC or of the protocol.", example=-32601)]
    message: Annotated[str, meaning("The error in a sentence.", example="This server has no such method.")]
    data: Annotated[
        dict[str, Any] | None,
        meaning("More about it.", example={"supported": ["2026-07-28"], "requested": "1900-01-01"}),
    ] = None


class McpAnswer(msgspec.Struct, omit_defaults=True):
    """The answer to one request."""

    jsonrpc: Annotated[Literal["2.0"], meaning("The version of JSON-RPC.")]
    id: Annotated[int | None, meaning("The id of the request; null for a message that could not be read.")] = None
    result: Annotated[dict[str, Any] | None, meaning("What the method returns; absent with an error.")] = None
    error: Annotated[McpError | None, meaning("Absent with a result.")] = None


_CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "company_summary", "arguments": {"number": "99999999"}},
}
_RESULT = {
    "jsonrpc": "2.0",
    "id": 1,
    "result": {
        "content": [{"type": "text", "text": "Data from public registers and filed accounts. (…)"}],
        "structuredContent": {
            "RegNumber": "99999999",
            "Name": "TEST SPECIMEN TRADING LIMITED",
            "Score": 86,
            "Band": "A",
        },
        "isError": False,
    },
}

MCP_MESSAGE = Operation(
    id="mcp_message",
    tag="Credit risk",
    summary="Model Context Protocol",
    description=(
        "Language-model agents search companies, read reports by section, compare companies and have scores explained. "
        "Revisions 2026-07-28, 2025-11-25 and 2025-06-18. The resource has an audience of its own: request a token with "
        "`resource` set to this address. A tool needs the scope of the route that it reads."
    ),
    parameters=(
        Parameter(
            "MCP-Protocol-Version",
            "header",
            "The revision. With 2026-07-28 the body repeats it, and `Mcp-Method` and `Mcp-Name` repeat the body.",
            "2025-11-25",
        ),
    ),
    bodies=(Content(JSON, (McpMessage,), {"A call": _CALL}),),
    answers=(Content(JSON, (McpAnswer,), {"A result": _RESULT}), Content("", status=202)),
    refusals=(UNSUPPORTED_MEDIA_TYPE,),
)
