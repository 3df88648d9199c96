"""Every advertised value works, and every working one is advertised (threats T15, RFC 8414 §2, OpenID Connect Discovery §3).

Each member of the document has a test that uses it, here, in `test_metadata_of_methods.py` or in `test_user_info.py`.
A member without such a test, and a grant, scope, method or algorithm that is not advertised, fails.
"""

import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from credence import paths
from credence.crypto import base64url
from credence.crypto.client_key import ACCEPTED
from credence.crypto.jws import ALGORITHMS
from credence.oauth.grants import GRANTS
from credence.oauth.parameters.scopes import SCOPES
from credence.web.routes import ROUTES, mounted
from tests.deployment import Deployment, Reply, claims
from tests.oauth.asserting import by_assertion
from tests.oauth.client_certificates import BEHIND_A_PROXY
from tests.oauth.exchanging import exchange, service
from tests.oauth.proving import Key, Prover
from tests.oauth.registering import invited, send
from tests.oauth.standard import FORM, ask, log_in
from tests.oauth.test_metadata_of_methods import METHODS_AND_ALGORITHMS, PROVED_AT
from tests.sign_in import devices
from tests.sign_in.browsing import Browser, answer_of, authorized, redeem, request_of, with_browser_application
from tests.sign_in.pushing import KEYS, object_of, pushed

EVERY_SETTING: dict[str, Any] = {**BEHIND_A_PROXY, "registration": True, "status_list": True}
"""Settings with which all that can be mounted is."""


async def metadata(deployment: Deployment) -> dict[str, Any]:
    document: dict[str, Any] = (await deployment.send("GET", paths.AUTHORIZATION_SERVER)).json
    return document


# Grants


async def by_password(deployment: Deployment) -> Reply:
    return await log_in(deployment)


async def by_refresh(deployment: Deployment) -> Reply:
    fields = {"grant_type": "refresh_token", "refresh_token": (await log_in(deployment)).json["refresh_token"]}
    return await ask(deployment, fields)


async def by_client_credentials(deployment: Deployment) -> Reply:
    await deployment.change_application(grants=("client_credentials",))
    return await ask(deployment, {"grant_type": "client_credentials"})


async def by_exchange(deployment: Deployment) -> Reply:
    return await exchange(await service(deployment), (await log_in(deployment)).json["access_token"])


async def by_code(deployment: Deployment) -> Reply:
    application = await with_browser_application(deployment)
    code = answer_of(await authorized(Browser(deployment), application))["code"]
    return await redeem(deployment, code)


GRANT: dict[str, Callable[[Deployment], Awaitable[Reply]]] = {
    "password": by_password,
    "refresh_token": by_refresh,
    "authorization_code": by_code,
    devices.GRANT: devices.connected,
    "client_credentials": by_client_credentials,
    "urn:ietf:params:oauth:grant-type:token-exchange": by_exchange,
    "urn:ietf:params:oauth:grant-type:jwt-bearer": by_assertion,
}

WITHOUT_A_NAME = {paths.SIGN_IN, paths.PASSKEY, paths.SECOND_FACTOR, paths.CONTINUE, paths.CONSENT, paths.FORWARD_AUTH}
"""Where the service's own pages send their forms, and the address for proxies: metadata has no member for either."""

REGISTERED_GRANTS = ("implicit", "urn:ietf:params:oauth:grant-type:saml2-bearer", "urn:openid:params:grant-type:ciba")
"""Those of the IANA registry and of OpenID Connect that are not built."""


async def test_each_grant_that_is_advertised_works_and_each_that_works_is(deployment: Deployment) -> None:
    """RFC 8414 §2: grant_types_supported."""
    assert set((await metadata(deployment))["grant_types_supported"]) == set(GRANT) == set(GRANTS)
    for name in REGISTERED_GRANTS:
        assert (await ask(deployment, {"grant_type": name})).json["error"] == "unsupported_grant_type"


@pytest.mark.parametrize("name", GRANTS)
async def test_this_grant_works(deployment: Deployment, name: str) -> None:
    reply = await GRANT[name](deployment)
    assert reply.status == 200, reply
    assert reply.json["access_token"]


# Scopes


async def test_each_scope_that_is_advertised_is_granted_and_no_other(deployment: Deployment) -> None:
    """RFC 8414 §2: scopes_supported; OpenID Connect Discovery §3 requires openid among them."""
    advertised = (await metadata(deployment))["scopes_supported"]
    assert advertised == list(SCOPES)
    for scope in advertised:
        assert (await log_in(deployment, scope=scope)).json["scope"] == scope
    asked = " ".join((*advertised, "address", "phone"))
    assert (await log_in(deployment, scope=asked)).json["scope"].split(" ") == advertised
    resource = (await deployment.send("GET", paths.PROTECTED_RESOURCE)).json
    assert set(resource["scopes_supported"]) <= set(advertised)


async def test_each_scope_that_opens_a_route_is_in_the_metadata_of_the_resource(deployment: Deployment) -> None:
    """RFC 9728 §2: scopes_supported are those to ask for; the API's routes say which they need."""
    resource = (await deployment.send("GET", paths.PROTECTED_RESOURCE)).json
    assert set(resource["scopes_supported"]) == {
        route.scope for route in ROUTES if route.scope and route.path.startswith(("/risk/", "/monitoring/"))
    }


# ID tokens


async def test_each_algorithm_that_is_advertised_signs_id_tokens_and_no_other(deployment: Deployment) -> None:
    """OpenID Connect Discovery §3: id_token_signing_alg_values_supported, RS256 among them and `none` never."""
    advertised = (await metadata(deployment))["id_token_signing_alg_values_supported"]
    assert "RS256" in advertised
    assert "none" not in advertised
    for algorithm in ALGORITHMS:
        await deployment.change_application(id_token_algorithm=algorithm)
        token = (await log_in(deployment, scope="openid")).json["id_token"]
        signed_by = json.loads(base64url.decode(token.split(".")[0]))["alg"]
        assert (signed_by == algorithm) is (algorithm in advertised)


async def test_the_advertised_claims_are_those_that_are_returned(deployment: Deployment) -> None:
    """OpenID Connect Discovery §3: claims_supported."""
    by_password = claims((await log_in(deployment, scope="openid profile email")).json["id_token"])
    in_browser = claims((await by_code(deployment)).json["id_token"])
    assert set((await metadata(deployment))["claims_supported"]) == {*by_password, *in_browser}


async def test_each_kind_of_request_that_is_advertised_is_answered_and_no_other(deployment: Deployment) -> None:
    """Requests by value and pushed ones, and one kind of subject (OpenID Connect Discovery §3, RFC 9101, RFC 9126 §5)."""
    document = await metadata(deployment)
    application = await with_browser_application(deployment, keys=KEYS)
    assert document["request_parameter_supported"] is True
    assert document["require_pushed_authorization_requests"] is False
    signed = f"{request_of(application)}&request={object_of(deployment, application)}"
    for target in (request_of(application), signed, await pushed(deployment, application)):
        assert (await Browser(deployment).get(target)).status == 200
    assert document["request_uri_parameter_supported"] is False
    refused = await Browser(deployment).get(request_of(application, request_uri="https://app.example.com/r"))
    assert answer_of(refused)["error"] == "request_uri_not_supported"
    assert document["subject_types_supported"] == ["public"]
    token = (await log_in(deployment, scope="openid")).json["id_token"]
    another = await deployment.another_application()
    same = (await log_in(another, scope="openid")).json["id_token"]
    assert claims(token)["sub"] == claims(same)["sub"]  # public: the same for every application (Core §8)


async def test_the_claims_parameter_that_is_advertised_is_read(deployment: Deployment) -> None:
    """claims_parameter_supported."""
    assert (await metadata(deployment))["claims_parameter_supported"] is True
    application = await with_browser_application(deployment)
    asked = '{"id_token": {"given_name": null}}'
    code = answer_of(await authorized(Browser(deployment), application, scope="openid", claims=asked))["code"]
    assert claims((await redeem(deployment, code)).json["id_token"])["given_name"] == "Ada"


async def test_each_algorithm_that_is_advertised_signs_requests_and_answers(deployment: Deployment) -> None:
    """request_object_signing_alg_values_supported, authorization_signing_alg_values_supported (JARM §4)."""
    document = await metadata(deployment)
    assert document["request_object_signing_alg_values_supported"] == list(ACCEPTED)
    for algorithm in document["authorization_signing_alg_values_supported"]:
        await deployment.change_application(id_token_algorithm=algorithm)
        application = await with_browser_application(deployment)
        reply = await Browser(deployment).get(request_of(application, response_mode="jwt", prompt="none"))
        header = json.loads(base64url.decode(answer_of(reply)["response"].split(".")[0]))
        assert header["alg"] == algorithm


# Places


def path_of(address: str) -> str:
    return address.removeprefix("https://localhost:8443")


@pytest.mark.settings(EVERY_SETTING)
async def test_each_address_that_is_advertised_is_served(deployment: Deployment) -> None:
    document = await metadata(deployment)
    served = {route.path: route for route in mounted(deployment.service.settings)}
    for name, value in document.items():
        if name.endswith(("_endpoint", "_uri")) or name == "service_documentation":
            route = served[path_of(value)]
            reply = await deployment.send(route.methods[0], route.path)
            assert reply.status not in {404, 405, 500}


@pytest.mark.settings(EVERY_SETTING)
async def test_each_oauth_route_is_advertised(deployment: Deployment) -> None:
    advertised = {path_of(value) for value in (await metadata(deployment)).values() if isinstance(value, str)}
    for route in mounted(deployment.service.settings):
        if route.path.startswith("/oauth2/") and "{" not in route.path and route.path not in WITHOUT_A_NAME:
            assert route.path in advertised


async def test_the_resource_that_is_advertised_is_what_tokens_are_for(deployment: Deployment) -> None:
    """RFC 9728 §4: protected_resources; §2: bearer_methods_supported, of which a form and an address are the others."""
    token = (await log_in(deployment)).json["access_token"]
    for_agents = (await log_in(deployment, resource=f"{deployment.service.settings.issuer}{paths.MCP}")).json
    audiences = [claims(each)["aud"] for each in (token, for_agents["access_token"])]
    assert (await metadata(deployment))["protected_resources"] == audiences
    resource = (await deployment.send("GET", paths.PROTECTED_RESOURCE)).json
    assert resource["bearer_methods_supported"] == ["header"]
    assert (await deployment.report(token)).status == 200
    path = "/risk/business/v1/registeredcompanycredit/99999999"
    assert (await deployment.send("GET", f"{path}?access_token={token}")).status == 401
    assert (await deployment.send("GET", path, [FORM], f"access_token={token}".encode())).status == 401


async def test_each_algorithm_that_is_advertised_signs_proofs_and_no_other(deployment: Deployment) -> None:
    """RFC 9449 §5.1, threats T15: `dpop_signing_alg_values_supported`. Ed25519 is EdDSA by its newer name (RFC 9864)."""
    advertised = (await metadata(deployment))["dpop_signing_alg_values_supported"]
    accepted = []
    kinds = {"RS": "RS256", "PS": "PS256", "Ed": "EdDSA"}
    for algorithm in ("RS256", "PS256", "ES256", "EdDSA", "Ed25519", "RS384", "PS512", "ES384", "HS256", "none"):
        client = Prover(deployment, Key(kinds.get(algorithm[:2], "ES256")))
        client.key.algorithm = algorithm  # as the header says it
        if (await client.log_in()).status == 200:
            accepted.append(algorithm)
    assert accepted == advertised


async def test_the_algorithm_that_is_advertised_signs_introspections(deployment: Deployment) -> None:
    """RFC 9701 §7: introspection_signing_alg_values_supported."""
    document = await metadata(deployment)
    headers = [deployment.basic, ("Accept", "application/token-introspection+jwt")]
    fields = {"token": (await log_in(deployment)).json["access_token"]}
    reply = await ask(deployment, fields, headers, path_of(document["introspection_endpoint"]))
    header = json.loads(base64url.decode(reply.body.decode().split(".")[0]))
    assert document["introspection_signing_alg_values_supported"] == [header["alg"]]


@pytest.mark.settings(EVERY_SETTING)
async def test_an_application_registers_where_it_is_advertised(deployment: Deployment) -> None:
    """RFC 8414 §2: registration_endpoint."""
    place = path_of((await metadata(deployment))["registration_endpoint"])
    assert (await send(deployment, "POST", place, invited(deployment), {})).status == 201


@pytest.mark.settings(EVERY_SETTING)
async def test_resource_and_service_advertise_the_same_on_bound_tokens(deployment: Deployment) -> None:
    """RFC 9728 §2: the API takes what the service binds, and asks for no binding."""
    service, resource = await metadata(deployment), (await deployment.send("GET", paths.PROTECTED_RESOURCE)).json
    for name in ("dpop_signing_alg_values_supported", "tls_client_certificate_bound_access_tokens"):
        assert resource[name] == service[name]
    assert "dpop_bound_access_tokens_required" not in resource  # default false


async def test_each_way_to_answer_that_is_advertised_works_and_no_other(deployment: Deployment) -> None:
    """response_types_supported, response_modes_supported, RFC 9207 §3."""
    document, application = await metadata(deployment), await with_browser_application(deployment)
    assert document["authorization_response_iss_parameter_supported"] is True
    working = [
        response_type
        for response_type in ("code", "token", "id_token", "code id_token", "none")
        if (await Browser(deployment).get(request_of(application, response_type=response_type))).status == 200
    ]
    assert document["response_types_supported"] == working
    modes = [
        mode
        for mode in ("query", "fragment", "form_post", "jwt", "query.jwt", "fragment.jwt", "form_post.jwt")
        if b"sign-in" in (await Browser(deployment).get(request_of(application, response_mode=mode))).body
    ]
    assert document["response_modes_supported"] == modes


async def test_each_challenge_method_and_prompt_that_is_advertised_works_and_no_other(deployment: Deployment) -> None:
    """code_challenge_methods_supported (RFC 8414 §2), prompt_values_supported (Initiating User Registration §4.1)."""
    document, application = await metadata(deployment), await with_browser_application(deployment)
    methods = [
        method
        for method in ("S256", "plain")
        if (await Browser(deployment).get(request_of(application, code_challenge_method=method))).status == 200
    ]
    assert document["code_challenge_methods_supported"] == methods
    for prompt in document["prompt_values_supported"]:
        reply = await Browser(deployment).get(request_of(application, prompt=prompt))
        assert reply.status == 200 or answer_of(reply)["error"] == "login_required"
    unknown = await Browser(deployment).get(request_of(application, prompt="create"))
    assert answer_of(unknown)["error"] == "invalid_request"


async def test_each_class_of_authentication_is_advertised(deployment: Deployment) -> None:
    """acr_values_supported."""
    assert (
        claims((await by_code(deployment)).json["id_token"])["acr"]
        in (await metadata(deployment))["acr_values_supported"]
    )


USED = {
    "response_types_supported",
    "response_modes_supported",
    "authorization_response_iss_parameter_supported",
    "code_challenge_methods_supported",
    "prompt_values_supported",
    "acr_values_supported",
    "claims_parameter_supported",
    "request_parameter_supported",
    "request_object_signing_alg_values_supported",
    "authorization_signing_alg_values_supported",
    "pushed_authorization_request_endpoint",
    "require_pushed_authorization_requests",
    "authorization_endpoint",
    "device_authorization_endpoint",
    "end_session_endpoint",
    "issuer",
    *("scopes_supported", "authorization_details_types_supported", "authorization_grant_profiles_supported"),
    "grant_types_supported",
    "subject_types_supported",
    "id_token_signing_alg_values_supported",
    "userinfo_signing_alg_values_supported",
    "claims_supported",
    "dpop_signing_alg_values_supported",
    "introspection_signing_alg_values_supported",
    "registration_endpoint",
    "status_list_aggregation_endpoint",
    "request_uri_parameter_supported",
    "protected_resources",
    "service_documentation",
    "userinfo_endpoint",
    "jwks_uri",
    *PROVED_AT,
    *METHODS_AND_ALGORITHMS,
    "tls_client_certificate_bound_access_tokens",
}
"""The members that a test of this file uses."""


@pytest.mark.settings(EVERY_SETTING)
async def test_each_member_of_the_document_is_used_by_a_test(deployment: Deployment) -> None:
    assert (await metadata(deployment)).keys() <= USED
