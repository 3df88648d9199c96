"""Introspection with a signed answer (RFC 9701), read by another implementation."""

import json
from typing import Any

import pytest
from joserfc import jws
from joserfc.jwk import KeySet

from tests.deployment import NOW, Deployment, Reply
from tests.oauth.exchanging import ACCESS_TOKEN, exchange, service
from tests.oauth.standard import ask, error

PATH = "/oauth2/v1/introspect"
SIGNED = "application/token-introspection+jwt"


async def signed(deployment: Deployment, token: str, accept: str = SIGNED) -> Reply:
    return await ask(deployment, {"token": token}, [deployment.basic, ("Accept", accept)], PATH)


async def verified(deployment: Deployment, answer: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """Header and payload of an answer, verified by joserfc alone from the published key set."""
    keys = KeySet.import_key_set(json.loads((await deployment.send("GET", "/oauth2/v1/keys")).body))
    read = jws.deserialize_compact(answer, keys, algorithms=["RS256"])
    assert read.payload is not None
    return read.headers(), json.loads(read.payload)


async def test_the_signed_answer_is_for_its_caller(deployment: Deployment) -> None:
    """RFC 9701 §5: `typ`, `iss`, `aud`, `iat` and the answer of RFC 7662 as one member; RS256 by default (§6)."""
    token = (await deployment.tokens())["access_token"]
    plain = (await ask(deployment, {"token": token}, path=PATH)).json
    reply = await signed(deployment, token)
    assert (reply.status, reply.headers["content-type"]) == (200, SIGNED)
    header, payload = await verified(deployment, reply.body)
    assert header["typ"] == "token-introspection+jwt"
    assert payload == {
        "iss": "https://localhost:8443",
        "aud": deployment.application.client_id,
        "iat": NOW // 1000,
        "token_introspection": plain,
    }
    configuration = (await deployment.send("GET", "/.well-known/openid-configuration")).json
    assert configuration["introspection_signing_alg_values_supported"] == ["RS256"]


async def test_the_signed_answer_on_an_invalid_token_has_no_more_than_the_plain_one(deployment: Deployment) -> None:
    """RFC 9701 §5."""
    reply = await signed(deployment, "unknown")
    _, payload = await verified(deployment, reply.body)
    assert payload["token_introspection"] == {"active": False}


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        (SIGNED, SIGNED),
        (f"{SIGNED}, application/json;q=0.5", SIGNED),
        (f"application/json, {SIGNED};q=0.5", "application/json"),
        ("*/*", "application/json"),
        ("application/*", "application/json"),
        ("text/html", "application/json"),
        (f"{SIGNED};q=0", "application/json"),
    ],
)
async def test_the_answer_is_signed_only_on_request(deployment: Deployment, accept: str, media_type: str) -> None:
    """RFC 9701 §4, RFC 9110 §12.5.1."""
    reply = await signed(deployment, "unknown", accept)
    assert reply.headers["content-type"] == media_type
    assert reply.headers["vary"] == "accept"


async def test_a_refusal_is_json_also_when_a_jwt_was_requested(deployment: Deployment) -> None:
    """RFC 9701 §4 speaks of the response to a good request; RFC 6749 §5.2 of the others."""
    reply = await ask(deployment, {}, [deployment.basic, ("Accept", SIGNED)], PATH)
    assert error(reply) == (400, "invalid_request")


async def test_it_is_no_token(deployment: Deployment) -> None:
    """RFC 9701 §8.1, threats T8: not at the API, at refresh, in an exchange, at introspection or revocation."""
    token = (await deployment.tokens())["access_token"]
    answer = (await signed(deployment, token)).body.decode()
    assert (await deployment.report(answer)).status == 401
    assert (await deployment.refresh(answer)).status == 401
    gateway = await service(deployment)
    for kind in (ACCESS_TOKEN, "urn:ietf:params:oauth:token-type:jwt"):
        assert error(await exchange(gateway, answer, subject_token_type=kind)) == (400, "invalid_request")
    assert (await ask(deployment, {"token": answer}, path=PATH)).json == {"active": False}
    assert (await ask(deployment, {"token": answer}, path="/oauth2/v1/revokeToken")).status == 200
    assert (await deployment.report(token)).status == 200
