"""Tokens bound to a key of the client: how they are got and used (RFC 9449)."""

import pytest

from tests.deployment import Deployment, claims
from tests.oauth.proving import REPORT, Key, Prover, without_proof
from tests.oauth.standard import error, log_in

ALGS = 'algs="RS256 PS256 ES256 EdDSA Ed25519"'


@pytest.mark.parametrize("algorithm", ["RS256", "PS256", "ES256", "EdDSA"])
async def test_a_token_is_bound_to_the_key_that_was_proved(deployment: Deployment, algorithm: str) -> None:
    """RFC 9449 §5, §6.1, §7.1."""
    client = Prover(deployment, Key(algorithm))
    reply = await client.log_in()
    assert (reply.status, reply.json["token_type"]) == (200, "DPoP")
    token = reply.json["access_token"]
    assert claims(token)["cnf"] == {"jkt": client.key.thumbprint}
    assert (await client.report(token)).status == 200


async def test_a_client_gets_a_nonce_before_its_first_token(deployment: Deployment) -> None:
    """RFC 9449 §8: 400 use_dpop_nonce with DPoP-Nonce; §8.2: no other nonce while that one is the newest."""
    client = Prover(deployment)
    refused = await client.log_in(client.proof("POST", "/oauth2/v1/token"))
    assert error(refused) == (400, "use_dpop_nonce")
    assert refused.headers["dpop-nonce"]
    granted = await client.log_in(client.proof("POST", "/oauth2/v1/token"))
    assert granted.status == 200
    assert "dpop-nonce" not in granted.headers


async def test_the_api_gives_the_nonce_too(deployment: Deployment) -> None:
    """RFC 9449 §9: 401, and the same nonce serves both, for both have one address."""
    client = Prover(deployment)
    token = await client.token()
    refused = await client.report(token, client.proof(token=token, nonce=None))
    assert refused.status == 401
    assert refused.headers["www-authenticate"] == f'DPoP error="use_dpop_nonce", {ALGS}'
    assert refused.headers["dpop-nonce"] == client.nonce
    assert (await client.report(token)).status == 200


async def test_a_newer_nonce_comes_with_the_answer_to_an_older_one(deployment: Deployment) -> None:
    """RFC 9449 §8.2."""
    client = Prover(deployment)
    token = await client.token()
    older = client.nonce
    deployment.now += 15_000
    reply = await client.report(token)
    assert reply.status == 200
    assert reply.headers["dpop-nonce"] not in {None, older}


async def test_a_nonce_is_good_for_five_minutes(deployment: Deployment) -> None:
    """RFC 9449 §11.1: its own step of fifteen seconds and nineteen more."""
    deployment.now = 1_700_000_010_000  # the beginning of a step
    client = Prover(deployment)
    token = await client.token()
    nonce = client.nonce
    deployment.now += 299_999
    assert (await client.report(token, client.proof(token=token, nonce=nonce))).status == 200
    deployment.now += 1
    refused = await client.report(token, client.proof(token=token, nonce=nonce))
    assert 'error="use_dpop_nonce"' in refused.headers["www-authenticate"]


async def test_a_bound_token_is_no_bearer_token(deployment: Deployment) -> None:
    """RFC 9449 §7.2: with the proof beside it or without."""
    client = Prover(deployment)
    token = await client.token()
    for reply in (await deployment.report(token), await client.report(token, scheme="Bearer")):
        assert reply.said == (401, "Unauthorized", "Access token is Invalid.")
        assert reply.headers["www-authenticate"] == 'Bearer error="invalid_token"'
        assert reply.headers["x-reason"] == "token.bound_to_key"


async def test_a_bearer_token_is_refused_under_the_scheme_of_bound_tokens(deployment: Deployment) -> None:
    """RFC 9449 §7.1: the scheme is for bound tokens."""
    client = Prover(deployment)
    await client.token()
    token = (await deployment.tokens())["access_token"]
    reply = await client.report(token)
    assert reply.status == 401
    assert reply.headers["www-authenticate"] == f'DPoP error="invalid_token", {ALGS}'


async def test_a_stolen_token_is_useless_to_who_has_another_key(deployment: Deployment) -> None:
    """RFC 9449 §1: the thief signs with a key of his own."""
    client, thief = Prover(deployment), Prover(deployment)
    token = await client.token()
    thief.nonce = client.nonce
    reply = await thief.report(token)
    assert reply.headers["www-authenticate"] == f'DPoP error="invalid_token", {ALGS}'
    assert reply.headers["x-reason"] == "token.bound_to_other_key"


@pytest.mark.parametrize("scheme", ["DPoP", "dpop", "DPOP"])
async def test_a_token_without_its_proof_is_refused(deployment: Deployment, scheme: str) -> None:
    """RFC 9449 §7.1; RFC 9110 §11.1: schemes have no case."""
    token = await Prover(deployment).token()
    reply = await deployment.send("GET", REPORT, without_proof(token, scheme))
    assert (reply.status, reply.headers["www-authenticate"]) == (401, f'DPoP error="invalid_dpop_proof", {ALGS}')


async def test_a_request_without_a_token_gets_a_challenge_for_both_schemes(deployment: Deployment) -> None:
    """RFC 9449 §7.1, RFC 9110 §11.6.1."""
    reply = await deployment.send("GET", REPORT)
    challenge = reply.headers["www-authenticate"]
    assert challenge.startswith("Bearer ")
    assert challenge.endswith(f", DPoP {ALGS}")


async def test_a_proof_opens_one_request(deployment: Deployment) -> None:
    """RFC 9449 §11.1, at the API and at the token endpoint."""
    client = Prover(deployment)
    token = await client.token()
    proof = client.proof(token=token)
    assert (await client.report(token, proof)).status == 200
    assert 'error="invalid_dpop_proof"' in (await client.report(token, proof)).headers["www-authenticate"]
    proof = client.proof("POST", "/oauth2/v1/token")
    assert (await client.log_in(proof)).status == 200
    assert error(await client.log_in(proof)) == (400, "invalid_dpop_proof")


async def test_the_same_jti_of_another_key_is_another_proof(deployment: Deployment) -> None:
    """RFC 9449 §11.1: nobody can use up another's identifiers."""
    one, other = Prover(deployment), Prover(deployment)
    tokens = await one.token(), await other.token()
    for client, token in zip((one, other), tokens, strict=True):
        assert (await client.report(token, client.proof(token=token, jti="1"))).status == 200


async def test_an_application_may_have_to_prove_a_key(deployment: Deployment) -> None:
    """RFC 9449 §5.2, dpop_bound_access_tokens: in both dialects."""
    await deployment.change_application(dpop_required=True)
    assert error(await log_in(deployment)) == (400, "invalid_dpop_proof")
    house = await deployment.login()
    assert house.said == (400, "Bad Request", "The application must ask for tokens with a DPoP proof.")
    assert (await Prover(deployment).log_in()).status == 200


async def test_the_house_dialect_knows_no_proofs(deployment: Deployment) -> None:
    """spec §2.3: token_type is Bearer, and so is the token."""
    client = Prover(deployment)
    headers = [*deployment.client, ("Content-Type", "application/json"), ("DPoP", client.proof())]
    body = b'{"username": "ada", "password": "correct horse battery"}'
    reply = await deployment.send("POST", "/oauth2/v1/token", headers, body)
    assert (reply.status, reply.json["token_type"]) == (200, "Bearer")
    assert "dpop-nonce" not in reply.headers
    assert (await deployment.report(reply.json["access_token"])).status == 200


async def test_a_wrong_proof_is_refused_before_a_wrong_password(deployment: Deployment) -> None:
    """D3 goes on: the client first, then its proof, then the password."""
    client = Prover(deployment)
    assert error(await client.log_in("a.b.c", password="wrong")) == (400, "invalid_dpop_proof")
    assert error(await client.log_in(password="wrong")) == (400, "invalid_grant")
    deployment.secret = "crd_sbx_sec_wrong"
    assert error(await client.log_in("a.b.c")) == (401, "invalid_client")
