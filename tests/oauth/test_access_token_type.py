"""The type of access tokens, and that no other token passes as one whatever it is (D36, RFC 9068 §2.1, threats T8)."""

import json
from typing import Any

import pytest

from credence.crypto import base64url
from credence.crypto.jws import sign
from tests.deployment import Deployment
from tests.oauth.standard import ask, log_in
from tests.sign_in.browsing import SIGN_OUT, Browser, answer_of, redeem, request_of, with_browser_application
from tests.sign_in.test_sign_out import signed_in


def header(token: str) -> Any:
    return json.loads(base64url.decode(token.split(".")[0]))


@pytest.fixture
async def untyped(deployment: Deployment) -> Deployment:
    await with_browser_application(deployment, access_token_type="JWT", user_info_algorithm="RS256")
    return deployment


async def test_an_application_may_have_access_tokens_of_the_type_jwt(untyped: Deployment) -> None:
    tokens = (await log_in(untyped, scope="openid credit:report")).json
    refreshed = (await ask(untyped, {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]})).json
    for token in (tokens["access_token"], refreshed["access_token"]):
        assert header(token)["typ"] == "JWT"
        assert (await untyped.report(token)).status == 200


async def test_one_that_is_revoked_opens_nothing(untyped: Deployment) -> None:
    token = (await untyped.tokens())["access_token"]
    assert (await untyped.revoke(token)).status == 200
    assert (await untyped.report(token)).status == 401


async def test_neither_an_id_token_nor_signed_user_information_opens_anything(untyped: Deployment) -> None:
    """threats T8: they have the same type, and differ in their claims."""
    tokens = (await log_in(untyped, scope="openid profile email credit:report")).json
    bearer = [("Authorization", f"Bearer {tokens['access_token']}")]
    signed = (await untyped.send("GET", "/oauth2/v1/userinfo", bearer)).body.decode()
    for token in (tokens["id_token"], signed):
        assert header(token)["typ"] == "JWT"
        assert (await untyped.report(token)).status == 401


async def test_it_is_no_hint_of_who_is_signed_in(untyped: Deployment) -> None:
    """OpenID Connect Core §3.1.2.1, RP-Initiated Logout §2: a hint is an ID token."""
    browser, parameters = await signed_in(untyped)
    page = await browser.get(request_of(untyped.application, scope="openid credit:report", prompt="none"))
    access_token = (await redeem(untyped, answer_of(page)["code"])).json["access_token"]
    assert header(access_token)["typ"] == "JWT"
    assert (await browser.post(SIGN_OUT, {**parameters, "id_token_hint": access_token}.items())).status == 400
    hinted = request_of(untyped.application, prompt="none", id_token_hint=access_token)
    assert "error" in answer_of(await Browser(untyped).get(hinted))


async def test_without_the_option_the_type_jwt_is_refused(untyped: Deployment) -> None:
    """Also what an application had before; those of the other type stay valid."""
    token = (await untyped.tokens())["access_token"]
    await untyped.change_application(access_token_type="at+jwt")
    assert (await untyped.report(token)).status == 401
    typed = (await untyped.tokens())["access_token"]
    await untyped.change_application(access_token_type="JWT")
    assert (await untyped.report(typed)).status == 200


@pytest.mark.parametrize("typ", ["jwt", "", "AT+JWT", "application/at+jwt", "logout+jwt"])
async def test_no_third_type_is_accepted(untyped: Deployment, typ: str) -> None:
    token = (await untyped.tokens())["access_token"]
    key = untyped.service.authority.ring.private[header(token)["kid"]]
    payload = base64url.decode(token.split(".")[1])
    assert (await untyped.report(sign(key, typ, payload))).status == 401
