"""FAPI 2.0 Security Profile, client credentials: what the OpenID Foundation's modules for that grant check.

Each test is named after its module, whose name begins with `fapi2-security-profile-final-`; the audiences of assertions are
those of the modules for pushed requests. A run of the suite itself can be compared with this file line by line.
"""

import socket
import ssl
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.conformance.fapi2 import KEYS, Fapi2Client, fapi2_client
from tests.deployment import Deployment
from tests.oauth import assertions
from tests.oauth.assertions import SECONDS, TOKEN_ENDPOINT
from tests.oauth.proving import ISSUER, REPORT, Key, ath, encoded
from tests.oauth.standard import error
from tests.running import RunningServer

INVALID_CLIENT = (401, "invalid_client")
INVALID_PROOF = (400, "invalid_dpop_proof")


# discovery-end-point-verification


def test_discovery_end_point_verification(sandbox: RunningServer) -> None:
    """RFC 8414 §2, §3.2: required members, addresses over https, no empty list, and an algorithm that FAPI allows."""
    metadata = sandbox.client.get("/.well-known/openid-configuration").json()
    assert metadata["issuer"] == sandbox.base_url
    places = {f"{name}_endpoint" for name in ("authorization", "token", "revocation", "introspection", "userinfo")}
    for name in {*places, "pushed_authorization_request_endpoint", "jwks_uri"}:
        assert metadata[name].startswith("https://")
    assert {"authorization_code", "client_credentials", "refresh_token"} <= set(metadata["grant_types_supported"])
    assert "code" in metadata["response_types_supported"]
    assert "jwt" in metadata["response_modes_supported"]
    assert "openid" in metadata["scopes_supported"]
    assert "public" in metadata["subject_types_supported"]
    assert metadata["authorization_response_iss_parameter_supported"] is True
    assert isinstance(metadata.get("require_pushed_authorization_requests", False), bool)
    assert set(metadata["request_object_signing_alg_values_supported"]) >= {"PS256", "ES256"}
    assert "private_key_jwt" in metadata["token_endpoint_auth_methods_supported"]
    for name in ("dpop_signing_alg_values_supported", "token_endpoint_auth_signing_alg_values_supported"):
        assert {"PS256", "ES256", "EdDSA"} & set(metadata[name])


@pytest.mark.parametrize(
    ("version", "accepted"),
    [
        (ssl.TLSVersion.TLSv1, False),
        (ssl.TLSVersion.TLSv1_1, False),
        (ssl.TLSVersion.TLSv1_2, True),
        (ssl.TLSVersion.TLSv1_3, True),
    ],
)
@pytest.mark.filterwarnings("ignore:ssl.TLSVersion.TLSv1:DeprecationWarning")
def test_discovery_end_point_verification_tls(sandbox: RunningServer, version: ssl.TLSVersion, accepted: bool) -> None:
    """FAPI 2.0 §5.2.2: TLS 1.2 or later."""
    assert handshake_succeeds(sandbox, version) is accepted


def handshake_succeeds(server: RunningServer, version: ssl.TLSVersion) -> bool:
    """Return whether the server agrees to this version of TLS alone."""
    trust = ssl.create_default_context(cafile=server.ca_file)
    trust.minimum_version = trust.maximum_version = version
    trust.set_ciphers("DEFAULT:@SECLEVEL=0")  # OpenSSL offers the old versions on this level alone
    url = urlsplit(server.base_url)
    try:
        with (
            socket.create_connection((url.hostname, url.port)) as connection,
            trust.wrap_socket(connection, server_hostname=url.hostname),
        ):
            return True
    except ssl.SSLError:
        return False


# happy-flow


@pytest.mark.parametrize("algorithm", KEYS)
async def test_happy_flow(deployment: Deployment, algorithm: str) -> None:
    """A DPoP token with numeric lifetime, not stored by caches, without refresh token; it opens a report."""
    client = await fapi2_client(deployment, algorithm)
    reply = await client.ask()
    assert reply.status == 200
    assert reply.headers["cache-control"] == "no-store"
    assert reply.json["token_type"] == "DPoP"
    assert isinstance(reply.json["expires_in"], int)
    assert "refresh_token" not in reply.json
    assert (await client.report(reply.json["access_token"])).status == 200


# access-token-type-header-case-sensitivity


@pytest.mark.parametrize("scheme", ["dpop", "DPOP", "dPoP"])
async def test_access_token_type_header_case_sensitivity(deployment: Deployment, scheme: str) -> None:
    """RFC 9110 §11.1: the scheme has no letter case."""
    client = await fapi2_client(deployment)
    assert (await client.report(await client.token(), scheme=scheme)).status == 200


# check-dpop-proof-nbf-exp


async def test_check_dpop_proof_nbf_exp(deployment: Deployment) -> None:
    client = await fapi2_client(deployment)
    more: dict[str, Any] = {"nbf": SECONDS - 1, "exp": SECONDS + 60}
    reply = await client.ask(more)
    assert reply.status == 200
    token = reply.json["access_token"]
    assert (await client.report(token, client.prover.proof(token=token, **more))).status == 200


@pytest.mark.parametrize("more", [{"exp": SECONDS - 3_600}, {"nbf": SECONDS + 3_600}])
async def test_check_dpop_proof_nbf_exp_has_no_effect_where_rfc_9449_gives_it_none(
    deployment: Deployment, more: dict[str, Any]
) -> None:
    """RFC 9449 §4.2 does not define them; `iat` and the nonce limit a proof. The suite only notes this."""
    client = await fapi2_client(deployment)
    token = await client.token()
    assert (await client.report(token, client.prover.proof(token=token, **more))).status == 200


# ensure-dpopproof-with-iat-10seconds-before-succeeds, …-after-succeeds


@pytest.mark.parametrize("shift", [-10, 8])
@pytest.mark.parametrize("place", ["token", "resource"])
async def test_ensure_dpopproof_with_iat_10seconds_before_or_after_succeeds(
    deployment: Deployment, shift: int, place: str
) -> None:
    client = await fapi2_client(deployment)
    shifted: dict[str, Any] = {"iat": SECONDS + shift}
    if place == "token":
        assert (await client.ask(shifted)).status == 200
    else:
        token = await client.token()
        assert (await client.report(token, client.prover.proof(token=token, **shifted))).status == 200


# ensure-client-id-in-token-endpoint


async def test_ensure_client_id_in_token_endpoint(deployment: Deployment) -> None:
    """RFC 7521 §4.2: another client's client_id beside the assertion."""
    client = await fapi2_client(deployment)
    other = await deployment.another_application()
    reply = await client.ask(client_id=other.application.client_id)
    assert error(reply) == INVALID_CLIENT


# ensure-holder-of-key-required


async def test_ensure_holder_of_key_required(deployment: Deployment) -> None:
    client = await fapi2_client(deployment)
    assert error(await client.ask(bound=False)) == INVALID_PROOF


# ensure-client-assertion-in-token-endpoint


async def test_ensure_client_assertion_in_token_endpoint(deployment: Deployment) -> None:
    client = await fapi2_client(deployment)
    reply = await client.ask(assertion="", client_id=client.assertions.client_id)
    assert error(reply) == INVALID_CLIENT


# ensure-signed-client-assertion-with-RS256-fails


async def test_ensure_signed_client_assertion_with_rs256_fails(deployment: Deployment) -> None:
    """Also with the registered RSA key, which is for PS256."""
    client = await fapi2_client(deployment, "PS256")
    by_rs256 = assertions.Client(deployment, assertions.RSA, "RS256", serial=100)
    assert error(await client.ask(assertion=by_rs256.assertion())) == INVALID_CLIENT


# ensure-invalid-client-assertions-fail, par-ensure-jwt-client-assertion-…, par-test-…-as-audience-fails


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"exp": SECONDS - 300}, id="exp five minutes past"),
        pytest.param({"aud": "https://other.example.com"}, id="aud another server"),
        pytest.param({"sub": None}, id="no sub"),
        pytest.param({"iat": SECONDS + 70, "exp": SECONDS + 130}, id="iat over 60 seconds in the future"),
        pytest.param({"nbf": SECONDS + 70, "exp": SECONDS + 130}, id="nbf over 60 seconds in the future"),
        pytest.param({"aud": TOKEN_ENDPOINT}, id="token endpoint url as audience"),
        pytest.param({"aud": [ISSUER]}, id="array as audience"),
        pytest.param({"aud": [ISSUER, TOKEN_ENDPOINT]}, id="array of both as audience"),
    ],
)
async def test_ensure_invalid_client_assertions_fail(deployment: Deployment, changed: dict[str, Any]) -> None:
    """FAPI 2.0 §5.3.2.1 items 8 and 13, RFC 7523 §3."""
    client = await fapi2_client(deployment)
    assert error(await client.ask(assertion=client.assertions.assertion(**changed))) == INVALID_CLIENT


@pytest.mark.parametrize("claim", ["iat", "nbf"])
async def test_jwt_client_assertion_with_iat_nbf_8_seconds_in_the_future_is_accepted(
    deployment: Deployment, claim: str
) -> None:
    """FAPI 2.0 §5.3.2.1 item 13: clocks differ by up to 10 seconds."""
    client = await fapi2_client(deployment)
    changed: dict[str, Any] = {claim: SECONDS + 8}
    assert (await client.ask(assertion=client.assertions.assertion(**changed))).status == 200


# dpop-negative-tests


def altered(client: Fapi2Client, token: str, **changed: Any) -> str:
    return client.prover.proof(token=token, **changed)


def by_header(client: Fapi2Client, token: str, **changed: Any) -> str:
    header = {name: value for name, value in (client.prover.header() | changed).items() if value is not None}
    return client.prover.key.signed(header, client.prover.claims(token=token))


def unsigned(client: Fapi2Client, token: str) -> str:
    header = client.prover.header() | {"alg": "none"}
    return f"{encoded(header)}.{encoded(client.prover.claims(token=token))}."


def with_private_key(client: Fapi2Client, token: str) -> str:
    private = client.prover.key.private.private_numbers().private_value
    return by_header(client, token, jwk=client.prover.key.jwk | {"d": encoded(private.to_bytes(32, "big"))})


def by_another_key(client: Fapi2Client, token: str) -> str:
    other = Key("ES256")
    return other.signed(client.prover.header() | {"jwk": other.jwk}, client.prover.claims(token=token))


NEGATIVE = {
    "signature": lambda client, token: Key("ES256").signed(client.prover.header(), client.prover.claims(token=token)),
    "htm": lambda client, token: altered(client, token, htm="POST"),
    "htu": lambda client, token: altered(client, token, htu=f"{ISSUER}/elsewhere"),
    "iat an hour ago": lambda client, token: altered(client, token, iat=SECONDS - 3_600),
    "iat an hour ahead": lambda client, token: altered(client, token, iat=SECONDS + 3_600),
    "ath of another token": lambda client, token: altered(client, token, ath=ath("another")),
    "no ath": lambda client, token: altered(client, token, ath=None),
    "no jti": lambda client, token: altered(client, token, jti=None),
    "no iat": lambda client, token: altered(client, token, iat=None),
    "typ": lambda client, token: by_header(client, token, typ="JWT"),
    "alg none": unsigned,
    "private key in jwk": with_private_key,
    "another key": by_another_key,
}


@pytest.mark.parametrize("name", NEGATIVE)
async def test_dpop_negative_tests(deployment: Deployment, name: str) -> None:
    """RFC 9449 §4.3: refused, and the same request with a good proof is answered."""
    client = await fapi2_client(deployment)
    token = await client.token()
    reply = await client.report(token, NEGATIVE[name](client, token))
    assert reply.status == 401
    assert reply.headers["www-authenticate"].startswith("DPoP ")
    assert (await client.report(token)).status == 200


async def test_dpop_negative_tests_without_a_proof(deployment: Deployment) -> None:
    client = await fapi2_client(deployment)
    token = await client.token()
    reply = await deployment.send("GET", REPORT, [("Authorization", f"DPoP {token}")])
    assert reply.status == 401


async def test_dpop_negative_tests_downgrade_to_bearer(deployment: Deployment) -> None:
    """RFC 9449 §7.2."""
    client = await fapi2_client(deployment)
    assert (await client.report(await client.token(), scheme="Bearer")).status == 401


@pytest.mark.each_node
async def test_dpop_negative_tests_jti_reuse(deployment: Deployment) -> None:
    client = await fapi2_client(deployment)
    token = await client.token()
    proof = client.prover.proof(token=token)
    assert (await client.report(token, proof)).status == 200
    assert (await client.report(token, proof)).status == 401


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"htu": f"{ISSUER}{REPORT}?a=b#c"}, id="htu with query and fragment"),
        pytest.param({"htu": f"HTTPS://LOCALHOST:8443{REPORT}"}, id="htu with upper-case scheme and host"),
        pytest.param({"more": "ignored"}, id="extra claims"),
    ],
)
async def test_dpop_negative_tests_variants_that_are_good(deployment: Deployment, changed: dict[str, str]) -> None:
    """RFC 9449 §4.3: htu is compared after normalisation, without query and fragment; more claims have no meaning."""
    client = await fapi2_client(deployment)
    token = await client.token()
    assert (await client.report(token, altered(client, token, **changed))).status == 200


# What the profile adds beyond these modules, and what is unchanged without it


async def test_a_proof_by_rs256_is_refused_at_both_endpoints(deployment: Deployment) -> None:
    """FAPI 2.0 §5.4.1: PS256, ES256 or EdDSA; also by the key to which the token is bound."""
    client = await fapi2_client(deployment)
    rsa = Key("PS256")
    client.prover.key = rsa
    token = await client.token()
    client.prover.key = Key("RS256", rsa.private)
    assert error(await client.ask()) == INVALID_PROOF
    assert (await client.report(token)).status == 401


async def test_without_the_profile_nothing_changes(deployment: Deployment) -> None:
    """RFC 7523 §3 item 3: the token endpoint and a list stay good audiences, RS256 a good algorithm of proofs."""
    client = await fapi2_client(deployment)
    await deployment.change_application(profile=None, dpop_required=False)
    for aud in (TOKEN_ENDPOINT, [ISSUER]):
        assertion = client.assertions.assertion(aud=aud)
        assert (await client.ask(assertion=assertion, bound=False)).status == 200
    client.prover.key = Key("RS256")
    assert (await client.ask()).status == 200
