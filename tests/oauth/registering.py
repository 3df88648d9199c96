"""Registration as a client does it (RFC 7591 §3.1, RFC 7592 §2)."""

import json
from typing import Any

from credence.oauth.registration.invitation import new_invitation, write
from credence.store.records import Pkce
from tests.deployment import NOW, Deployment, Reply

PATH = "/oauth2/v1/register"
JSON = ("Content-Type", "application/json")
HOUR = 3_600_000


def invited(
    deployment: Deployment,
    uses: int = 1,
    grants: tuple[str, ...] = ("client_credentials",),
    scopes: tuple[str, ...] = ("credit:report", "credit:search"),
    audiences: tuple[str, ...] = (),
    pkce: Pkce = "or_nonce",
) -> str:
    """Return an initial access token that is good for an hour."""
    key = deployment.service.authority.secrets.digest
    return write("sbx", key, new_invitation(NOW + HOUR, uses, grants, scopes, audiences, pkce))


async def send(
    deployment: Deployment, method: str, path: str, token: str | None, metadata: dict[str, Any] | None = None
) -> Reply:
    bearer = [] if token is None else [("Authorization", f"Bearer {token}")]
    body = b"" if metadata is None else json.dumps(metadata).encode()
    return await deployment.send(method, path, [JSON, *bearer], body)


async def register(deployment: Deployment, token: str | None = None, **metadata: Any) -> Reply:
    return await send(deployment, "POST", PATH, token or invited(deployment), metadata)


async def registered(deployment: Deployment, token: str | None = None, **metadata: Any) -> dict[str, Any]:
    reply = await register(deployment, token, **metadata)
    assert reply.status == 201, reply
    information: dict[str, Any] = reply.json
    return information


async def manage(
    deployment: Deployment, method: str, information: dict[str, Any], metadata: dict[str, Any] | None = None
) -> Reply:
    """Send a request to the address of the registration, with its token."""
    path = information["registration_client_uri"].removeprefix("https://localhost:8443")
    return await send(deployment, method, path, information["registration_access_token"], metadata)


SAID_BY_THE_SERVICE = (
    "registration_access_token",
    "registration_client_uri",
    "client_secret_expires_at",
    "client_id_issued_at",
)


def resent(information: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return what a client sends that changes nothing else (RFC 7592 §2.2)."""
    return {name: value for name, value in information.items() if name not in SAID_BY_THE_SERVICE} | changes
