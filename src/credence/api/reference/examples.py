"""The example request of each operation for the reference, and the text of example bodies.

`samples.py` writes a request as a program. `tests/web/test_reference_is_executed.py` runs every program against a sandbox.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

import msgspec

from credence.oauth.parameters.scopes import API_SCOPES

Document = dict[str, Any]
Call = tuple[str, str, Document]
"""Path, method and operation of the OpenAPI document."""

_FORM = "application/x-www-form-urlencoded"
_SENT = ("application/json", "application/merge-patch+json", _FORM)
"""The media types of an example body; the first that the operation takes is sent."""

_NO_LETTER = re.compile("[^A-Z]")

_BESIDE_A_BODY = frozenset({"If-Match", "MCP-Protocol-Version"})
"""Header fields that a request with a body also needs; the values of all other fields may be sent in the body instead."""


@dataclass(frozen=True, slots=True)
class Example:
    """A request with placeholders for secrets. It has a form, or a value that is sent as JSON, or neither."""

    method: str
    url: str
    headers: Mapping[str, str]
    authority: str
    """The file of the certificate authority to trust; empty for those that clients trust already."""
    form: Mapping[str, object] | None = None
    json: object = None
    media_type: str = ""


def example_of(document: Document, call: Call) -> Example:
    """Return the example request of an operation."""
    _, method, operation = call
    bodies = operation.get("requestBody", {}).get("content", {})
    headers = dict(_credentials(document, operation)) | {
        each["name"]: each["example"]
        for each in operation.get("parameters", ())
        if each["in"] == "header" and each.get("example") and (not bodies or each["name"] in _BESIDE_A_BODY)
    }
    server = document["servers"][0]
    media_type = next((each for each in _SENT if each in bodies), "")
    body = next(iter(bodies[media_type]["examples"].values()))["value"] if media_type else None
    is_form = media_type == _FORM
    return Example(
        method.upper(),
        server["url"] + target_of(call),
        headers,
        server.get("x-ca-file", ""),
        body if is_form else None,
        None if is_form else body,
        media_type,
    )


def target_of(call: Call) -> str:
    """Return path and query of an example request of the operation."""
    path, _, operation = call
    query = ""
    for parameter in operation.get("parameters", ()):
        name, example = parameter["name"], str(parameter.get("example", ""))
        if parameter["in"] == "path":
            path = path.replace(f"{{{name}}}", example)
        elif parameter["in"] == "query" and example and not query:
            query = f"?{name}={quote(example)}"
    return path + query


def body_text(value: object, media_type: str) -> str:
    """Return an example body as it is sent, JSON indented."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and media_type == _FORM:
        return urlencode(value, safe="<>:@ ")
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def _credentials(document: Document, operation: Document) -> Iterator[tuple[str, str]]:
    first: Document = next(iter(operation["security"]), {})
    scope = operation.get("x-scope")
    # A token has a scope outside API_SCOPES only if the token request names it.
    named = f"_WITH_{_NO_LETTER.sub('_', scope.upper())}" if scope and scope not in API_SCOPES else ""
    if operation.get("x-own-resource"):  # a token for another resource: the token request must name the resource
        named = "_FOR_AGENTS"
    for name in first:
        scheme = document["components"]["securitySchemes"][name]
        if scheme["type"] == "http":
            yield "Authorization", f"Bearer <ACCESS_TOKEN{named}>"
        else:
            yield scheme["name"], f"<{scheme['name'].upper()}>"
