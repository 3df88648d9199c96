"""npm's openid-client, unchanged and over HTTPS, does what `docs/clients/openid-client.md` says."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jwt
import pytest
from joserfc.jwk import ECKey, RSAKey

from tests.strangers.provider import EVERY_GRANT, Provider

FOLDER = Path(__file__).parent / "node"

pytestmark = [
    pytest.mark.skipif(shutil.which("node") is None, reason="node is missing: install Node 20 or later"),
    pytest.mark.skipif(
        not (FOLDER / "node_modules" / "openid-client").is_dir(),
        reason="openid-client is missing: python -m tests.provision",
    ),
]

Play = Callable[..., Any]
"""The name of a flow of `flows.mjs` and what it needs beside the usual -> what came of it."""


@pytest.fixture
def play(provider: Provider) -> Play:
    client_id, secret = provider.credentials("openid-client", *EVERY_GRANT)
    usual = {
        "issuer": provider.issuer,
        "clientId": client_id,
        "secret": secret,
        "username": provider.server.username,
        "password": provider.server.password,
        "number": provider.server.company_number,
    }

    def play_one(flow: str, way: str = "basic", **more: Any) -> Any:
        played = subprocess.run(
            ["node", "flows.mjs", flow],
            cwd=FOLDER,
            env=os.environ | {"NODE_EXTRA_CA_CERTS": str(provider.ca_file), "NODE_NO_WARNINGS": "1"},
            input=json.dumps(usual | {"way": way} | more),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert played.returncode == 0, played.stderr
        return json.loads(played.stdout)

    return play_one


def of_the_company(provider: Provider, came: Any) -> bool:
    return provider.server.company_number in json.dumps(came["report"])


@pytest.mark.parametrize("way", ["basic", "form", "oauth"])
def test_an_application_gets_a_token_for_itself_and_reads_a_report(provider: Provider, play: Play, way: str) -> None:
    """OpenID Connect Discovery §4, RFC 8414 §3, RFC 6749 §2.3.1, §4.4."""
    came = play("own", way)["result"]
    assert came["tokens"]["scope"] == "credit:report"
    assert of_the_company(provider, came)


@pytest.mark.parametrize(
    ("key", "algorithm", "imported"),
    [
        (RSAKey.generate_key(2048), "RS256", {"name": "RSASSA-PKCS1-v1_5", "hash": "SHA-256"}),
        (ECKey.generate_key(), "ES256", {"name": "ECDSA", "namedCurve": "P-256"}),
    ],
    ids=["RS256", "ES256"],
)
def test_a_key_proves_the_application_everywhere(
    provider: Provider, play: Play, tmp_path: Path, key: Any, algorithm: str, imported: dict[str, str]
) -> None:
    """RFC 7523 §2.2, at the token, introspection and revocation endpoints."""
    jwks = tmp_path / "keys.json"
    jwks.write_text(json.dumps({"keys": [key.as_dict(private=False)]}))
    options = ("--authentication", "private_key_jwt", "--jwks", str(jwks), *EVERY_GRANT)
    client_id = provider.application(f"openid-client {algorithm}", *options)["client_id"]
    came = play("ending", "key", clientId=client_id, jwk=key.as_dict(private=True), algorithm=imported)["result"]
    assert (came["before"]["active"], came["after"]) == (True, {"active": False})


def test_a_user_logs_in_is_known_and_the_login_goes_on(provider: Provider, play: Play) -> None:
    """RFC 6749 §4.3, §6, OpenID Connect Core §3.1.3.7, §5.3.2: the library verified the ID token and the subject."""
    came = play("user")["result"]
    assert came["claims"]["sub"] == came["user"]["sub"] == provider.server.username
    assert came["claims"]["email"] == came["user"]["email"]
    assert came["first"]["refresh_token"] != came["tokens"]["refresh_token"]
    assert of_the_company(provider, came)


def test_a_service_acts_for_a_user(provider: Provider, play: Play) -> None:
    """RFC 8693 §2.1, §4.1."""
    came = play("acting", usersAccessToken=provider.token("RS256"))["result"]
    claims = jwt.decode(came["tokens"]["access_token"], options={"verify_signature": False})
    client_id, _ = provider.credentials("openid-client")
    assert (claims["sub"], claims["act"]["sub"]) == (provider.server.username, client_id)
    assert of_the_company(provider, came)


def test_what_is_revoked_is_over(play: Play) -> None:
    """RFC 7009 §2.1, RFC 7662 §2.2, RFC 6750 §3.1."""
    came = play("ending")["result"]
    assert (came["before"]["active"], came["before"]["scope"]) == (True, "credit:report")
    assert came["after"] == {"active": False}
    assert came["report"] == {"error": "invalid_token"}


def test_a_signed_answer_about_a_token_is_verified(provider: Provider, play: Play) -> None:
    """RFC 9701 §5: type, issuer, audience and signature are the library's to check."""
    came = play("signed")["result"]
    client_id, _ = provider.credentials("openid-client")
    assert (came["active"], came["client_id"]) == (True, client_id)


def test_tokens_are_bound_to_a_key_that_no_other_has(provider: Provider, play: Play) -> None:
    """RFC 9449 §5, §7, §8: login, refresh, report and user information, each with a proof and our nonces."""
    came = play("bound")["result"]
    assert came["tokens"]["token_type"].lower() == "dpop"
    assert "jkt" in jwt.decode(came["tokens"]["access_token"], options={"verify_signature": False})["cnf"]
    assert came["user"]["sub"] == provider.server.username
    assert of_the_company(provider, came)
    assert provider.server.report(came["tokens"]["access_token"]).status_code == 401


def test_an_application_registers_itself(provider: Provider, play: Play) -> None:
    """RFC 7591 §3: with an invitation, and what it was given works at once."""
    invited = provider.server.command("app", "invite", "--grant", "client_credentials", "--json")
    assert invited.returncode == 0, invited.stderr
    invitation = json.loads(invited.stdout)["initial_access_token"]
    came = play("own", "registered", initialAccessToken=invitation)["result"]
    assert of_the_company(provider, came)


def test_a_refusal_is_understood(play: Play) -> None:
    """RFC 6749 §5.2."""
    assert play("user", password="wrong") == {"error": "invalid_grant"}
    assert play("own", secret="wrong") == {"error": "OAUTH_WWW_AUTHENTICATE_CHALLENGE"}  # of Basic (RFC 6749 §5.2)
