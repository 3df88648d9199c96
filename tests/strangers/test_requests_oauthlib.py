"""requests-oauthlib, unchanged and over HTTPS, does what `docs/clients/requests-oauthlib.md` says."""

import json
from typing import Any

import pytest
from oauthlib.oauth2 import InvalidGrantError

from tests.strangers import client_with_requests_oauthlib as client
from tests.strangers.provider import EVERY_GRANT, Provider

Metadata = dict[str, Any]

pytestmark = pytest.mark.usefixtures("trusted_by_requests")


@pytest.fixture
def metadata(trusted_by_requests: Provider) -> Metadata:
    return client.discover(trusted_by_requests.issuer)


@pytest.fixture
def credentials(provider: Provider) -> tuple[str, str]:
    return provider.credentials("requests-oauthlib", *EVERY_GRANT)


def reads_a_report(provider: Provider, session: Any) -> bool:
    number = provider.server.company_number
    report: Any = client.report(session, provider.issuer, number)
    return number in json.dumps(report)


@pytest.mark.parametrize("method", [client.token_of_its_own, client.token_by_form])
def test_an_application_gets_a_token_for_itself_and_reads_a_report(
    provider: Provider, metadata: Metadata, credentials: tuple[str, str], method: Any
) -> None:
    """RFC 6749 §4.4, §2.3.1."""
    client_id, secret = credentials
    session = client.session_of_its_own(client_id)
    assert "credit:report" in method(session, metadata, secret)["scope"]
    assert reads_a_report(provider, session)


def test_a_user_logs_in_is_known_and_the_login_goes_on(
    provider: Provider, metadata: Metadata, credentials: tuple[str, str]
) -> None:
    """RFC 6749 §4.3, §6, OpenID Connect Core §5.3.2."""
    client_id, secret = credentials
    session = client.session_of_a_user(client_id)
    first = client.log_in(session, metadata, secret, provider.server.username, provider.server.password)
    assert client.user_information(session, metadata)["sub"] == provider.server.username
    second = client.refresh(session, metadata, secret)
    assert first["refresh_token"] != second["refresh_token"]
    assert reads_a_report(provider, session)


def test_an_expired_token_is_refreshed_by_the_session_itself(
    provider: Provider, metadata: Metadata, credentials: tuple[str, str]
) -> None:
    """oauthlib looks at `expires_at`, which it reckons from `expires_in` (RFC 6749 §5.1)."""
    client_id, secret = credentials
    session = client.session_of_a_user(client_id)
    token = client.log_in(session, metadata, secret, provider.server.username, provider.server.password)
    kept: list[dict[str, Any]] = []
    lasting = client.session_that_refreshes(metadata, client_id, secret, {**token, "expires_at": 1}, kept.append)
    assert reads_a_report(provider, lasting)
    assert [each["access_token"] != token["access_token"] for each in kept] == [True]


def test_what_is_revoked_is_over(provider: Provider, metadata: Metadata, credentials: tuple[str, str]) -> None:
    """RFC 7009 §2.1."""
    client_id, secret = credentials
    session = client.session_of_its_own(client_id)
    token = client.token_of_its_own(session, metadata, secret)
    client.revoke(metadata, client_id, secret, token["access_token"])
    assert not reads_a_report(provider, session)


def test_a_refusal_is_understood(provider: Provider, metadata: Metadata, credentials: tuple[str, str]) -> None:
    """RFC 6749 §5.2."""
    client_id, secret = credentials
    with pytest.raises(InvalidGrantError):
        client.log_in(client.session_of_a_user(client_id), metadata, secret, provider.server.username, "wrong")
