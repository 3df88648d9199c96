"""Each method of client authentication that is advertised works, and no other does (threats T15, RFC 8414 §2)."""

import json
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlencode

import pytest

from credence import paths
from credence.crypto import base64url
from credence.crypto.certificates import normal_name
from credence.identity.client_keys import read_key_set
from credence.store.records import CertificateName
from tests.deployment import Deployment, Header, OpenDeployment, Reply, claims
from tests.oauth import assertions
from tests.oauth.client_certificates import ANY, BEHIND_A_PROXY, PROXY, VERIFIED, certificate
from tests.oauth.exchanging import ACCESS_TOKEN, GRANT
from tests.oauth.proving import Prover
from tests.oauth.standard import FORM, ask, log_in

Fields = dict[str, str]

PROVED_AT: dict[str, Fields] = {
    "token_endpoint": {"grant_type": "client_credentials"},
    "revocation_endpoint": {"token": "unknown"},
    "introspection_endpoint": {"token": "unknown"},
}
"""By endpoint, a request that needs nothing but the application's own proof."""

METHODS_AND_ALGORITHMS = {
    f"{endpoint}_auth_{values}_supported" for endpoint in PROVED_AT for values in ("methods", "signing_alg_values")
}

CERTIFICATE = certificate()


async def metadata(deployment: Deployment) -> dict[str, Any]:
    document: dict[str, Any] = (await deployment.send("GET", paths.AUTHORIZATION_SERVER)).json
    return document


async def send(deployment: Deployment, path: str, fields: Fields, *headers: Header) -> Reply:
    return await deployment.send("POST", path, [FORM, *headers], urlencode(fields).encode(), peer=PROXY)


def named(deployment: Deployment) -> Fields:
    return {"client_id": deployment.application.client_id}


async def by_basic(deployment: Deployment, path: str, fields: Fields) -> Reply:
    await deployment.change_application(authentication="client_secret")
    return await send(deployment, path, fields, deployment.basic)


async def by_post(deployment: Deployment, path: str, fields: Fields) -> Reply:
    await deployment.change_application(authentication="client_secret")
    return await send(deployment, path, {**fields, **named(deployment), "client_secret": deployment.secret})


async def by_assertion(deployment: Deployment, path: str, fields: Fields) -> Reply:
    client = await assertions.registered(deployment)
    assertion = client.assertion(jti=base64url.encode(path.encode()))
    return await send(
        deployment, path, {**fields, "client_assertion_type": assertions.TYPE, "client_assertion": assertion}
    )


async def by_name_of_certificate(deployment: Deployment, path: str, fields: Fields) -> Reply:
    name = CertificateName("san_dns", normal_name("san_dns", "ledger.example.com"))
    await deployment.change_application(authentication="tls_client_auth", certificate_name=name)
    return await send(deployment, path, {**fields, **named(deployment)}, CERTIFICATE.field(VERIFIED))


async def by_own_certificate(deployment: Deployment, path: str, fields: Fields) -> Reply:
    keys = read_key_set(json.dumps({"keys": [CERTIFICATE.jwk]}))
    await deployment.change_application(authentication="self_signed_tls_client_auth", keys=keys)
    return await send(deployment, path, {**fields, **named(deployment)}, CERTIFICATE.field(ANY))


async def by_nothing(deployment: Deployment, path: str, fields: Fields) -> Reply:
    """A public application; what it may use at the token endpoint is an exchange, with a proof of its key."""
    await deployment.change_application(authentication="client_secret", grants=("password",))
    token = (await log_in(deployment)).json["access_token"]
    await deployment.change_application(authentication="none", grants=(GRANT,))
    if path != paths.TOKEN:
        return await send(deployment, path, {**fields, **named(deployment)})
    exchange = {"grant_type": GRANT, "subject_token": token, "subject_token_type": ACCESS_TOKEN, **named(deployment)}
    prover = Prover(deployment)
    first = await send(deployment, path, exchange, ("DPoP", prover.proof("POST", path)))
    assert first.json["error"] == "use_dpop_nonce"
    prover.nonce = first.headers["dpop-nonce"]
    return await send(deployment, path, exchange, ("DPoP", prover.proof("POST", path)))


METHOD: dict[str, Callable[[Deployment, str, Fields], Awaitable[Reply]]] = {
    "client_secret_basic": by_basic,
    "client_secret_post": by_post,
    "private_key_jwt": by_assertion,
    "tls_client_auth": by_name_of_certificate,
    "self_signed_tls_client_auth": by_own_certificate,
    "none": by_nothing,
}
"""How an application proves itself by each method of the IANA registry that is built."""


@pytest.mark.parametrize("endpoint", PROVED_AT)
@pytest.mark.parametrize("method", METHOD)
@pytest.mark.settings(BEHIND_A_PROXY)
async def test_each_method_that_is_advertised_works_and_each_that_works_is(
    deployment: Deployment, method: str, endpoint: str
) -> None:
    """RFC 8414 §2: …_endpoint_auth_methods_supported; RFC 7662 §2.1 wants a proof of whoever asks."""
    document = await metadata(deployment)
    await deployment.change_application(grants=("client_credentials",))
    advertised = document[f"{endpoint}_auth_methods_supported"]
    assert set(advertised) <= METHOD.keys()
    path = document[endpoint].removeprefix(document["issuer"])
    reply = await METHOD[method](deployment, path, PROVED_AT[endpoint])
    assert (reply.status == 200) is (method in advertised), reply


@pytest.mark.parametrize(
    ("settings", "lacking"),
    [
        ({}, {"tls_client_auth", "self_signed_tls_client_auth"}),
        ({**BEHIND_A_PROXY, "trusted_proxies": ()}, {"tls_client_auth", "self_signed_tls_client_auth"}),
        ({**BEHIND_A_PROXY, "client_certificate_header": ""}, {"tls_client_auth"}),
        ({**BEHIND_A_PROXY, "unverified_certificate_header": ""}, set()),
    ],
)
async def test_certificates_are_advertised_where_they_arrive(
    open_deployment: OpenDeployment, settings: dict[str, Any], lacking: set[str]
) -> None:
    """RFC 8705 §2, §3.3."""
    deployment = await open_deployment(**settings)
    document = await metadata(deployment)
    assert set(document["token_endpoint_auth_methods_supported"]) == METHOD.keys() - lacking
    bound = document.get("tls_client_certificate_bound_access_tokens", False)
    assert bound is ("self_signed_tls_client_auth" not in lacking)
    await deployment.change_application(certificate_bound_tokens=True, grants=("client_credentials",))
    form = {"grant_type": "client_credentials"}
    for header in (VERIFIED, ANY):
        if bound and (header == ANY or "tls_client_auth" not in lacking) and settings[_SETTING[header]]:
            reply = await send(deployment, paths.TOKEN, form, deployment.basic, CERTIFICATE.field(header))
            assert "x5t#S256" in claims(reply.json["access_token"])["cnf"]
        else:
            reply = await send(deployment, paths.TOKEN, form, deployment.basic, CERTIFICATE.field(header))
            assert reply.status == 400


_SETTING = {VERIFIED: "client_certificate_header", ANY: "unverified_certificate_header"}


async def test_each_algorithm_that_is_advertised_signs_assertions_and_no_other(deployment: Deployment) -> None:
    """RFC 8414 §2: …_endpoint_auth_signing_alg_values_supported; `none` must not be used."""
    document = await metadata(deployment)
    keys = {**assertions.KEYS, "EdDSA": assertions.OKP}
    for endpoint in PROVED_AT:
        assert set(document[f"{endpoint}_auth_signing_alg_values_supported"]) == keys.keys()
    for algorithm in keys.keys() - {"EdDSA"}:  # joserfc signs under its newer name, Ed25519 (RFC 9864)
        client = await assertions.registered(deployment, algorithm)
        assert (await client.show(client.assertion(jti=algorithm))).status == 200


async def test_a_method_that_is_not_advertised_is_refused(deployment: Deployment) -> None:
    """RFC 7523 §2.2: a client_secret_jwt assertion is keyed by the secret itself, which is not kept (threats T1)."""
    await deployment.change_application(grants=("client_credentials",))
    fields = {
        "grant_type": "client_credentials",
        "client_id": deployment.application.client_id,
        "client_assertion_type": assertions.TYPE,
        "client_assertion": base64url.encode(b'{"alg":"HS256"}') + ".e30.AA",
    }
    assert (await ask(deployment, fields, [])).status == 401
