"""What a served request leaves behind: nothing that only a garbage collection frees (`app.COLLECTION_THRESHOLDS`)."""

import gc
from collections.abc import Awaitable, Callable

import pytest

from credence import paths
from tests.deployment import Deployment, Reply

REQUESTS = 20

Ask = Callable[[Deployment, dict[str, str]], Awaitable[Reply]]


async def refresh(deployment: Deployment, tokens: dict[str, str]) -> Reply:
    reply = await deployment.refresh(tokens["refresh_token"])
    tokens |= reply.json
    return reply


async def client_credentials(deployment: Deployment, _tokens: dict[str, str]) -> Reply:
    form = ("Content-Type", "application/x-www-form-urlencoded")
    return await deployment.send("POST", paths.TOKEN, [deployment.basic, form], b"grant_type=client_credentials")


async def introspection(deployment: Deployment, tokens: dict[str, str]) -> Reply:
    form = ("Content-Type", "application/x-www-form-urlencoded")
    body = f"token={tokens['access_token']}".encode()
    return await deployment.send("POST", paths.INTROSPECTION, [deployment.basic, form], body)


async def login(deployment: Deployment, _tokens: dict[str, str]) -> Reply:
    return await deployment.login()


async def report(deployment: Deployment, tokens: dict[str, str]) -> Reply:
    return await deployment.report(tokens["access_token"])


async def refused(deployment: Deployment, _tokens: dict[str, str]) -> Reply:
    return await deployment.report("no token")


@pytest.mark.parametrize(
    ("ask", "status"),
    [(login, 200), (refresh, 200), (client_credentials, 200), (introspection, 200), (report, 200), (refused, 401)],
)
async def test_a_request_leaves_no_reference_cycles(deployment: Deployment, ask: Ask, status: int) -> None:
    await deployment.change_application(grants=("password", "refresh_token", "client_credentials"))
    tokens = await deployment.tokens()
    await ask(deployment, tokens)
    gc.collect()
    gc.freeze()  # the next collection looks through what the requests leave, and not through all that was there before
    gc.disable()
    try:
        answered = [(await ask(deployment, tokens)).status for _ in range(REQUESTS)]
        unreachable = gc.collect()
    finally:
        gc.enable()
    assert (answered, unreachable) == ([status] * REQUESTS, 0)
