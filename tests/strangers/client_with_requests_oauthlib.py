"""A client of the service made with requests-oauthlib; `docs/clients/requests-oauthlib.md` shows it."""

from collections.abc import Callable
from typing import Any

import requests
from oauthlib.oauth2 import BackendApplicationClient, LegacyApplicationClient
from requests.auth import HTTPBasicAuth
from requests_oauthlib import OAuth2Session


def discover(issuer: str) -> dict[str, Any]:
    address = f"{issuer}/.well-known/oauth-authorization-server"
    metadata: dict[str, Any] = requests.get(address, timeout=10).json()
    return metadata


def session_of_its_own(client_id: str) -> Any:
    return OAuth2Session(client=BackendApplicationClient(client_id))


def token_of_its_own(session: Any, metadata: dict[str, Any], secret: str) -> Any:
    """`client_secret_basic`."""
    return session.fetch_token(metadata["token_endpoint"], client_secret=secret)


def token_by_form(session: Any, metadata: dict[str, Any], secret: str) -> Any:
    """`client_secret_post`."""
    return session.fetch_token(metadata["token_endpoint"], client_secret=secret, include_client_id=True)


def session_of_a_user(client_id: str) -> Any:
    scope = ["openid", "profile", "email", "credit:report"]
    return OAuth2Session(client=LegacyApplicationClient(client_id, scope=scope))


def log_in(session: Any, metadata: dict[str, Any], secret: str, username: str, password: str) -> Any:
    return session.fetch_token(metadata["token_endpoint"], username=username, password=password, client_secret=secret)


def refresh(session: Any, metadata: dict[str, Any], secret: str) -> Any:
    return session.refresh_token(metadata["token_endpoint"], auth=HTTPBasicAuth(session.client_id, secret))


def session_that_refreshes(
    metadata: dict[str, Any], client_id: str, secret: str, token: dict[str, Any], keep: Callable[[dict[str, Any]], None]
) -> Any:
    """`keep` is given each new pair: the refresh token of the one before is spent."""
    return OAuth2Session(
        client_id,
        token=token,
        auto_refresh_url=metadata["token_endpoint"],
        auto_refresh_kwargs={"client_id": client_id, "client_secret": secret},
        token_updater=keep,
    )


def user_information(session: Any, metadata: dict[str, Any]) -> Any:
    return session.get(metadata["userinfo_endpoint"]).json()


def report(session: Any, issuer: str, number: str) -> Any:
    return session.get(f"{issuer}/risk/business/v1/registeredcompanycredit/{number}").json()


def revoke(metadata: dict[str, Any], client_id: str, secret: str, token: str) -> None:
    """oauthlib writes the request, requests sends it: a session would put its token where the secret belongs."""
    client = BackendApplicationClient(client_id)
    url, headers, body = client.prepare_token_revocation_request(metadata["revocation_endpoint"], token, None)
    answer = requests.post(url, headers=headers, data=body, auth=HTTPBasicAuth(client_id, secret), timeout=10)
    answer.raise_for_status()
