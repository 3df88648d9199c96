"""Requests to the JSON resources of monitoring."""

import json
from typing import Any

from credence import paths
from tests.deployment import Deployment, Reply
from tests.oauth.standard import log_in

SCOPE = "credit:report credit:monitor"


async def call(
    deployment: Deployment, method: str, target: str, body: Any = None, *, scope: str = SCOPE, **fields: str
) -> Reply:
    """Send a request with a token of this scope; underscores in the names of fields are hyphens."""
    token = (await log_in(deployment, scope=scope)).json["access_token"]
    headers = {"content-type": "application/json"} | {name.replace("_", "-"): value for name, value in fields.items()}
    encoded = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    return await deployment.send(method, target, [("Authorization", f"Bearer {token}"), *headers.items()], encoded)


async def portfolio(deployment: Deployment, **members: Any) -> str:
    """Make a portfolio and return its path."""
    reply = await call(deployment, "POST", paths.PORTFOLIOS, {"name": "North"} | members)
    assert reply.status == 201, reply.body
    return reply.headers["location"]
