"""Examples for the reference page: a curl command for each operation, and bodies as text."""

import shlex
from typing import Any

import msgspec

Document = dict[str, Any]
Call = tuple[str, str, Document]
"""Path, method and operation of the OpenAPI document."""


def curl(document: Document, call: Call) -> str:
    """Return a shell command that calls the operation, with placeholders for secrets."""
    path, method, operation = call
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    query = ""
    headers: list[str] = []
    for parameter in operation.get("parameters", ()):
        name, example = parameter["name"], str(parameter.get("example", ""))
        match parameter["in"]:
            case "path":
                path = path.replace(f"{{{name}}}", example)
            case "query" if example and not query:
                query = f"?{name}={example}"
            case "header" if not body:
                headers.append(f"{name}: {example}")
    url = document["servers"][0]["url"] + path + query
    parts = [f"curl -sS{' -X POST' if method == 'post' else ''} {shlex.quote(url)}"]
    parts += [f"-H {shlex.quote(header)}" for header in (*_credentials(document, operation), *headers)]
    if body:
        first = next(iter(body["examples"].values()))["value"]
        parts += ["-H 'Content-Type: application/json'", f"-d {shlex.quote(msgspec.json.encode(first).decode())}"]
    return " \\\n  ".join(parts)


def body_text(value: object, media_type: str) -> str:
    """Return an example body as it is sent, JSON indented."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and media_type.endswith("x-www-form-urlencoded"):
        return "&".join(f"{name}={each}" for name, each in value.items())
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def _credentials(document: Document, operation: Document) -> list[str]:
    first: Document = next(iter(operation["security"]), {})
    schemes = [document["components"]["securitySchemes"][name] for name in first]
    return [
        "Authorization: Bearer <ACCESS_TOKEN>"
        if scheme["type"] == "http"
        else f"{scheme['name']}: <{scheme['name'].upper()}>"
        for scheme in schemes
    ]
