"""What anyone may read: provider configuration and key set (spec §2.6, §2.7, §4.3, §4.4, §5.9, §9.2, D12, D13)."""

import json
from pathlib import Path
from typing import Any

import pytest

from credence import paths
from credence.crypto.jws import OFFERED
from credence.web.messages.answer import HTML
from credence.web.routes import ROUTES
from credence.web.routing.route import Protection, Route
from tests.deployment import Deployment, OpenDeployment, add_keys
from tests.sign_in.test_logo import PNG

PUBLIC_MEMBERS = {
    "RSA": {"kty", "use", "alg", "kid", "n", "e"},
    "EC": {"kty", "use", "alg", "kid", "crv", "x", "y"},
    "OKP": {"kty", "use", "alg", "kid", "crv", "x"},
}


async def test_the_configuration_names_what_is_mounted(deployment: Deployment) -> None:
    """spec §2.6: jwks_uri locates the key set; OpenID Connect Discovery 1.0 §3 names the required members."""
    reply = await deployment.send("GET", paths.CONFIGURATION)
    document = reply.json
    assert document["issuer"] == "https://localhost:8443"
    assert document["token_endpoint"] == "https://localhost:8443/oauth2/v1/token"
    assert document["revocation_endpoint"] == "https://localhost:8443/oauth2/v1/revokeToken"
    assert document["jwks_uri"] == "https://localhost:8443/oauth2/v1/keys"
    assert {"password", "refresh_token"} <= set(document["grant_types_supported"])
    for required in (
        "subject_types_supported",
        "id_token_signing_alg_values_supported",
    ):
        assert required in document
    assert "RS256" in document["id_token_signing_alg_values_supported"]
    mounted = {route.path for route in ROUTES}
    for name, value in document.items():
        if name.endswith(("_endpoint", "_uri")):
            assert value.removeprefix(document["issuer"]) in mounted


@pytest.mark.settings(base_url="https://api.example.com/base/")
async def test_the_issuer_has_no_trailing_slash(deployment: Deployment) -> None:
    """D5."""
    assert (await deployment.send("GET", paths.CONFIGURATION)).json["issuer"] == "https://api.example.com/base"


async def test_the_key_set_holds_public_members_only(deployment: Deployment) -> None:
    """spec §2.7, RFC 7517, threats T13: by allow-list."""
    await add_keys(deployment.store, OFFERED)
    keys = (await deployment.send("GET", paths.KEYS)).json["keys"]
    for key in keys:
        assert set(key) == PUBLIC_MEMBERS[key["kty"]]
    assert {key["alg"] for key in keys} == {"RS256", "ES256", "PS256", "EdDSA"}
    assert len({key["kid"] for key in keys}) == len(keys)


async def test_the_next_key_of_each_algorithm_is_published_ahead(deployment: Deployment) -> None:
    """D13, threats K6: two of each kind, one that signs and one that waits."""
    await add_keys(deployment.store, OFFERED)
    keys = (await deployment.send("GET", paths.KEYS)).json["keys"]
    assert sorted(key["alg"] for key in keys) == sorted(["RS256", "ES256", "PS256", "EdDSA"] * 2)


@pytest.mark.parametrize("path", [paths.CONFIGURATION, paths.KEYS])
async def test_a_public_document_is_cacheable_and_conditional(deployment: Deployment, path: str) -> None:
    """D12, RFC 9110 §13.1.2."""
    first = await deployment.send("GET", path)
    assert first.headers["cache-control"] == "public, max-age=3600"
    tag = first.headers["etag"]
    for held in (tag, f"W/{tag}", f'"x", {tag}', "*"):
        again = await deployment.send("GET", path, [("If-None-Match", held)])
        assert (again.status, again.body, again.headers["etag"]) == (304, b"", tag)
    assert (await deployment.send("GET", path, [("If-None-Match", '"other"')])).status == 200


@pytest.mark.parametrize("path", [paths.CONFIGURATION, paths.KEYS])
async def test_head_answers_like_get_without_a_body(deployment: Deployment, path: str) -> None:
    get, head = await deployment.send("GET", path), await deployment.send("HEAD", path)
    assert head.body == b""
    assert head.headers["etag"] == get.headers["etag"]
    assert head.headers["content-length"] == get.headers["content-length"]


@pytest.mark.parametrize("path", ["/oauth2/v1/", "/oauth2/v2/token", "/oauth2/v1/revoketoken", "/admin", "/risk"])
async def test_an_unknown_path_is_404_in_the_house_form(deployment: Deployment, path: str) -> None:
    """D22."""
    assert (await deployment.send("GET", path)).said[:2] == (404, "Not Found")


@pytest.mark.parametrize("name", ["%00", "LtdCompanyData%00", "%ff"])
@pytest.mark.parametrize("folder", [paths.SCHEMAS, paths.STATUS_LISTS, paths.DOCS])
@pytest.mark.settings(status_list=True)
async def test_a_name_that_no_public_document_can_have_is_404(deployment: Deployment, folder: str, name: str) -> None:
    """D22: nothing about these documents needs credentials, so no refusal says 401."""
    assert (await deployment.send("GET", f"{folder}/{name}")).said[:2] == (404, "Not Found")


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.path)
async def test_a_method_that_does_not_fit_is_405_everywhere(
    tmp_path: Path, open_deployment: OpenDeployment, route: Route
) -> None:
    """D22, spec §4.1. What a browser opens by its address is a page for people."""
    (tmp_path / "logo").write_bytes(PNG)
    every: dict[str, Any] = {
        "registration": True,
        "status_list": True,
        "experianone_token_path": True,
        "logo_file": tmp_path / "logo",
        "developer_domains": ("example.com",),
        "mail_relay": "smtp://127.0.0.1:25",
    }
    deployment = await open_deployment(**every)
    path = route.path.replace("{company_number}", "00000001")
    methods = [method for each in ROUTES if each.path == route.path for method in each.methods]
    for method in {"GET", "POST", "PUT", "DELETE", "PATCH"} - set(methods):
        reply = await deployment.send(method, path)
        problem = route.problems
        if method == "GET" and route.protection in (Protection.BROWSER, Protection.PERSON):
            assert (reply.status, reply.headers["content-type"]) == (405, HTML)
        else:
            said = (reply.json["status"], reply.json["title"], reply.json["detail"]) if problem else reply.said
            assert said == (405, "Method Not Allowed", "The requested method is not allowed.")
        assert reply.headers["allow"] == ", ".join(sorted(methods))


async def test_no_published_document_holds_a_private_member(deployment: Deployment) -> None:
    """threats T13: whatever is public, every route of it."""
    for route in ROUTES:
        if route.protection.name == "PUBLIC":
            body = (await deployment.send("GET", route.path)).body
            assert b"PRIVATE KEY" not in body
            if route.path == paths.KEYS:
                members = {name for key in json.loads(body)["keys"] for name in key}
                assert not members & {"d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"}
