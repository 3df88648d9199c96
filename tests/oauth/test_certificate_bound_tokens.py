"""Tokens bound to the certificate of the connection (RFC 8705 §3)."""

import hashlib
import json
from typing import Any

import pytest

from credence.crypto import base64url
from credence.paths import FORWARD_AUTH
from tests.deployment import PASSWORD, REPORT_PATH, TOKEN_PATH, Deployment, Header, Reply, claims
from tests.oauth.client_certificates import ANY, BEHIND_A_PROXY, PROXY, certificate, own_token
from tests.oauth.standard import error

pytestmark = pytest.mark.settings(BEHIND_A_PROXY)

OWN, OTHER = certificate(), certificate()
BOUND: dict[str, Any] = {
    "certificate_bound_tokens": True,
    "grants": ("client_credentials", "password", "refresh_token"),
}


async def report(
    deployment: Deployment, token: str, *headers: Header, peer: str = PROXY, scheme: str = "Bearer"
) -> Reply:
    shown = [("Authorization", f"{scheme} {token}"), *headers]
    return await deployment.send("GET", f"{REPORT_PATH}/99999999", shown, peer=peer)


async def bound_token(deployment: Deployment) -> str:
    await deployment.change_application(**BOUND)
    reply = await own_token(deployment, OWN.field(), client_secret=deployment.secret)
    assert reply.status == 200, reply
    token: str = reply.json["access_token"]
    return token


async def test_a_token_names_the_certificate(deployment: Deployment) -> None:
    """RFC 8705 §3.1: `cnf` holds the SHA-256 of its DER form, and nothing else."""
    thumbprint = base64url.encode(hashlib.sha256(OWN.der).digest())
    assert claims(await bound_token(deployment))["cnf"] == {"x5t#S256": thumbprint}


async def test_it_opens_nothing_without_the_certificate(deployment: Deployment) -> None:
    """RFC 8705 §3: invalid_token, 401, for another certificate, none, and one that a stranger writes."""
    token = await bound_token(deployment)
    assert (await report(deployment, token, OWN.field())).status == 200
    assert (await report(deployment, token, OWN.escaped(ANY))).status == 200
    for reply in (
        await report(deployment, token),
        await report(deployment, token, OTHER.field()),
        await report(deployment, token, OWN.field(), peer="192.0.2.7"),
        await report(deployment, token, OWN.field(), scheme="DPoP"),
    ):
        assert reply.said == (401, "Unauthorized", "Access token is Invalid.")
        assert 'error="invalid_token"' in reply.headers["www-authenticate"]


async def test_a_field_that_passes_a_proxy_of_another_service_is_no_certificate(deployment: Deployment) -> None:
    """threats I8: that proxy passes on what the caller writes, and a certificate is public."""
    bearer = [("Authorization", f"Bearer {await bound_token(deployment)}"), OWN.field()]
    reply = await deployment.send("GET", FORWARD_AUTH, bearer, peer=PROXY)
    assert reply.said == (401, "Unauthorized", "Access token is Invalid.")


async def test_no_token_is_issued_without_a_certificate(deployment: Deployment) -> None:
    """RFC 8705 §3.4: rather an error than a token that is not bound; in both dialects."""
    await deployment.change_application(**BOUND)
    bare = await own_token(deployment, client_secret=deployment.secret)
    assert error(bare) == (400, "invalid_request")
    assert (await deployment.login()).said[0] == 400


async def test_the_house_dialect_binds_its_tokens_too(deployment: Deployment) -> None:
    """Nothing in one dialect weakens the other (D1): the certificate is the connection's, and each refresh shows one."""
    await deployment.change_application(**BOUND)
    headers = [*deployment.client, ("Content-Type", "application/json"), OWN.field()]
    body = json.dumps({"username": "ada", "password": PASSWORD}).encode()
    tokens = (await deployment.send("POST", TOKEN_PATH, headers, body, peer=PROXY)).json
    assert (await report(deployment, tokens["access_token"])).status == 401
    assert (await report(deployment, tokens["access_token"], OWN.field())).status == 200
    refresh = [*deployment.client, ("grant_type", "refresh_token"), ("refresh_token", tokens["refresh_token"])]
    assert (await deployment.send("POST", TOKEN_PATH, refresh, peer=PROXY)).status == 400
    again = await deployment.send("POST", TOKEN_PATH, [*refresh, OTHER.field()], peer=PROXY)
    assert again.status == 200
    assert (await report(deployment, again.json["access_token"], OWN.field())).status == 401
    assert (await report(deployment, again.json["access_token"], OTHER.field())).status == 200
