"""Answers to authorization requests as a signed JWT (JARM)."""

from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import KeySet

from tests.deployment import Deployment, Reply
from tests.sign_in.browsing import CALLBACK, Browser, address_of, answer_of, authorized, form_of, redeem, request_of
from tests.sign_in.browsing import with_browser_application as with_application


async def read(deployment: Deployment, text: str, algorithm: str = "RS256") -> dict[str, Any]:
    keys = KeySet.import_key_set((await deployment.send("GET", "/oauth2/v1/keys")).json)
    claims: dict[str, Any] = jwt.decode(text, keys, algorithms=[algorithm]).claims
    return claims


def response_of(page: Reply, mode: str) -> str:
    """Return the JWT, which is the only parameter of the answer."""
    if mode == "form_post.jwt":
        action, fields = form_of(page)
        assert action == CALLBACK
    else:
        assert address_of(page).startswith(f"{CALLBACK}?response=")
        fields = answer_of(page)
    assert fields.keys() == {"response"}
    return fields["response"]


@pytest.mark.parametrize("mode", ["jwt", "query.jwt", "form_post.jwt"])
async def test_a_code_comes_in_a_jwt_for_the_client(deployment: Deployment, mode: str) -> None:
    """JARM §2.1, §2.3: issuer, audience, at most ten minutes, and the parameters."""
    application = await with_application(deployment)
    browser = Browser(deployment)
    consent = await browser.sign_in(await browser.get(request_of(application, response_mode=mode)))
    said = await read(deployment, response_of(await browser.submit(consent, decision="allow"), mode))
    assert said.keys() == {"iss", "aud", "exp", "code", "state"}
    assert (said["iss"], said["aud"], said["state"]) == ("https://localhost:8443", application.client_id, "xyz")
    assert 0 < said["exp"] - deployment.now // 1000 <= 600
    assert (await redeem(deployment, said["code"])).status == 200


async def test_an_error_comes_in_a_jwt_too(deployment: Deployment) -> None:
    application = await with_application(deployment)
    reply = await Browser(deployment).get(request_of(application, response_mode="jwt", prompt="none"))
    said = await read(deployment, response_of(reply, "jwt"))
    assert (said["error"], said["state"]) == ("login_required", "xyz")


async def test_it_is_signed_with_the_algorithm_of_the_id_tokens(deployment: Deployment) -> None:
    """JARM §3: RS256 unless the client is registered for another."""
    await deployment.change_application(id_token_algorithm="ES256")
    application = await with_application(deployment)
    reply = await Browser(deployment).get(request_of(application, response_mode="jwt", prompt="none"))
    assert (await read(deployment, response_of(reply, "jwt"), "ES256"))["error"] == "login_required"


async def test_it_is_no_hint_and_no_token(deployment: Deployment) -> None:
    """Threats T8: a JWT of one kind is not taken for another."""
    application = await with_application(deployment)
    browser = Browser(deployment)
    page = await authorized(browser, application, response_mode="jwt")
    text = response_of(page, "jwt")
    hinted = await browser.get(request_of(application, id_token_hint=text))
    assert answer_of(hinted)["error"] == "invalid_request"
    assert (await deployment.report(text)).status == 401
