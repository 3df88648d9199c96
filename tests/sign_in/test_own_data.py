"""What a person reads about themselves on the account page: which application used its access when, and all as a file."""

import json

import pytest

from tests.deployment import PASSWORD, Deployment
from tests.sign_in.browsing import ACCOUNT, Browser, answer_of, authorized, form_of, redeem, with_browser_application
from tests.sign_in.factors import COOKIE, enrolled


async def data_of(browser: Browser) -> dict[str, list[dict[str, object]]]:
    _, hidden = form_of(await browser.get(ACCOUNT), ACCOUNT)
    reply = await browser.post(ACCOUNT, {**hidden, "act": "data"}.items())
    assert reply.status == 200
    assert reply.headers["content-disposition"] == 'attachment; filename="account.json"'
    assert reply.headers["cache-control"] == "no-store"
    content: dict[str, list[dict[str, object]]] = json.loads(reply.body)
    return content


async def test_the_account_page_says_when_an_application_last_used_its_access(deployment: Deployment) -> None:
    """ASVS 10.7.3; the file has the same, and every sign-in."""
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    code = answer_of(await authorized(browser, application))["code"]
    assert b"not used in the last days" in (await browser.get(ACCOUNT)).body
    deployment.now += 50_000
    assert (await redeem(deployment, code)).status == 200
    assert b"not used in the last days" not in (await browser.get(ACCOUNT)).body
    data = await data_of(browser)
    (access,), (sign_in,), (session,) = data["applications"], data["sign_ins"], data["sessions"]
    assert access["client_id"] == sign_in["client_id"] == application.client_id
    assert sign_in["at"] == data["made_at"]
    assert str(session["browser"]) == "Firefox on Linux"


async def test_the_file_is_of_the_person_alone_and_has_nothing_secret(deployment: Deployment) -> None:
    browser = Browser(deployment)
    app, recovery_codes = await enrolled(browser)
    text = json.dumps(await data_of(browser))
    assert '"username": "ada"' in text
    assert '"kind": "totp"' in text or '"kind": "app"' in text
    for secret in (PASSWORD, browser.cookies[COOKIE], app.secret, *recovery_codes, "argon2"):
        assert secret not in text


@pytest.mark.parametrize("policy", ["factor", "passkey"])
async def test_a_sign_in_that_is_too_weak_gets_no_file(deployment: Deployment, policy: str) -> None:
    """A session of before the operator required more opens the account page no further either."""
    browser = Browser(deployment)
    page = await browser.sign_in(await browser.get(ACCOUNT))
    _, hidden = form_of(page, ACCOUNT)
    await deployment.change_account(sign_in=policy)
    reply = await browser.post(ACCOUNT, {**hidden, "act": "data"}.items())
    assert "content-disposition" not in reply.headers
