"""The address with which a reverse proxy has tokens checked: 204, 401 or 403, and what the fields say."""

import pytest
from msgspec.structs import replace

from credence.paths import FORWARD_AUTH
from tests.deployment import Deployment, Reply
from tests.oauth.proving import Prover
from tests.oauth.standard import ask


async def forwarded(deployment: Deployment, token: str | None, query: str = "") -> Reply:
    bearer = [("Authorization", f"Bearer {token}")] if token else []
    return await deployment.send("GET", FORWARD_AUTH + query, bearer)


async def test_a_good_token_gets_204_with_who_calls(deployment: Deployment) -> None:
    reply = await forwarded(deployment, (await deployment.tokens())["access_token"], "?scope=credit:report")
    assert (reply.status, reply.body) == (204, b"")
    assert reply.headers["x-auth-subject"] == "ada"
    assert reply.headers["x-auth-client"] == deployment.application.client_id
    assert "credit:report" in reply.headers["x-auth-scope"].split(" ")
    assert reply.headers["cache-control"] == "no-store"


async def test_a_token_of_an_application_has_the_application_as_its_subject(deployment: Deployment) -> None:
    """RFC 9068 §2.2."""
    await deployment.change_application(grants=("client_credentials",))
    token = (await ask(deployment, {"grant_type": "client_credentials"})).json["access_token"]
    reply = await forwarded(deployment, token)
    assert reply.headers["x-auth-subject"] == reply.headers["x-auth-client"] == deployment.application.client_id


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("?scope=credit:report", 204),
        ("?scope=credit:report+credit:search", 204),
        ("?scope=credit:report+something", 403),
        ("?scope=something", 403),
        ("?scope=", 204),
        ("?scope=%22x%22", 401),
        ("?scope=a%20%20b", 401),
    ],
)
async def test_every_scope_that_is_required_must_be_there(deployment: Deployment, query: str, status: int) -> None:
    """RFC 6750 §3.1: the challenge names them all."""
    reply = await forwarded(deployment, (await deployment.tokens())["access_token"], query)
    assert reply.status == status
    if status == 403:
        scope = query.removeprefix("?scope=").replace("+", " ")
        assert reply.headers["www-authenticate"] == f'Bearer error="insufficient_scope", scope="{scope}"'


@pytest.mark.parametrize(
    "query", ["?scopes=x", "?Scope=x", "?scope[]=x", "?scope=credit:report&ressource=https://x", "?x"]
)
async def test_a_misspelt_requirement_lets_nobody_pass(deployment: Deployment, query: str) -> None:
    """A guard whose requirement is ignored is open; the operator finds the reason with `credence why`."""
    assert (await forwarded(deployment, (await deployment.tokens())["access_token"], query)).status == 401


@pytest.mark.parametrize("token", [None, "nonsense"])
async def test_anything_else_gets_401_with_a_challenge(deployment: Deployment, token: str | None) -> None:
    reply = await forwarded(deployment, token, "?scope=credit:report")
    assert reply.status == 401
    assert reply.headers["www-authenticate"].startswith("Bearer")


async def test_a_token_is_for_the_resource_that_the_proxy_names(deployment: Deployment) -> None:
    """RFC 8707 §2, RFC 9068 §4: a token for one service does not open another."""
    other = "https://service.example.com"
    await deployment.change_application(grants=("client_credentials",), audiences=(other,))
    own = {"grant_type": "client_credentials"}
    for_other = (await ask(deployment, own | {"resource": other})).json["access_token"]
    for_credence = (await ask(deployment, own)).json["access_token"]
    assert (await forwarded(deployment, for_other, f"?resource={other}")).status == 204
    assert (await forwarded(deployment, for_credence, f"?resource={other}")).status == 401
    assert (await forwarded(deployment, for_other)).status == 401


async def test_a_bound_token_is_refused_without_the_proof_of_its_key(deployment: Deployment) -> None:
    """RFC 9449 §7.2: as a plain bearer token it would be worth stealing."""
    token = await Prover(deployment).token()
    assert (await forwarded(deployment, token)).status == 401


async def test_a_login_name_is_percent_encoded(deployment: Deployment) -> None:
    """RFC 9110 §5.5: a field has visible ASCII characters; the proxy and the service read one value."""
    kept = await deployment.store.account("ada")
    assert kept is not None

    await deployment.store.save_account(replace(kept, username="ana maría, 1%"), deployment.now)
    token = (await deployment.login("ana maría, 1%")).json["access_token"]
    assert (await forwarded(deployment, token)).headers["x-auth-subject"] == "ana%20mar%C3%ADa,%201%25"
