"""Applications that register themselves (RFC 7591): what may be registered, and what is kept of it."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from tests.deployment import NOW, PASSWORD, Deployment
from tests.oauth.client_certificates import certificate
from tests.oauth.registering import PATH, invited, manage, register, registered, send
from tests.oauth.standard import ask, error

ON = {"registration": True}
EC_KEY = {
    # RFC 7515 appendix A.3.1, the public half.
    "kty": "EC",
    "crv": "P-256",
    "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
    "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
}


async def test_it_is_off_unless_the_operator_turns_it_on(deployment: Deployment) -> None:
    for method, path in (("POST", PATH), ("GET", f"{PATH}/x"), ("PUT", f"{PATH}/x"), ("DELETE", f"{PATH}/x")):
        assert (await send(deployment, method, path, invited(deployment), {})).status == 404
    configuration = await deployment.send("GET", "/.well-known/oauth-authorization-server")
    assert "registration_endpoint" not in configuration.json


@pytest.mark.settings(ON)
async def test_an_application_registers_and_gets_a_token_with_its_new_credentials(deployment: Deployment) -> None:
    """RFC 7591 §3.2.1: 201, every registered member, and the secret with when it expires."""
    reply = await register(deployment, client_name="Ledger", scope="credit:report", software_id="ignored")
    assert reply.status == 201
    assert reply.headers["cache-control"] == "no-store"
    said = reply.json
    secret, token = said.pop("client_secret"), said.pop("registration_access_token")
    assert secret.startswith("crd_sbx_sec_")
    assert token.startswith("crd_sbx_reg_")
    assert said.pop("client_id").startswith("crd_sbx_app_")
    assert said == {
        "client_id_issued_at": NOW // 1000,
        "client_secret_expires_at": 0,
        "registration_client_uri": f"https://localhost:8443{PATH}/{reply.json['client_id']}",
        "client_name": "Ledger",
        "grant_types": ["client_credentials"],
        "response_types": [],
        "scope": "credit:report",
        "token_endpoint_auth_method": "client_secret_basic",
        "id_token_signed_response_alg": "RS256",
        "dpop_bound_access_tokens": False,
        "tls_client_certificate_bound_access_tokens": False,
    }
    basic = base64.b64encode(f"{reply.json['client_id']}:{secret}".encode()).decode()
    answered = await ask(deployment, {"grant_type": "client_credentials"}, [("Authorization", f"Basic {basic}")])
    assert answered.status == 200
    assert answered.json["scope"] == "credit:report"


@pytest.mark.settings(ON)
async def test_nothing_secret_of_it_is_kept_in_clear(deployment: Deployment) -> None:
    """threats A3, A14: of secret and registration access token a keyed digest alone."""
    said = await registered(deployment)
    kept = repr(await deployment.store.application(said["client_id"]))
    assert said["client_secret"] not in kept
    assert said["registration_access_token"] not in kept


@pytest.mark.settings(ON)
async def test_an_absent_or_null_member_is_what_the_invitation_allows(deployment: Deployment) -> None:
    """RFC 7591 §2: the server may register a default set of scopes, and replaces what it cannot have."""
    token = invited(deployment, audiences=("https://ledger.example",))
    said = await registered(deployment, token, scope=None, client_name=None)
    assert said["client_name"] == said["client_id"]
    assert said["grant_types"] == ["client_credentials"]
    assert said["scope"] == "credit:report credit:search"
    kept = await deployment.store.application(said["client_id"])
    assert kept is not None
    assert kept.audiences == ("https://ledger.example",)


@pytest.mark.settings(ON)
async def test_grants_that_are_not_allowed_are_left_out_and_the_answer_says_which_are_granted(
    deployment: Deployment,
) -> None:
    """RFC 7591 §2, §3.2.1: the server may replace what a client requests, and returns what it registered."""
    wanted = ["password", "client_credentials", "urn:example:unheard-of"]
    said = await registered(deployment, grant_types=wanted)
    assert said["grant_types"] == ["client_credentials"]
    kept = await deployment.store.application(said["client_id"])
    assert kept is not None
    assert kept.grants == ("client_credentials",)


@pytest.mark.settings(ON)
async def test_an_application_with_a_key_gets_no_secret(deployment: Deployment) -> None:
    """RFC 7591 §2: private_key_jwt with its keys by value."""
    said = await registered(deployment, token_endpoint_auth_method="private_key_jwt", jwks={"keys": [EC_KEY]})
    assert "client_secret" not in said
    assert "client_secret_expires_at" not in said
    assert said["jwks"] == {"keys": [{**EC_KEY, "alg": "ES256"}]}


@pytest.mark.settings({**ON, "calls_out": True})
async def test_an_application_registers_the_address_of_its_keys_and_signed_user_information(
    deployment: Deployment,
) -> None:
    """RFC 7591 §2, OpenID Connect Registration §2: the modules registration-jwks-uri and userinfo-rs256."""
    wanted = {
        "token_endpoint_auth_method": "private_key_jwt",
        "jwks_uri": "https://client.example/keys",
        "userinfo_signed_response_alg": "RS256",
    }
    said = await registered(deployment, **wanted)
    assert {name: said[name] for name in wanted} == wanted
    assert "jwks" not in said


@pytest.mark.settings({**ON, "calls_out": True})
@pytest.mark.parametrize(
    "metadata",
    [
        {"jwks_uri": "https://client.example/keys", "jwks": {"keys": [EC_KEY]}},  # RFC 7591 §2: not both
        {"jwks_uri": "http://client.example/keys"},
        {"jwks_uri": "https://127.0.0.1/keys"},
        {"jwks_uri": "https://client.example:8443/keys"},
        {"userinfo_signed_response_alg": "none"},
        {"userinfo_signed_response_alg": "HS256"},
    ],
)
async def test_an_address_that_is_not_called_and_a_signature_that_is_not_made_are_refused(
    deployment: Deployment, metadata: dict[str, Any]
) -> None:
    reply = await register(deployment, **metadata)
    assert (reply.status, reply.json["error"]) == (400, "invalid_client_metadata")
    assert any(name in reply.json["error_description"] for name in metadata)


@pytest.mark.parametrize(
    ("metadata", "code"),
    [
        ({"redirect_uris": ["http://client.example/cb"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["https://client.example/cb#x"]}, "invalid_redirect_uri"),
        ({"post_logout_redirect_uris": ["https://u@client.example/"]}, "invalid_redirect_uri"),
        ({"response_types": ["code"]}, "invalid_client_metadata"),
        ({"jwks_uri": "https://client.example/jwks"}, "invalid_client_metadata"),  # threats E3
        ({"grant_types": ["password"]}, "invalid_client_metadata"),
        ({"grant_types": ["authorization_code"]}, "invalid_client_metadata"),
        ({"grant_types": []}, "invalid_client_metadata"),
        ({"grant_types": "client_credentials"}, "invalid_client_metadata"),
        ({"scope": "credit:directors"}, "invalid_client_metadata"),
        ({"scope": 7}, "invalid_client_metadata"),
        ({"client_name": " "}, "invalid_client_metadata"),
        ({"client_name": "a\nb"}, "invalid_client_metadata"),
        ({"client_name": "x" * 101}, "invalid_client_metadata"),
        ({"token_endpoint_auth_method": "client_secret_jwt"}, "invalid_client_metadata"),
        ({"token_endpoint_auth_method": "tls_client_auth"}, "invalid_client_metadata"),  # no proxy passes certificates
        ({"token_endpoint_auth_method": "none"}, "invalid_client_metadata"),  # not with client_credentials
        ({"token_endpoint_auth_method": "private_key_jwt"}, "invalid_client_metadata"),
        ({"token_endpoint_auth_method": "private_key_jwt", "jwks": {"keys": []}}, "invalid_client_metadata"),
        ({"jwks": {"keys": [{**EC_KEY, "d": "AA"}]}}, "invalid_client_metadata"),
        ({"jwks": {"keys": [{"kty": "oct", "k": "AAAA"}]}}, "invalid_client_metadata"),
        (
            {"dpop_bound_access_tokens": True, "tls_client_certificate_bound_access_tokens": True},
            "invalid_client_metadata",
        ),  # a token is bound to one thing
        ({"id_token_signed_response_alg": "none"}, "invalid_client_metadata"),
        ({"id_token_signed_response_alg": "HS256"}, "invalid_client_metadata"),
        ({"dpop_bound_access_tokens": "true"}, "invalid_client_metadata"),
        (
            {"tls_client_auth_subject_dn": "CN=a", "tls_client_auth_san_dns": "a.example"},
            "invalid_client_metadata",
        ),  # RFC 8705 §2.1.2: one
    ],
    ids=str,
)
@pytest.mark.settings(ON)
async def test_invalid_metadata_is_refused_and_does_not_use_the_invitation(
    deployment: Deployment, metadata: dict[str, Any], code: str
) -> None:
    """RFC 7591 §3.2.2: 400 with its codes; the invitation is still good."""
    token = invited(deployment)
    reply = await register(deployment, token, **metadata)
    assert error(reply) == (400, code)
    assert any(name in reply.json["error_description"] for name in metadata)
    assert reply.headers["cache-control"] == "no-store"
    await registered(deployment, token)
    assert len(await deployment.store.applications()) == 2  # the deployment's own and the registered one


@pytest.mark.parametrize(
    ("octets", "unknown"),
    [
        ("06082a8648ce3d030107", "06082a8648ce3d03017f"),  # the curve, RFC 5480 §2.1.1.1
        ("06072a8648ce3d0201", "06072a8648ce3d027f"),  # the type of key, §2.1.1
    ],
    ids=["curve", "type"],
)
@pytest.mark.settings(ON)
async def test_a_certificate_with_an_unknown_kind_of_key_is_refused(
    deployment: Deployment, octets: str, unknown: str
) -> None:
    """threats E7: no surprise; RFC 7591 §3.2.2."""
    shown = certificate()
    changed = shown.der.replace(bytes.fromhex(octets), bytes.fromhex(unknown))
    assert changed != shown.der
    jwk = {**shown.jwk, "x5c": [base64.b64encode(changed).decode()]}

    reply = await register(deployment, jwks={"keys": [jwk]})
    assert error(reply) == (400, "invalid_client_metadata")


@pytest.mark.parametrize("body", [b"[]", b'{"a":', b'{"a":1,"a":2}', b'{"a":{"b":{"c":{"d":{"e":{}}}}}}', b"\xff"])
@pytest.mark.settings(ON)
async def test_a_body_that_is_no_plain_object_is_a_threat(deployment: Deployment, body: bytes) -> None:
    """D16: the limits of every JSON body."""
    bearer = ("Authorization", f"Bearer {invited(deployment)}")
    reply = await deployment.send("POST", PATH, [("Content-Type", "application/json"), bearer], body)
    assert error(reply) == (400, "invalid_request")


@pytest.mark.settings(ON)
async def test_a_long_string_is_a_threat_and_a_long_body_is_not_read(deployment: Deployment) -> None:
    """Spec §5: 1,024 characters and 16 KiB. D3: the size comes first, with the 401 of every route."""
    reply = await register(deployment, client_name="x" * 1_025)
    assert error(reply) == (400, "invalid_request")
    assert reply.headers["x-reason"] == "json.string"
    reply = await register(deployment, client_name="x" * 16_384)
    assert (reply.status, reply.headers["x-reason"]) == (401, "body.size")


@pytest.mark.parametrize("content_type", [None, "application/x-www-form-urlencoded"])
@pytest.mark.settings(ON)
async def test_only_json_is_read(deployment: Deployment, content_type: str | None) -> None:
    """RFC 7591 §3.1: application/json."""
    headers = [("Authorization", f"Bearer {invited(deployment)}")]
    headers += [("Content-Type", content_type)] if content_type else []
    assert (await deployment.send("POST", PATH, headers, b"{}")).status == 415


@pytest.mark.settings(ON)
async def test_a_pattern_in_a_name_is_a_threat(deployment: Deployment) -> None:
    """D17: body values are screened; those that are octets in base64 are not."""
    reply = await register(deployment, client_name="<script>alert(1)</script>")
    assert error(reply) == (400, "invalid_request")


@pytest.mark.settings(ON)
async def test_a_registration_is_in_the_audit_trail_without_any_secret(deployment: Deployment, tmp_path: Path) -> None:
    """threats A11, F2: who, from where and what, and no token."""
    token = invited(deployment)
    said = await registered(deployment, token)
    await manage(deployment, "DELETE", said)
    deployment.service.audit.flush()
    text = "".join(file.read_text() for file in (tmp_path / "audit").iterdir() if file.is_file())
    events = [json.loads(line) for line in text.splitlines()]
    told = [(each["event"], each["application"]) for each in events]
    assert told == [("registered", said["client_id"]), ("registration_ended", said["client_id"])]
    for secret in (token, said["client_secret"], said["registration_access_token"]):
        assert secret not in text


@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
@pytest.mark.settings(ON)
async def test_a_method_is_registered_as_requested(deployment: Deployment, method: str) -> None:
    """RFC 7591 §2, §3.2.1: it is reported back, works with the password grant, and the other place is refused (D1)."""
    token = invited(deployment, grants=("password", "client_credentials"))
    said = await registered(deployment, token, token_endpoint_auth_method=method)
    assert said["token_endpoint_auth_method"] == method
    assert (await manage(deployment, "GET", said)).json["token_endpoint_auth_method"] == method
    login = {"grant_type": "password", "username": "ada", "password": PASSWORD}
    pair = f"{said['client_id']}:{said['client_secret']}".encode()
    basic = [("Authorization", f"Basic {base64.b64encode(pair).decode()}")]
    in_form = {name: said[name] for name in ("client_id", "client_secret")}
    by_post = method == "client_secret_post"
    assert (await ask(deployment, login, basic)).status == (401 if by_post else 200)
    assert (await ask(deployment, login | in_form, [])).status == (200 if by_post else 415)
