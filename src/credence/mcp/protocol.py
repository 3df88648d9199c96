"""The messages of the protocol: JSON-RPC 2.0 in three revisions.

The revision of 2026-07-28 has no session: each request carries its revision and the client's capabilities, and over
HTTP repeats revision, method and name in header fields, which must agree. The two earlier revisions begin with
`initialize`.
"""

import base64
import binascii
import re
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from credence import __version__
from credence.refusals.refusal import Refused
from credence.screening.json_shape import check_shape, has_unique_names
from credence.screening.limits import Limits

STATELESS = "2026-07-28"
HANDSHAKE = ("2025-11-25", "2025-06-18")
"""The revisions that begin with `initialize`, the newest first."""

SUPPORTED = (STATELESS, *HANDSHAKE)

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMETERS = -32602
INTERNAL_ERROR = -32603
RESOURCE_NOT_FOUND = -32002
"""The error code in the revisions that begin with `initialize`; the later revision uses INVALID_PARAMETERS."""
HEADER_MISMATCH = -32020
UNSUPPORTED_REVISION = -32022

_META = "io.modelcontextprotocol/"
REVISION_KEY, CAPABILITIES_KEY, SERVER_KEY = (
    f"{_META}protocolVersion",
    f"{_META}clientCapabilities",
    f"{_META}serverInfo",
)

REVISION_FIELD, METHOD_FIELD, NAME_FIELD = "mcp-protocol-version", "mcp-method", "mcp-name"
"""Header fields of the HTTP transport, in lower case."""

SERVER = {"name": "credence", "title": "Credence", "version": __version__}

LIMITS = Limits(depth=12, containers=500, members=100, elements=100)
"""Limits of the structure of a message.

Clients describe their capabilities in each message, nested deeper than any request of the API.
"""

_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""Method -> the parameter that its `Mcp-Name` header field repeats."""


class RpcError(Exception):
    """The answer is an error instead of a result. `identifier` is the id of a message that cannot be parsed further."""

    def __init__(
        self,
        code: int,
        message: str,
        data: Mapping[str, object] | None = None,
        *,
        identifier: int | str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data
        self.identifier = identifier


class Message(msgspec.Struct, frozen=True):
    """A request, or a notification if it has no `id` (JSON-RPC 2.0 §4)."""

    jsonrpc: Literal["2.0"]
    method: str
    id: int | str | msgspec.UnsetType = msgspec.UNSET
    params: dict[str, Any] = {}

    @property
    def is_notification(self) -> bool:
        """Whether the message has no `id`, so that no answer is expected."""
        return self.id is msgspec.UNSET

    @property
    def meta(self) -> Mapping[str, Any]:
        """The member `_meta` of the parameters; empty if it is missing."""
        found = self.params.get("_meta")
        return found if isinstance(found, dict) else {}


class _Identified(msgspec.Struct):
    id: int | str | None = None


_decode = msgspec.json.Decoder(Message).decode
_decode_identifier = msgspec.json.Decoder(_Identified).decode

_NOT_JSON = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""The errors of a body that is not JSON. ValidationError, a subclass of DecodeError, is caught before."""


def read_message(body: bytes) -> Message:
    """Return the message in a body or line.

    Raises RpcError if it is not one JSON-RPC 2.0 request or notification. The error has the id of the message if that
    can be parsed (MCP, error responses).
    """
    try:
        if _may_exceed(body):
            check_shape(body, LIMITS)
        message = _decode(body)
    except Refused:
        raise RpcError(INVALID_REQUEST, "The body has more structure than a message may have.") from None
    except msgspec.ValidationError:
        raise RpcError(
            INVALID_REQUEST,
            "The body must be one JSON-RPC 2.0 request or notification.",
            identifier=_identifier(body),
        ) from None
    except _NOT_JSON:
        raise RpcError(PARSE_ERROR, "The body is not JSON.") from None
    if not has_unique_names(body):
        raise RpcError(INVALID_REQUEST, "An object of the body has two members of one name.")
    return message


def _may_exceed(body: bytes) -> bool:
    """Return whether the body may exceed LIMITS; most messages have too few brackets and commas, and need no check."""
    return body.count(b"{") + body.count(b"[") > LIMITS.depth or body.count(b",") >= LIMITS.members


def _identifier(body: bytes) -> int | str | None:
    """Return the id of a body that is not a valid message, None if it has no id. Raises RpcError if the body is not JSON."""
    try:
        return _decode_identifier(body).id
    except msgspec.ValidationError:
        return None
    except _NOT_JSON:
        raise RpcError(PARSE_ERROR, "The body is not JSON.") from None


def revision_of(message: Message, headers: Mapping[str, str] | None) -> str:
    """Return the revision that a message is written in; `headers` is None on a transport without header fields.

    Raises RpcError in the order of the specification: a missing member of `_meta`, a header field that differs from the
    body, an unsupported revision.
    """
    named = None if headers is None else headers.get(REVISION_FIELD)
    if REVISION_KEY not in message.meta:
        if message.method == "initialize" or named in HANDSHAKE:
            return named or HANDSHAKE[0]
        if named is None and (headers is None or message.is_notification):
            return HANDSHAKE[0]
        if named is None:
            raise RpcError(HEADER_MISMATCH, f"The header field {REVISION_FIELD} is missing.")
    if message.is_notification:
        return _supported(named if headers is not None else message.meta.get(REVISION_KEY))
    missing = [key for key in (REVISION_KEY, CAPABILITIES_KEY) if key not in message.meta]
    if missing or not isinstance(message.meta[CAPABILITIES_KEY], dict):
        wrong = " and ".join(missing) or CAPABILITIES_KEY
        raise RpcError(INVALID_PARAMETERS, f"The member _meta of the parameters must have {wrong}.")
    if headers is not None:
        _require_equal(message, headers)
    return _supported(message.meta[REVISION_KEY])


def result_of(message: Message, revision: str, members: Mapping[str, object], *, cached: bool = False) -> bytes:
    """Return the answer to a request.

    `cached` marks a result that is the same for every caller of this version of Credence.
    """
    result = dict(members)
    if revision == STATELESS:
        result |= {"resultType": "complete", "_meta": {SERVER_KEY: SERVER}}
        if cached:
            result |= {"ttlMs": 3_600_000, "cacheScope": "public"}
    return msgspec.json.encode({"jsonrpc": "2.0", "id": message.id, "result": result})


def error_of(error: RpcError, message: Message | None) -> bytes:
    """Return the answer that carries an error; the id is null if the message could not be read."""
    told: dict[str, object] = {"code": error.code, "message": error.message}
    if error.data is not None:
        told["data"] = error.data
    identifier = error.identifier if message is None or message.is_notification else message.id
    return msgspec.json.encode({"jsonrpc": "2.0", "id": identifier, "error": told})


def repeated_fields(message: Message) -> dict[str, Any]:
    """Return the header fields by which a request of the revision without sessions repeats its body over HTTP."""
    repeated = {REVISION_FIELD: message.meta[REVISION_KEY], METHOD_FIELD: message.method}
    parameter = _NAMED.get(message.method)
    if parameter and parameter in message.params:
        repeated[NAME_FIELD] = message.params[parameter]
    return repeated


def _require_equal(message: Message, headers: Mapping[str, str]) -> None:
    for field, value in repeated_fields(message).items():
        sent = headers.get(field)
        if field == NAME_FIELD and sent is not None:
            sent = _decoded(sent)
        if sent != value:
            raise RpcError(HEADER_MISMATCH, f"The header field {field} does not repeat the value of the body.")


_ENCODED = re.compile(r"=\?base64\?([A-Za-z0-9+/=]*)\?=").fullmatch


def _decoded(value: str) -> str | None:
    """Return the value of a header field, with its encoding for non-ASCII text decoded; None if the encoding is damaged."""
    match = _ENCODED(value)
    if match is None:
        return value
    try:
        return base64.b64decode(match[1], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None


def _supported(revision: object) -> str:
    if isinstance(revision, str) and revision in SUPPORTED:
        return revision
    raise RpcError(
        UNSUPPORTED_REVISION, "Unsupported protocol version", {"supported": list(SUPPORTED), "requested": revision}
    )
