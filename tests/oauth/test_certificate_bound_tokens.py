"""Tokens bound to the certificate of the connection (RFC 8705 §3)."""

import hashlib
import json
from pathlib import Path
from typing import Any

from credence.crypto import base64url
from tests.deployment import PASSWORD, REPORT_PATH, TOKEN_PATH, Deployment, Header, Reply, claims, tell
from tests.oauth.client_certificates import ANY, BEHIND_A_PROXY, PROXY, certificate, own_token
from tests.oauth.standard import error

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


def test_a_token_names_the_certificate(tmp_path: Path) -> None:
    """RFC 8705 §3.1: `cnf` holds the SHA-256 of its DER form, and nothing else."""

    async def story(deployment: Deployment) -> None:
        thumbprint = base64url.encode(hashlib.sha256(OWN.der).digest())
        assert claims(await bound_token(deployment))["cnf"] == {"x5t#S256": thumbprint}

    tell(tmp_path, story, **BEHIND_A_PROXY)


def test_it_opens_nothing_without_the_certificate(tmp_path: Path) -> None:
    """RFC 8705 §3: invalid_token, 401, for another certificate, none, and one that a stranger writes."""

    async def story(deployment: Deployment) -> None:
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

    tell(tmp_path, story, **BEHIND_A_PROXY)


def test_no_token_is_issued_without_a_certificate(tmp_path: Path) -> None:
    """RFC 8705 §3.4: rather an error than a token that is not bound; in both dialects."""

    async def story(deployment: Deployment) -> None:
        await deployment.change_application(**BOUND)
        bare = await own_token(deployment, client_secret=deployment.secret)
        assert error(bare) == (400, "invalid_request")
        assert (await deployment.login()).said[0] == 400

    tell(tmp_path, story, **BEHIND_A_PROXY)


def test_the_house_dialect_binds_its_tokens_too(tmp_path: Path) -> None:
    """Nothing in one dialect weakens the other (D1): the certificate is the connection's, and each refresh shows one."""

    async def story(deployment: Deployment) -> None:
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

    tell(tmp_path, story, **BEHIND_A_PROXY)
