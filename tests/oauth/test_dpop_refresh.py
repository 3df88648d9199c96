"""Keys over a refresh: what may change, and what a retry repeats (RFC 9449 §5, D7)."""

import pytest

from tests.deployment import Deployment, claims
from tests.oauth.proving import Key, Prover
from tests.oauth.standard import ask, error


async def logged_in(deployment: Deployment) -> tuple[Prover, str]:
    client = Prover(deployment)
    token: str = (await client.log_in()).json["refresh_token"]
    return client, token


def bound_to(access_token: str) -> object:
    return claims(access_token).get("cnf", {}).get("jkt")


async def test_a_refresh_with_the_same_key_gets_a_token_for_it(deployment: Deployment) -> None:
    """RFC 9449 §5."""
    client, refresh_token = await logged_in(deployment)
    reply = await client.refresh(refresh_token)
    assert reply.json["token_type"] == "DPoP"
    assert bound_to(reply.json["access_token"]) == client.key.thumbprint
    assert (await client.report(reply.json["access_token"])).status == 200


async def test_a_confidential_client_may_change_its_key(deployment: Deployment) -> None:
    """RFC 9449 §5: its refresh tokens are bound to the client, which proves itself."""
    client, refresh_token = await logged_in(deployment)
    client.key = Key("EdDSA")
    reply = await client.refresh(refresh_token)
    assert bound_to(reply.json["access_token"]) == client.key.thumbprint
    assert (await client.report(reply.json["access_token"])).status == 200


async def test_a_login_that_was_bound_stays_bound_in_both_dialects(deployment: Deployment) -> None:
    """RFC 9449 §5: who steals secret and refresh token gets no bearer token; the owner of a key may still refresh."""
    client, refresh_token = await logged_in(deployment)
    form = {"grant_type": "refresh_token", "refresh_token": refresh_token}
    for _ in range(2):
        assert error(await ask(deployment, form)) == (400, "invalid_dpop_proof")
        assert (await deployment.refresh(refresh_token)).said[0] == 400
    reply = await client.refresh(refresh_token)
    assert bound_to(reply.json["access_token"]) == client.key.thumbprint
    assert error(await ask(deployment, form | {"refresh_token": reply.json["refresh_token"]})) == (
        400,
        "invalid_dpop_proof",
    )


async def test_a_retry_with_the_same_key_gets_the_same_bytes(deployment: Deployment) -> None:
    """D7: each try has a proof of its own."""
    client, refresh_token = await logged_in(deployment)
    first, retry = await client.refresh(refresh_token), await client.refresh(refresh_token)
    assert first.body == retry.body


@pytest.mark.parametrize("by", ["another key", "no proof", "the house dialect"])
async def test_a_retry_without_that_key_gets_nothing_and_harms_nothing(deployment: Deployment, by: str) -> None:
    """D7, RFC 9449 §5: no token is minted for a key without a rotation, and the one who has the key may still retry."""
    client, refresh_token = await logged_in(deployment)
    first = await client.refresh(refresh_token)
    if by == "another key":
        other = Prover(deployment)
        other.nonce = client.nonce
        refused = await other.refresh(refresh_token)
        assert error(refused) == (400, "invalid_grant")
    elif by == "no proof":
        refused = await ask(deployment, {"grant_type": "refresh_token", "refresh_token": refresh_token})
        assert error(refused) == (400, "invalid_grant")
    else:
        refused = await deployment.refresh(refresh_token)
        assert refused.said == (401, "Unauthorized", "Access token is Invalid.")
    assert "access_token" not in refused.json
    assert (await client.refresh(refresh_token)).body == first.body


async def test_a_proof_cannot_be_put_on_a_bearer_retry(deployment: Deployment) -> None:
    """D7: the same the other way round."""
    refresh_token = (await deployment.tokens())["refresh_token"]
    assert (await deployment.refresh(refresh_token)).status == 200
    assert error(await Prover(deployment).refresh(refresh_token)) == (400, "invalid_grant")
    assert (await deployment.refresh(refresh_token)).status == 200


async def test_a_reused_token_ends_the_login_with_any_key(deployment: Deployment) -> None:
    """D7, threats §6: after the window for retries it is reuse."""
    client, refresh_token = await logged_in(deployment)
    pair = (await client.refresh(refresh_token)).json
    deployment.now += 31_000
    assert error(await client.refresh(refresh_token)) == (400, "invalid_grant")
    assert (await client.report(pair["access_token"])).status == 401
