"""The `claims` parameter of an authorization request (OpenID Connect Core §5.5)."""

import json
from typing import Any

import pytest

from tests.deployment import Deployment, claims
from tests.oauth.standard import ask
from tests.sign_in.browsing import Browser, answer_of, authorized, redeem, request_of, with_browser_application


async def tokens_for(deployment: Deployment, asked: Any, **more: str) -> dict[str, Any]:
    application = await with_browser_application(deployment)
    page = await authorized(
        Browser(deployment), application, **{"scope": "openid", "claims": json.dumps(asked), **more}
    )
    tokens: dict[str, Any] = (await redeem(deployment, answer_of(page)["code"])).json
    return tokens


async def about(deployment: Deployment, access_token: str) -> dict[str, Any]:
    found: dict[str, Any] = (
        await deployment.send("GET", "/oauth2/v1/userinfo", [("Authorization", f"Bearer {access_token}")])
    ).json
    return found


async def test_a_claim_of_the_user_information_is_granted_as_its_scope(deployment: Deployment) -> None:
    """§5.5, §5.4: the person reads the same words, and the answer names the scope (RFC 6749 §3.3)."""
    tokens = await tokens_for(deployment, {"userinfo": {"email": {"essential": True}, "birthdate": None}})
    assert tokens["scope"] == "openid email"
    assert (await about(deployment, tokens["access_token"]))["email"] == "ada@example.com"
    assert "email" not in claims(tokens["id_token"])


async def test_a_claim_of_the_id_token_stands_in_it_and_no_other(deployment: Deployment) -> None:
    tokens = await tokens_for(deployment, {"id_token": {"family_name": None, "auth_time": {"essential": True}}})
    said = claims(tokens["id_token"])
    assert said["family_name"] == "Lovelace"
    assert "given_name" not in said
    assert "auth_time" in said


async def test_an_application_may_have_the_claims_of_its_scopes_in_the_id_token_too(deployment: Deployment) -> None:
    """D37, for programs that do not call the user information, such as Auth.js; also after a refresh (Core §12.2)."""
    application = await with_browser_application(
        deployment, claims_in_id_token=True, grants=("authorization_code", "refresh_token")
    )
    page = await authorized(Browser(deployment), application, scope="openid profile email offline_access")
    tokens = (await redeem(deployment, answer_of(page)["code"])).json
    fields = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
    for each in (tokens, (await ask(deployment, fields)).json):
        said = claims(each["id_token"])
        assert (said["name"], said["email"], said["email_verified"]) == ("Ada Lovelace", "ada@example.com", False)
        assert "FirstName" not in said
    narrow = await authorized(Browser(deployment), application, scope="openid")
    assert "name" not in claims((await redeem(deployment, answer_of(narrow)["code"])).json["id_token"])


async def test_the_consent_page_says_what_the_claims_mean(deployment: Deployment) -> None:
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    asked = '{"userinfo": {"email": null}}'
    consent = await browser.sign_in(await browser.get(request_of(application, scope="openid", claims=asked)))
    assert b"see your email address" in consent.body


async def test_a_claim_that_the_application_may_not_have_is_left_out(deployment: Deployment) -> None:
    """§5.5.1: an essential claim that is missing is no error."""
    application = await with_browser_application(deployment, scopes=("openid",))
    asked = '{"userinfo": {"email": {"essential": true}}}'
    page = await authorized(Browser(deployment), application, scope="openid", claims=asked)
    assert (await redeem(deployment, answer_of(page)["code"])).json["scope"] == "openid"


async def test_a_request_without_openid_gets_no_claims(deployment: Deployment) -> None:
    tokens = await tokens_for(deployment, {"userinfo": {"email": None}}, scope="credit:report")
    assert tokens["scope"] == "credit:report"


async def test_a_subject_must_be_the_person(deployment: Deployment) -> None:
    """§5.5.1: as with id_token_hint, somebody else is asked to sign in, and silently refused."""
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    await authorized(browser, application)
    for name, answered in (("ada", "code"), ("grace", "error")):
        asked = json.dumps({"id_token": {"sub": {"value": name}}})
        reply = await browser.get(request_of(application, claims=asked, prompt="none"))
        assert answered in answer_of(reply)
    page = await browser.get(request_of(application, claims=asked))
    assert b'value="grace"' in page.body


async def test_an_essential_class_of_authentication_is_met_or_refused(deployment: Deployment) -> None:
    """§5.5.1.1: a failed authentication; a class that is not essential is a wish."""
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    await authorized(browser, application)
    deployment.now += 1_000
    for acr, answered in (
        ({"essential": True, "values": ["1", "2"]}, "code"),
        ({"values": ["2"]}, "code"),
        ({"essential": True, "value": "phr"}, "login_required"),
    ):
        asked = json.dumps({"id_token": {"acr": acr}})
        answer = answer_of(await browser.get(request_of(application, claims=asked, prompt="none")))
        assert answered in (*answer, answer.get("error"))
    page = await browser.sign_in(await browser.get(request_of(application, claims=asked)))
    assert answer_of(page)["error"] == "unmet_authentication_requirements"
    assert deployment.service.counts.refusals["authorization.acr"] == 1


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "[]",
        '{"id_token": []}',
        '{"id_token": {"sub": "ada"}}',
        '{"userinfo": {"sub": {"value": "a"}}, "id_token": {"sub": {"value": "b"}}}',
        "[" * 1_000,
        '{"id_token": {"sub": {"value": ' + "[" * 900,
    ],
    ids=range(7),
)
async def test_a_parameter_that_cannot_be_read_is_declined(deployment: Deployment, text: str) -> None:
    application = await with_browser_application(deployment)
    reply = await Browser(deployment).get(request_of(application, claims=text))
    assert answer_of(reply)["error"] == "invalid_request"
