"""One type of token is not another: each type at each endpoint (threats T8)."""

from collections.abc import Awaitable, Callable

import pytest

from credence import paths
from tests.deployment import Deployment, Reply
from tests.oauth.exchanging import exchange, service
from tests.oauth.standard import ask, log_in

Place = Callable[[Deployment, str], Awaitable[bool]]


async def opens_a_report(deployment: Deployment, token: str) -> bool:
    return (await deployment.report(token)).status == 200


async def opens_the_user_information(deployment: Deployment, token: str) -> bool:
    return (await ask(deployment, {"access_token": token}, (), path=paths.USER_INFO)).status == 200


async def refreshes(deployment: Deployment, token: str) -> bool:
    return obtained(await ask(deployment, {"grant_type": "refresh_token", "refresh_token": token}))


async def is_exchanged(deployment: Deployment, token: str) -> bool:
    return obtained(await exchange(await service(deployment), token))


async def is_active(deployment: Deployment, token: str) -> bool:
    reply = await ask(deployment, {"token": token}, path="/oauth2/v1/introspect")
    assert reply.status == 200
    active: bool = reply.json["active"]
    return active


PLACES: dict[Place, set[str]] = {
    opens_a_report: {"access_token"},
    opens_the_user_information: {"access_token"},
    refreshes: {"refresh_token"},
    is_exchanged: {"access_token"},
    is_active: {"access_token", "refresh_token"},
}
"""Where a token is taken, and of which kinds."""


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__)
@pytest.mark.parametrize("kind", ["access_token", "refresh_token", "id_token"])
async def test_each_is_good_where_it_belongs_and_nowhere_else(deployment: Deployment, kind: str, place: Place) -> None:
    """threats T8. The tokens are of one login with every scope, so only their kind can be the reason."""
    tokens = (await log_in(deployment, scope="openid profile email credit:report")).json
    assert await place(deployment, tokens[kind]) is (kind in PLACES[place])


def obtained(reply: Reply) -> bool:
    assert reply.status in {200, 400}
    return reply.status == 200
