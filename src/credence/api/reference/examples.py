"""Examples for the reference page: a curl command for each operation, and the text of example bodies.

`tests/web/test_reference_is_executed.py` runs every command against a sandbox.
"""

import re
import shlex
from typing import Any
from urllib.parse import quote, urlencode

import msgspec

from credence.oauth.parameters.scopes import API_SCOPES

Document = dict[str, Any]
Call = tuple[str, str, Document]
"""Path, method and operation of the OpenAPI document."""

MERGE_PATCH = "application/merge-patch+json"
_FORM = "application/x-www-form-urlencoded"

_NO_LETTER = re.compile("[^A-Z]")

_BESIDE_A_BODY = frozenset({"If-Match", "MCP-Protocol-Version"})
"""Header fields that a request with a body also needs; the values of all other fields may be sent in the body instead."""


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


def curl(document: Document, call: Call) -> str:
    """Return a shell command that calls the operation, with placeholders for secrets."""
    _, method, operation = call
    bodies = operation.get("requestBody", {}).get("content", {})
    headers = [
        f"{each['name']}: {each['example']}"
        for each in operation.get("parameters", ())
        if each["in"] == "header" and each.get("example") and (not bodies or each["name"] in _BESIDE_A_BODY)
    ]
    server = document["servers"][0]
    authority = f" --cacert {shlex.quote(server['x-ca-file'])}" if "x-ca-file" in server else ""
    bare = method == "delete" or (method == "post" and not bodies)
    post = f" -X {method.upper()}" if bare else ""
    parts = [f"curl -sS{authority}{post} {shlex.quote(server['url'] + target_of(call))}"]
    parts += [f"-H {shlex.quote(header)}" for header in (*_credentials(document, operation), *headers)]
    if method in {"post", "put", "patch"}:
        parts += _body(bodies, method)
    return " \\\n  ".join(parts)


def body_text(value: object, media_type: str) -> str:
    """Return an example body as it is sent, JSON indented."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and media_type == _FORM:
        return urlencode(value, safe="<>:@ ")
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def _body(bodies: Document, method: str) -> list[str]:
    """Return the curl options that send the first example body: JSON if there is one, otherwise a form."""
    for media_type in ("application/json", MERGE_PATCH, _FORM):
        if media_type in bodies:
            first = next(iter(bodies[media_type]["examples"].values()))["value"]
            if media_type == _FORM:
                return [f"-d {shlex.quote(f'{name}={value}')}" for name, value in first.items()]
            put = [] if method == "post" else [f"-X {method.upper()}"]
            text = msgspec.json.encode(first).decode()
            return [*put, f"-H 'Content-Type: {media_type}'", f"-d {shlex.quote(text)}"]
    return []


def _credentials(document: Document, operation: Document) -> list[str]:
    first: Document = next(iter(operation["security"]), {})
    schemes = [document["components"]["securitySchemes"][name] for name in first]
    scope = operation.get("x-scope")
    # A token has a scope outside API_SCOPES only if the token request names it.
    named = f"_WITH_{_NO_LETTER.sub('_', scope.upper())}" if scope and scope not in API_SCOPES else ""
    if operation.get("x-own-resource"):  # a token for another resource: the token request must name the resource
        named = "_FOR_AGENTS"
    token = f"<ACCESS_TOKEN{named}>"
    return [
        f"Authorization: Bearer {token}"
        if scheme["type"] == "http"
        else f"{scheme['name']}: <{scheme['name'].upper()}>"
        for scheme in schemes
    ]
