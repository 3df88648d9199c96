"""Helpers for tests of brute force: attempts by account, application and address."""

import json

from credence.web.messages.answer import JSON
from tests.deployment import PASSWORD, TOKEN_PATH, Deployment, Reply

HOME = "192.0.2.7"
ELSEWHERE = "198.51.100.1"
WRONG = "wrong horse battery"
MINUTE = 60_000

WRONG_PASSWORD = (401, "Unauthorized", "Access is denied due to invalid username or password.")


async def present(deployment: Deployment, password: str = PASSWORD, username: str = "ada", peer: str = HOME) -> Reply:
    """One login, as the specification describes it."""
    body = json.dumps({"username": username, "password": password}).encode()
    return await deployment.send("POST", TOKEN_PATH, [*deployment.client, ("Content-Type", JSON)], body, peer)


async def attempt(deployment: Deployment, times: int, username: str = "ada", peer: str = HOME) -> None:
    """Send wrong passwords and check each response."""
    for number in range(times):
        reply = await present(deployment, f"{WRONG} {number}", username, peer)
        assert reply.said == WRONG_PASSWORD


async def guess_from_many_places(deployment: Deployment, places: int, each: int = 5, username: str = "ada") -> None:
    """A botnet that stays below the limit of each origin."""
    for origin in range(places):
        await attempt(deployment, each, username, f"203.0.{origin // 250}.{origin % 250 + 1}")
