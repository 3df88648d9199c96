"""The client credentials grant: an application for itself (RFC 6749 §4.4, RFC 9068)."""

from typing import Any

from credence import paths
from tests.deployment import NOW, Deployment, claims
from tests.oauth.standard import ask, error

API = "credit:report credit:search credit:directors"


async def obtain(deployment: Deployment, **more: str) -> dict[str, Any]:
    await deployment.change_application(grants=("client_credentials",))
    reply = await ask(deployment, {"grant_type": "client_credentials", **more})
    assert reply.status == 200, reply
    tokens: dict[str, Any] = reply.json
    return tokens


async def test_the_token_speaks_for_the_application(deployment: Deployment) -> None:
    """RFC 9068 §2.2: without a resource owner `sub` names the client; RFC 6749 §4.4.3: no refresh token."""
    tokens = await obtain(deployment)
    said = claims(tokens["access_token"])
    assert said["sub"] == said["client_id"] == deployment.application.client_id
    assert said["account_type"] == "application"
    assert "sid" not in said
    assert "auth_time" not in said
    assert "refresh_token" not in tokens
    assert (tokens["token_type"], tokens["expires_in"], tokens["scope"]) == ("Bearer", 10_800, API)


async def test_it_opens_a_report_until_it_is_revoked(deployment: Deployment) -> None:
    """RFC 7009 §2, D11."""
    token = (await obtain(deployment))["access_token"]
    assert (await deployment.report(token)).status == 200
    assert (await deployment.revoke(token)).status == 200
    assert (await deployment.report(token)).status == 401


async def test_it_ends_with_its_application(deployment: Deployment) -> None:
    """threats L5, L6: the strictest rule wins."""
    token = (await obtain(deployment))["access_token"]
    await deployment.change_application(not_before=NOW + 1)
    assert (await deployment.report(token)).status == 401
    deployment.now += 1_000
    fresh = (await obtain(deployment))["access_token"]
    assert (await deployment.report(fresh)).status == 200
    await deployment.change_application(disabled=True)
    assert (await deployment.report(fresh)).status == 401


async def test_two_tokens_of_one_instant_are_two(deployment: Deployment) -> None:
    """threats T16."""
    first, second = await obtain(deployment), await obtain(deployment)
    assert claims(first["access_token"])["jti"] != claims(second["access_token"])["jti"]


async def test_an_application_without_the_grant_is_refused(deployment: Deployment) -> None:
    """D25, RFC 6749 §5.2 unauthorized_client."""
    assert error(await ask(deployment, {"grant_type": "client_credentials"})) == (400, "unauthorized_client")


async def test_openid_is_refused_without_an_account(deployment: Deployment) -> None:
    """OpenID Connect tells of a person; an application that asks for `openid` asks for what it cannot have."""
    await deployment.change_application(grants=("client_credentials",))
    reply = await ask(deployment, {"grant_type": "client_credentials", "scope": "openid"})
    assert error(reply) == (400, "invalid_scope")


async def test_the_house_dialect_gets_the_same_decision(deployment: Deployment) -> None:
    """D10: one core, digits as strings."""
    await deployment.change_application(grants=("client_credentials",))
    headers = [*deployment.client, ("Content-Type", "application/json"), ("grant_type", "client_credentials")]
    reply = await deployment.send("POST", "/oauth2/v1/token", headers, b"{}")
    assert (reply.status, reply.json["expires_in"]) == (200, "10800")


async def test_it_makes_the_stream_of_the_application_if_the_request_names_the_scope(deployment: Deployment) -> None:
    """docs/shared-signals.md: the receiver of a stream needs no account."""
    alone = (await obtain(deployment))["access_token"]
    named = (await obtain(deployment, scope="ssf.manage"))["access_token"]

    async def made(token: str) -> int:
        fields = [("Authorization", f"Bearer {token}"), ("Content-Type", "application/json")]
        return (await deployment.send("POST", paths.SIGNAL_STREAMS, fields, b"{}")).status

    assert [await made(alone), await made(named)] == [403, 201]
