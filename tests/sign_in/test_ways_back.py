"""The way back from a page: cancelling a sign-in, and what an error page says to do (RFC 6749 §4.1.2.1)."""

import pytest

from tests.deployment import PASSWORD, Deployment, Reply
from tests.sign_in.browsing import (
    ACCOUNT,
    SIGN_OUT,
    Browser,
    answer_of,
    form_of,
    request_of,
    with_browser_application,
)
from tests.sign_in.pushing import pushed
from tests.sign_in.test_sign_out import is_signed_in, sign_out, signed_in


async def cancelled(browser: Browser, page: Reply) -> dict[str, str]:
    """Press the button that leads back, and return the answer."""
    return answer_of(await browser.submit(page, act="cancel"))


@pytest.mark.parametrize("typed", [{}, {"username": "ada"}, {"username": "ada", "password": "wrong"}], ids=str)
async def test_a_sign_in_is_cancelled_on_each_of_its_pages(deployment: Deployment, typed: dict[str, str]) -> None:
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    page = await browser.get(request_of(application))
    if typed:
        page = await browser.submit(page, **typed)
    assert f"Cancel and return to {application.name}".encode() in page.body
    answer = await cancelled(browser, page)
    assert (answer["error"], answer["state"], answer["iss"]) == ("access_denied", "xyz", "https://localhost:8443")
    assert deployment.service.counts.refusals["authorization.denied"] == 1


async def test_what_was_typed_before_cancelling_is_not_checked(deployment: Deployment) -> None:
    """threats A4: a right password signs nobody in, and a wrong one counts for nothing."""
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    page = await browser.submit(await browser.get(request_of(application)), username="ada")
    await browser.submit(page, username="ada", password=PASSWORD, act="cancel")
    assert answer_of(await browser.get(request_of(application, prompt="none")))["error"] == "login_required"
    assert not [each for each in deployment.service.counts.refusals if each.startswith("password.")]


async def test_a_pushed_request_that_was_cancelled_is_answered(deployment: Deployment) -> None:
    """RFC 9126 §7.3."""
    application = await with_browser_application(deployment)
    browser, target = Browser(deployment), await pushed(deployment, application)
    page = await browser.get(target)
    assert (await cancelled(browser, page))["error"] == "access_denied"
    again = await browser.submit(page, act="cancel")
    assert (again.status, "location" in again.headers) == (400, False)
    assert b"works only once" in again.body
    assert b"start again there" in again.body


async def test_a_sign_in_to_a_page_of_the_service_has_no_application_to_return_to(deployment: Deployment) -> None:
    browser = Browser(deployment)
    page = await browser.get(ACCOUNT)
    assert b"Cancel" not in page.body
    assert b'name="username"' in (await browser.submit(page, act="cancel")).body


async def test_an_expired_reference_says_to_start_again_at_the_application(deployment: Deployment) -> None:
    application = await with_browser_application(deployment)
    target = await pushed(deployment, application)
    deployment.now += 300_000
    page = await Browser(deployment).get(target)
    assert page.status == 400
    assert b"Go back to the application and start again there" in page.body


async def test_an_unregistered_address_after_signing_out_leaves_a_button_to_sign_out(deployment: Deployment) -> None:
    """RP-Initiated Logout §3: no redirect; the person may sign out all the same."""
    browser, parameters = await signed_in(deployment)
    page = await sign_out(browser, {**parameters, "post_logout_redirect_uri": "https://app.example.com/other"})
    assert (page.status, "location" in page.headers) == (400, False)
    assert b"You are still signed in" in page.body
    assert f'href="{SIGN_OUT}"'.encode() in page.body
    ask = await browser.get(SIGN_OUT)
    assert form_of(ask)[0] == SIGN_OUT
    await browser.submit(ask)
    assert not await is_signed_in(browser)
