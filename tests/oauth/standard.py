"""Requests in the standard dialect (RFC 6749): a form, and a client that authenticates itself."""

from collections.abc import Iterable
from urllib.parse import urlencode

from tests.deployment import PASSWORD, TOKEN_PATH, Deployment, Header, Reply

FORM = ("Content-Type", "application/x-www-form-urlencoded")


async def ask(
    deployment: Deployment,
    fields: dict[str, str] | list[tuple[str, str]],
    headers: Iterable[Header] | None = None,
    path: str = TOKEN_PATH,
) -> Reply:
    """Send a form; the application proves itself by HTTP Basic unless other headers are given."""
    chosen = [deployment.basic] if headers is None else headers
    return await deployment.send("POST", path, [FORM, *chosen], urlencode(fields).encode())


async def log_in(deployment: Deployment, **more: str) -> Reply:
    """Ask for a token by password."""
    return await ask(deployment, {"grant_type": "password", "username": "ada", "password": PASSWORD, **more})


def error(reply: Reply) -> tuple[int, str]:
    """Status and code of a refusal (RFC 6749 §5.2)."""
    return reply.status, reply.json["error"]
