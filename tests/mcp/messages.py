"""Messages of the protocol, as clients of each revision send them, and their answers over HTTP."""

import json
from typing import Any

from tests.deployment import Deployment, Header, Reply

STATELESS, NEWER, OLDER = "2026-07-28", "2025-11-25", "2025-06-18"
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": STATELESS,
    "io.modelcontextprotocol/clientCapabilities": {},
}


def request(method: str, **parameters: Any) -> dict[str, Any]:
    """A request of a revision that begins with `initialize`."""
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}


def stateless(method: str, **parameters: Any) -> dict[str, Any]:
    """A request of the revision without sessions."""
    return request(method, _meta=ENVELOPE, **parameters)


def fields(message: dict[str, Any]) -> list[Header]:
    """The header fields that repeat a message of the revision without sessions."""
    repeated = [("MCP-Protocol-Version", STATELESS), ("Mcp-Method", message["method"])]
    name = message["params"].get("name") or message["params"].get("uri")
    return [*repeated, ("Mcp-Name", name)] if name else repeated


async def token(deployment: Deployment, resource: str | None = None, **more: str) -> str:
    """An access token for agents, or for another resource."""
    named = resource or f"{deployment.service.settings.issuer}/mcp"
    form = "&".join(f"{name}={value}" for name, value in {"resource": named, **more}.items())
    reply = await deployment.send(
        "POST",
        "/oauth2/v1/token",
        [deployment.basic, ("Content-Type", "application/x-www-form-urlencoded")],
        f"grant_type=password&username=ada&password=correct+horse+battery&{form}".encode(),
    )
    assert reply.status == 200, reply
    found: str = reply.json["access_token"]
    return found


async def post(
    deployment: Deployment, access_token: str | None, message: object, headers: list[Header] | None = None
) -> Reply:
    """Send a message; `bytes` are sent as they are."""
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    repeated = fields(message) if headers is None and isinstance(message, dict) else headers or []
    bearer = [("Authorization", f"Bearer {access_token}")] if access_token else []
    return await deployment.send("POST", "/mcp", [("Content-Type", "application/json"), *bearer, *repeated], body)
