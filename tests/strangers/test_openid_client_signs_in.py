"""npm's openid-client, unchanged and over HTTPS, signs a person in by every kind of request and answer that there is."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import httpx
import pytest
from joserfc.jwk import ECKey

from tests.sign_in.browsing import form_of_text
from tests.strangers.provider import Provider
from tests.strangers.test_openid_client import FOLDER
from tests.strangers.test_openid_client import pytestmark as pytestmark

CALLBACK = "https://app.example.com/callback"
CODE_FLOW = ("--grant", "authorization_code", "--grant", "refresh_token", "--redirect-uri", CALLBACK)
KEY = ECKey.generate_key("P-256")


@pytest.fixture
def key_set(tmp_path: Path) -> Path:
    file = tmp_path / "keys.json"
    file.write_text(json.dumps({"keys": [{**KEY.as_dict(private=False), "alg": "ES256"}]}))
    return file


def person_signs_in(provider: Provider, address: str) -> str:
    """Fill in the pages as a person would, and return where the browser is sent at last. A consent is asked for once."""
    login = {"username": provider.server.username, "password": provider.server.password}
    with httpx.Client(base_url=provider.issuer, verify=provider.trust) as browser:
        page = browser.get(address)
        for typed in (login, {"decision": "allow"}):
            if "refresh" not in page.headers:
                action, hidden = form_of_text(page.text)
                page = browser.post(action, data={**hidden, **typed})
        return page.headers["refresh"].removeprefix("0; url=")


def flow(provider: Provider, way: str, application: dict[str, str], **more: Any) -> dict[str, Any]:
    """Let the library start, a person fill in the pages, and the library end the flow."""
    parameters = {
        "issuer": provider.issuer,
        "clientId": application["client_id"],
        "secret": application.get("client_secret"),
        "way": way,
        "redirectUri": CALLBACK,
        "number": provider.server.company_number,
        **more,
    }
    with subprocess.Popen(
        ["node", "code_flow.mjs"],
        cwd=FOLDER,
        env=os.environ | {"NODE_EXTRA_CA_CERTS": str(provider.ca_file), "NODE_NO_WARNINGS": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as library:
        assert library.stdin is not None
        assert library.stdout is not None
        library.stdin.write(json.dumps(parameters) + "\n")
        library.stdin.flush()
        first = library.stdout.readline()
        if not first:
            raise AssertionError(library.communicate()[1])
        done, errors = library.communicate(person_signs_in(provider, json.loads(first)["url"]) + "\n", timeout=60)
    assert library.returncode == 0, errors
    result: dict[str, Any] = json.loads(done)
    return result


def assert_signed_in(provider: Provider, came: dict[str, Any]) -> None:
    assert came["claims"]["sub"] == came["user"]["sub"] == provider.server.username
    assert provider.server.company_number in json.dumps(came["report"])


@pytest.mark.parametrize("way", ["plain", "par", "jarm", "dpop"])
def test_a_person_signs_in(provider: Provider, way: str) -> None:
    """OpenID Connect Core §3.1, RFC 9126, JARM, RFC 9449; the library checks issuer, state, nonce and signatures."""
    came = flow(provider, way, provider.application("openid-client signs in", *CODE_FLOW))
    assert_signed_in(provider, came)
    assert came["type"] == ("dpop" if way == "dpop" else "bearer")
    assert came["rotated"]


def test_a_request_that_the_library_signed(provider: Provider, key_set: Path) -> None:
    """RFC 9101."""
    options = (
        *CODE_FLOW,
        "--authentication",
        "private_key_jwt",
        "--jwks",
        str(key_set),
        "--id-token-algorithm",
        "ES256",
    )
    application = provider.application("openid-client with keys", *options)
    private = {**KEY.as_dict(private=True), "alg": "ES256"}
    assert_signed_in(provider, flow(provider, "jar", application, jwk=private))


def test_the_profile_fapi2(provider: Provider, key_set: Path) -> None:
    """FAPI 2.0: assertion, push, DPoP, and the answer as a JWT; the refresh token stays the same."""
    options = (*CODE_FLOW, "--authentication", "private_key_jwt", "--jwks", str(key_set), "--profile", "fapi2")
    application = provider.application("openid-client with fapi2", *options)
    came = flow(provider, "fapi2", application, jwk={**KEY.as_dict(private=True), "alg": "ES256"})
    assert_signed_in(provider, came)
    assert (came["type"], came["rotated"]) == ("dpop", False)
