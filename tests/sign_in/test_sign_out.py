"""Signing out (OpenID Connect RP-Initiated Logout 1.0).

The modules of the conformance suite are in `tests/conformance/test_oidcc_rp_initiated_logout.py`.
"""

from tests.deployment import Deployment, Reply
from tests.sign_in.browsing import (
    ACCOUNT,
    SIGN_OUT,
    Browser,
    address_of,
    answer_of,
    authorized,
    form_of,
    redeem,
    request_of,
    with_browser_application,
)

AFTER = "https://app.example.com/bye"


async def signed_in(deployment: Deployment) -> tuple[Browser, dict[str, str]]:
    """Return a browser that is signed in, and the usual parameters of a sign-out."""
    application = await with_browser_application(deployment, post_logout_redirect_uris=(AFTER,))
    browser = Browser(deployment)
    tokens = (await redeem(deployment, answer_of(await authorized(browser, application))["code"])).json
    return browser, {"id_token_hint": tokens["id_token"], "post_logout_redirect_uri": AFTER, "state": "s1"}


async def sign_out(browser: Browser, parameters: dict[str, str]) -> Reply:
    return await browser.post(SIGN_OUT, parameters.items())


async def is_signed_in(browser: Browser) -> bool:
    request = request_of(browser.deployment.application, prompt="none")
    return "code" in answer_of(await browser.get(request))


async def test_an_expired_hint_counts(deployment: Deployment) -> None:
    """§2: the hint may have expired."""
    browser, parameters = await signed_in(deployment)
    deployment.now += 4 * 3_600_000
    assert address_of(await sign_out(browser, parameters)) == f"{AFTER}?state=s1"


async def test_signing_out_by_get(deployment: Deployment) -> None:
    browser, parameters = await signed_in(deployment)
    query = "&".join(f"{name}={value}" for name, value in parameters.items())
    assert address_of(await browser.get(f"{SIGN_OUT}?{query}")) == f"{AFTER}?state=s1"


async def test_the_hint_of_another_session_asks_the_person(deployment: Deployment) -> None:
    """§2: the hint is of somebody else, or of another browser."""
    _, parameters = await signed_in(deployment)
    other = Browser(deployment)
    await authorized(other, deployment.application)
    page = await sign_out(other, parameters)
    assert b"Sign out?" in page.body
    assert await is_signed_in(other)


async def test_a_sign_out_form_of_another_browser_is_refused(deployment: Deployment) -> None:
    """threats E5."""
    browser, _ = await signed_in(deployment)
    _, hidden = form_of(await browser.get(SIGN_OUT))
    stranger = Browser(deployment)
    await authorized(stranger, deployment.application)
    assert (await stranger.post(SIGN_OUT, hidden.items())).status == 400


async def test_another_session_is_ended_from_the_account_page(deployment: Deployment) -> None:
    """ASVS 7.5.2: at once, with what was opened in it."""
    application = await with_browser_application(deployment)
    home, office = Browser(deployment), Browser(deployment, agent="Mozilla/5.0 (Windows NT 10.0) Edg/140.0")
    await authorized(home, application)
    page = await authorized(office, application)
    tokens = (await redeem(deployment, answer_of(page)["code"])).json
    account = await home.get(ACCOUNT)
    assert b"Edge on Windows" in account.body
    _, hidden = form_of(account, ACCOUNT)
    assert "session" in hidden
    await home.post(ACCOUNT, hidden.items())
    assert not await is_signed_in(office)
    assert await is_signed_in(home)
    assert (await deployment.report(tokens["access_token"])).status == 401


async def test_an_account_page_without_a_session_asks_to_sign_in_and_then_shows_the_account(
    deployment: Deployment,
) -> None:
    browser = Browser(deployment)
    page = await browser.get(ACCOUNT)
    assert b'name="username"' in page.body
    assert b"You are signed in as ada" in (await browser.sign_in(page)).body
