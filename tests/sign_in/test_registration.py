"""An application registers where people come back to it (RFC 7591 §2, OpenID Connect Registration §2)."""

import json

import pytest

from tests.deployment import Deployment
from tests.oauth.registering import invited, send
from tests.sign_in.browsing import CALLBACK, Browser, request_of

REGISTER = "/oauth2/v1/register"
METADATA = {
    "client_name": "Ledger",
    "grant_types": ["authorization_code", "refresh_token"],
    "response_types": ["code"],
    "redirect_uris": [CALLBACK],
    "post_logout_redirect_uris": ["https://app.example.com/bye"],
    "application_type": "web",
    "policy_uri": "https://app.example.com/privacy",
    "tos_uri": "https://app.example.com/terms",
    "scope": "openid credit:report",
}


def invitation(deployment: Deployment) -> str:
    return invited(deployment, grants=("authorization_code", "refresh_token"), scopes=("openid", "credit:report"))


@pytest.mark.settings(registration=True)
async def test_a_registered_application_sends_people_here(deployment: Deployment) -> None:
    reply = await send(deployment, "POST", REGISTER, invitation(deployment), METADATA)
    assert reply.status == 201, reply
    for name, value in METADATA.items():
        assert reply.json[name] == value, name
    application = await deployment.store.application(reply.json["client_id"])
    assert application is not None
    page = await Browser(deployment).get(request_of(application, scope="openid"))
    assert b"Sign in to continue to Ledger (app.example.com)" in page.body


@pytest.mark.settings(registration=True)
@pytest.mark.parametrize(
    "change",
    [
        {"redirect_uris": []},
        {"redirect_uris": ["http://app.example.com/callback"]},
        {"redirect_uris": ["https://app.example.com/callback#fragment"]},
        {"redirect_uris": ["https://app.example.com/callback?code=1"]},
        {"redirect_uris": ["https://user@app.example.com/callback"]},
        {"redirect_uris": ["javascript:alert(1)"]},
        {"redirect_uris": ["com.example.app:/done"]},
        {"redirect_uris": ["/callback"]},
        {"redirect_uris": [f"https://app.example.com/{'x' * 512}"]},
        {"post_logout_redirect_uris": ["https://app.example.com/#x"]},
    ],
    ids=lambda change: json.dumps(change)[:60],
)
async def test_a_redirect_uri_that_cannot_be_is_refused(deployment: Deployment, change: dict[str, object]) -> None:
    """The module oidcc-redirect-uri-regfrag, RFC 6749 §3.1.2, OpenID Connect Registration §2."""
    reply = await send(deployment, "POST", REGISTER, invitation(deployment), {**METADATA, **change})
    assert (reply.status, reply.json["error"]) == (400, "invalid_redirect_uri")


@pytest.mark.settings(registration=True)
async def test_what_a_client_leaves_out_has_the_default_of_its_specification(deployment: Deployment) -> None:
    """OpenID Connect Registration §2, RFC 9126 §6, RFC 9101 §10.5."""
    metadata = {name: value for name, value in METADATA.items() if name != "application_type"}
    said = (await send(deployment, "POST", REGISTER, invitation(deployment), metadata)).json
    assert said["application_type"] == "web"
    assert said["require_pushed_authorization_requests"] is False
    assert said["require_signed_request_object"] is False


@pytest.mark.settings(registration=True)
async def test_a_native_application_may_have_a_scheme_of_its_domain(deployment: Deployment) -> None:
    """RFC 8252 §7.1."""
    native = {**METADATA, "application_type": "native", "redirect_uris": ["com.example.app:/done"]}
    assert (await send(deployment, "POST", REGISTER, invitation(deployment), native)).status == 201


@pytest.mark.settings(registration=True)
@pytest.mark.parametrize("types", [["token"], ["code", "id_token"]])
async def test_another_response_type_is_refused(deployment: Deployment, types: list[str]) -> None:
    metadata = {**METADATA, "response_types": types}
    reply = await send(deployment, "POST", REGISTER, invitation(deployment), metadata)
    assert (reply.status, reply.json["error"]) == (400, "invalid_client_metadata")


@pytest.mark.settings(registration=True)
@pytest.mark.parametrize("name", ["policy_uri", "tos_uri"])
@pytest.mark.parametrize(
    "uri",
    ["http://app.example.com/", "javascript:alert(1)", "https://a@app.example.com/", "https://", "data:text/html,x"],
)
async def test_a_page_for_people_is_https_or_refused(deployment: Deployment, name: str, uri: str) -> None:
    """RFC 7591 §2, §5: the consent page leads there."""
    reply = await send(deployment, "POST", REGISTER, invitation(deployment), {**METADATA, name: uri})
    assert (reply.status, reply.json["error"]) == (400, "invalid_client_metadata")
