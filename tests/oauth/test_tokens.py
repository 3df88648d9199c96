"""The claims and the lifetime of an access token (spec §2.3, §3.1, §5.4, §8, D4, D5)."""

import json

import pytest

from credence import paths
from credence.crypto import base64url
from credence.identity import accounts
from credence.oauth.keys.secrets import ForeignStore, load_secrets
from tests.deployment import KEKS, NOW, PASSWORD, Deployment, claims
from tests.memory_store import MemoryStore


async def test_an_access_token_has_its_subject_and_its_expiry(deployment: Deployment) -> None:
    """D4, D5: the claims existing clients read, and issued_at // 1000 == iat, exp == iat + expires_in (threats L10)."""
    tokens = await deployment.tokens()
    said = claims(tokens["access_token"])
    header = json.loads(base64url.decode(tokens["access_token"].split(".")[0]))
    assert header["typ"] == "at+jwt"
    assert said["iss"] == said["aud"] == "https://localhost:8443"
    assert said["client_id"] == deployment.application.client_id
    assert (said["sub"], said["account_type"]) == ("ada", "user")
    assert (said["Email"], said["FirstName"], said["LastName"]) == ("ada@example.com", "Ada", "Lovelace")
    assert said["iat"] == int(tokens["issued_at"]) // 1000
    assert said["exp"] == said["iat"] + int(tokens["expires_in"])
    assert said["jti"] == f"{said['sid']}.0"
    assert said["scope"] == "credit:report credit:search credit:directors"
    assert said["auth_time"] == said["iat"]


async def test_a_service_account_has_no_profile(deployment: Deployment) -> None:
    """D5, spec §1.6: JSON null, not an absent member."""
    kept = await deployment.store.account("ada")
    assert kept is not None
    service = accounts.register("batch", "service", kept.password_hash, NOW, email="ignored@example.com")
    await deployment.store.save_account(service, NOW)
    said = claims((await deployment.login("batch")).json["access_token"])
    assert said["account_type"] == "service"
    assert [said[name] for name in ("Email", "FirstName", "LastName")] == [None, None, None]


@pytest.mark.settings(access_token_lifetime_seconds=600)
async def test_lifetimes_are_settings_with_overrides_per_application(deployment: Deployment) -> None:
    """D4, spec §8.1, §8.2."""
    assert (await deployment.tokens())["expires_in"] == "600"
    await deployment.change_application(access_token_lifetime=1)
    tokens = await deployment.tokens()
    assert tokens["expires_in"] == "1"
    deployment.now += 1_000
    assert (await deployment.report(tokens["access_token"])).status == 401


async def test_a_token_expires_exactly_at_issued_at_plus_expires_in(deployment: Deployment) -> None:
    """spec §5.4: expiry time = issued_at + expires_in, to the millisecond."""
    tokens = await deployment.tokens()
    expiry = int(tokens["issued_at"]) + int(tokens["expires_in"]) * 1000
    deployment.now = expiry - 1
    assert (await deployment.report(tokens["access_token"])).status == 200
    deployment.now = expiry
    assert (await deployment.report(tokens["access_token"])).status == 401


async def test_a_store_of_one_environment_is_refused_by_another() -> None:
    """D18: sandbox credentials never work in production, whatever folder it is pointed at."""
    store = MemoryStore()
    await load_secrets(store, KEKS, "sandbox")
    assert await load_secrets(store, KEKS, "sandbox")
    with pytest.raises(ForeignStore, match="belongs to sandbox"):
        await load_secrets(store, KEKS, "production")


async def test_a_clock_far_in_the_past_does_not_leave_the_service_without_a_key(deployment: Deployment) -> None:
    """threats T11, E7."""
    deployment.now = NOW - 91 * 86_400_000
    assert (await deployment.login()).status == 200


@pytest.mark.settings(experianone_token_path=True)
@pytest.mark.parametrize("accept", ["application/json", "application/xml"])
async def test_the_second_path_of_the_token_endpoint_has_issued_at_in_seconds(
    deployment: Deployment, accept: str
) -> None:
    """D4: clients that compare issued_at with a clock in seconds renew in time; all else is as at the first path."""
    replies = [
        await deployment.send(
            "POST",
            path,
            [*deployment.client, ("Content-Type", "application/json"), ("Accept", accept)],
            json.dumps({"username": "ada", "password": PASSWORD}).encode(),
        )
        for path in (paths.TOKEN, paths.TOKEN_IN_SECONDS)
    ]
    assert [reply.status for reply in replies] == [200, 200]
    assert str(NOW // 1000 * 1000).encode() in replies[0].body
    assert f'{NOW // 1000}"'.encode() in replies[1].body or f">{NOW // 1000}<".encode() in replies[1].body
    form = [deployment.basic, ("Content-Type", "application/x-www-form-urlencoded")]
    body = f"grant_type=password&username=ada&password={PASSWORD.replace(' ', '+')}".encode()
    standard = (await deployment.send("POST", paths.TOKEN_IN_SECONDS, form, body)).json
    assert standard["issued_at"] == str(NOW // 1000)
    assert claims(standard["access_token"])["iat"] == NOW // 1000
    again = await deployment.send(
        "POST",
        paths.TOKEN_IN_SECONDS,
        [*deployment.client, ("grant_type", "refresh_token"), ("refresh_token", standard["refresh_token"])],
    )
    assert again.json["issued_at"] == str(NOW // 1000)


async def test_the_second_path_of_the_token_endpoint_is_not_there_by_default(deployment: Deployment) -> None:
    reply = await deployment.send("POST", paths.TOKEN_IN_SECONDS, deployment.client)
    assert reply.status == 404
