"""A client of the service made with Authlib; `docs/clients/authlib.md` shows it."""

from typing import Any

import requests
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc7523 import PrivateKeyJWT
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata
from authlib.oauth2.rfc8414 import get_well_known_url as server_metadata_url
from authlib.oidc.core import CodeIDToken
from authlib.oidc.discovery import OpenIDProviderMetadata
from authlib.oidc.discovery import get_well_known_url as provider_metadata_url
from joserfc import jwt
from joserfc.jwk import Key, KeySet

TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"
ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"


def discover(issuer: str) -> OpenIDProviderMetadata:
    """OpenID Connect Discovery."""
    answer = requests.get(provider_metadata_url(issuer, external=True), timeout=10)
    return OpenIDProviderMetadata(answer.json())


def discover_server(issuer: str) -> AuthorizationServerMetadata:
    """RFC 8414: the same service, without OpenID Connect."""
    answer = requests.get(server_metadata_url(issuer, external=True), timeout=10)
    return AuthorizationServerMetadata(answer.json())


def sign_in_address(session: Any, metadata: dict[str, Any], verifier: str, nonce: str) -> str:
    """Where to send the browser. Keep the verifier, the nonce and `session.state` until it comes back."""
    address, session.state = session.create_authorization_url(
        metadata["authorization_endpoint"], code_verifier=verifier, nonce=nonce
    )
    return str(address)


def come_back(session: Any, metadata: dict[str, Any], callback: str, verifier: str, nonce: str) -> CodeIDToken:
    """Redeem the code of the callback's address; the ID token says who signed in."""
    session.fetch_token(authorization_response=callback, code_verifier=verifier)
    claims = who_logged_in(session, metadata)
    if claims["nonce"] != nonce:
        raise ValueError("the answer is not to this request")
    return claims


def session_with_secret(metadata: dict[str, Any], client_id: str, secret: str, **more: Any) -> Any:
    return OAuth2Session(client_id, secret, token_endpoint=metadata["token_endpoint"], **more)


def session_with_key(metadata: dict[str, Any], client_id: str, key: Key, algorithm: str) -> Any:
    session = OAuth2Session(
        client_id,
        key,
        token_endpoint=metadata["token_endpoint"],
        token_endpoint_auth_method="private_key_jwt",
        revocation_endpoint_auth_method="private_key_jwt",
    )
    session.register_client_auth_method(PrivateKeyJWT(metadata["token_endpoint"], alg=algorithm))
    return session


def token_of_its_own(session: Any) -> Any:
    return session.fetch_token(grant_type="client_credentials", scope="credit:report")


def log_in(session: Any, username: str, password: str) -> Any:
    return session.fetch_token(username=username, password=password, scope="openid profile email credit:report")


def refresh(session: Any) -> Any:
    return session.refresh_token()


def act_for(session: Any, users_access_token: str) -> Any:
    return session.fetch_token(
        grant_type=TOKEN_EXCHANGE, subject_token=users_access_token, subject_token_type=ACCESS_TOKEN
    )


def who_logged_in(session: Any, metadata: dict[str, Any]) -> CodeIDToken:
    """The ID token of the last login, verified: signature, issuer, audience, time, `at_hash`."""
    keys = KeySet.import_key_set(session.get(metadata["jwks_uri"], withhold_token=True).json())
    read = jwt.decode(session.token["id_token"], keys, algorithms=["RS256"])
    claims = CodeIDToken(
        read.claims,
        read.header,
        options={"iss": {"values": [metadata["issuer"]]}, "aud": {"values": [session.client_id]}},
        params={"client_id": session.client_id, "access_token": session.token["access_token"]},
    )
    claims.validate()
    return claims


def user_information(session: Any, metadata: dict[str, Any]) -> Any:
    return session.get(metadata["userinfo_endpoint"]).json()


def report(session: Any, issuer: str, number: str) -> Any:
    return session.get(f"{issuer}/risk/business/v1/registeredcompanycredit/{number}").json()


def about(session: Any, metadata: dict[str, Any], token: str) -> Any:
    return session.introspect_token(metadata["introspection_endpoint"], token).json()


def revoke(session: Any, metadata: dict[str, Any], token: str) -> None:
    session.revoke_token(metadata["revocation_endpoint"], token).raise_for_status()
