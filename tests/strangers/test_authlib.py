"""Authlib, unchanged and over HTTPS, does what `docs/clients/authlib.md` says."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import jwt
import pytest
from authlib.common.security import generate_token
from authlib.integrations.base_client import OAuthError
from joserfc.errors import InvalidClaimError
from joserfc.jwk import ECKey, RSAKey

from tests.sign_in.browsing import form_of_text
from tests.strangers import client_with_authlib as client
from tests.strangers.provider import EVERY_GRANT, Provider

Metadata = Any


pytestmark = pytest.mark.usefixtures("trusted_by_requests")


@pytest.fixture
def metadata(trusted_by_requests: Provider) -> Metadata:
    return client.discover(trusted_by_requests.issuer)


@pytest.fixture
def session(provider: Provider, metadata: Metadata) -> Any:
    return client.session_with_secret(metadata, *provider.credentials("Authlib", *EVERY_GRANT))


def reads_a_report(provider: Provider, session: Any) -> bool:
    number = provider.server.company_number
    report: Any = client.report(session, provider.issuer, number)
    return number in json.dumps(report)


def test_both_documents_are_found_and_found_good(provider: Provider, metadata: Metadata) -> None:
    """OpenID Connect Discovery §3, RFC 8414 §2, by Authlib's own checks."""
    server = client.discover_server(provider.issuer)
    assert metadata["issuer"] == server["issuer"] == provider.issuer
    for document in (metadata, server):
        document.validate()


@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
def test_an_application_gets_a_token_for_itself_and_reads_a_report(
    provider: Provider, metadata: Metadata, method: str
) -> None:
    """RFC 6749 §4.4, §2.3.1."""
    credentials = provider.credentials("Authlib", *EVERY_GRANT)
    session = client.session_with_secret(metadata, *credentials, token_endpoint_auth_method=method)
    assert client.token_of_its_own(session)["scope"] == "credit:report"
    assert reads_a_report(provider, session)


@pytest.mark.parametrize(("key", "algorithm"), [(RSAKey.generate_key(2048), "RS256"), (ECKey.generate_key(), "ES256")])
def test_a_key_proves_the_application_everywhere(
    provider: Provider, metadata: Metadata, tmp_path: Path, key: Any, algorithm: str
) -> None:
    """RFC 7523 §2.2: a new assertion for each request, with the hour of life that Authlib gives it."""
    jwks = tmp_path / "keys.json"
    jwks.write_text(json.dumps({"keys": [key.as_dict(private=False)]}))
    client_id = provider.application(
        f"Authlib {algorithm}", "--authentication", "private_key_jwt", "--jwks", str(jwks), *EVERY_GRANT
    )["client_id"]
    session = client.session_with_key(metadata, client_id, key, algorithm)
    token = client.token_of_its_own(session)["access_token"]
    assert reads_a_report(provider, session)
    assert client.about(session, metadata, token)["active"] is True
    client.revoke(session, metadata, token)
    assert client.about(session, metadata, token) == {"active": False}


def test_a_user_logs_in_and_the_login_goes_on(provider: Provider, session: Any) -> None:
    """RFC 6749 §4.3, §6: the session keeps the new pair."""
    first = client.log_in(session, provider.server.username, provider.server.password)
    second = client.refresh(session)
    assert first["refresh_token"] != second["refresh_token"]
    assert reads_a_report(provider, session)


def test_an_expired_token_is_refreshed_by_the_session_itself(provider: Provider, session: Any) -> None:
    """Authlib looks at `expires_at`, which it reckons from `expires_in` (RFC 6749 §5.1)."""
    first = client.log_in(session, provider.server.username, provider.server.password)["access_token"]
    session.token["expires_at"] = 0
    assert reads_a_report(provider, session)
    assert session.token["access_token"] != first


def test_the_id_token_and_the_user_information_say_who_it_is(
    provider: Provider, session: Any, metadata: Metadata
) -> None:
    """OpenID Connect Core §3.1.3.7, §5.3.2."""
    client.log_in(session, provider.server.username, provider.server.password)
    claims = client.who_logged_in(session, metadata)
    assert claims["sub"] == provider.server.username
    assert "at_hash" in claims
    claims = client.user_information(session, metadata)
    assert {name: claims[name] for name in ("sub", "name", "email")} == {
        name: claims[name] for name in ("sub", "name", "email")
    }


def test_an_id_token_beside_another_access_token_is_refused(
    provider: Provider, session: Any, metadata: Metadata
) -> None:
    """OpenID Connect Core §3.1.3.8: the check above does check."""
    client.log_in(session, provider.server.username, provider.server.password)
    session.token["access_token"] = provider.token("RS256")
    with pytest.raises(InvalidClaimError):
        client.who_logged_in(session, metadata)


def test_a_service_acts_for_a_user(provider: Provider, session: Any) -> None:
    """RFC 8693 §2.1, §4.1."""
    users = provider.token("RS256")
    mine = client.act_for(session, users)
    claims = jwt.decode(mine["access_token"], options={"verify_signature": False})
    assert (claims["sub"], claims["act"]["sub"]) == (provider.server.username, session.client_id)
    assert reads_a_report(provider, session)


REDIRECT_URI = "https://ledger.example.com/callback"
CODE_FLOW = ("--grant", "authorization_code", "--grant", "refresh_token", "--redirect-uri", REDIRECT_URI)


def test_a_person_signs_in(provider: Provider, metadata: Metadata) -> None:
    """RFC 6749 §4.1, RFC 7636, OpenID Connect Core §3.1; the browser is one without a screen."""
    session = client.session_with_secret(
        metadata,
        *provider.credentials("Authlib code", *CODE_FLOW),
        redirect_uri=REDIRECT_URI,
        scope="openid profile offline_access credit:report",
        code_challenge_method="S256",
    )
    verifier, nonce = generate_token(48), generate_token(16)
    address = client.sign_in_address(session, metadata, verifier, nonce)
    callback = person_signs_in(provider, address)
    assert parse_qs(urlsplit(callback).query)["iss"] == [provider.issuer]
    claims = client.come_back(session, metadata, callback, verifier, nonce)
    assert (claims["sub"], claims["amr"]) == (provider.server.username, ["pwd"])
    assert client.user_information(session, metadata)["name"]
    client.refresh(session)
    assert reads_a_report(provider, session)


def person_signs_in(provider: Provider, address: str) -> str:
    """Fill in the pages as a person would, and return where the browser is sent at last."""
    with httpx.Client(base_url=provider.issuer, verify=provider.trust) as browser:
        action, step = form_of_text(browser.get(address).text)
        login = {"username": provider.server.username, "password": provider.server.password}
        action, step = form_of_text(browser.post(action, data={**step, **login}).text)
        last = browser.post(action, data={**step, "decision": "allow"})
        return last.headers["refresh"].removeprefix("0; url=")


def test_what_is_revoked_is_over(provider: Provider, session: Any, metadata: Metadata) -> None:
    """RFC 7009 §2.1, RFC 7662 §2.2."""
    token = client.token_of_its_own(session)["access_token"]
    answer = client.about(session, metadata, token)
    assert (answer["active"], answer["client_id"]) == (True, session.client_id)
    client.revoke(session, metadata, token)
    assert client.about(session, metadata, token) == {"active": False}
    assert not reads_a_report(provider, session)


def test_a_refusal_is_understood(provider: Provider, session: Any) -> None:
    """RFC 6749 §5.2."""
    with pytest.raises(OAuthError, match=r"^invalid_grant: "):
        client.log_in(session, provider.server.username, "wrong")
