"""What the tests of the second factor share: an authenticator app by another implementation, and our pages of it."""

import re

import pyotp

from tests.deployment import Deployment, Reply
from tests.sign_in.browsing import ACCOUNT, Browser, form_of

STEP = 30_000
FACTORS = "/account/second-factor"
SECOND_FACTOR = "/oauth2/v1/second-factor"
CONTINUE = "/oauth2/v1/continue"
COOKIE = "__Host-credence-session"
ASKS = b"Enter your code"


def app_of(page: Reply) -> pyotp.TOTP:
    """Another implementation, with the key as a person types it."""
    found = re.search(rb"<small>Key</small><code>([A-Z2-7 ]+)</code>", page.body)
    assert found is not None, page.body
    return pyotp.TOTP(found[1].decode().replace(" ", ""))


def code_of(app: pyotp.TOTP, deployment: Deployment, steps: int = 0) -> str:
    return str(app.at(deployment.now // 1000 + 30 * steps))


def recovery_codes(page: Reply) -> list[str]:
    return re.findall(r"<li><code>([a-z2-7]{5}-[a-z2-7]{5})</code></li>", page.body.decode())


async def act(browser: Browser, name: str) -> Reply:
    """Press a button of the account page."""
    _, hidden = form_of(await browser.get(ACCOUNT), FACTORS)
    return await browser.post(FACTORS, {**hidden, "act": name}.items())


async def enrolled(browser: Browser) -> tuple[pyotp.TOTP, list[str]]:
    """Sign in and set up an app; the codes of the next step are unused."""
    await browser.sign_in(await browser.get(ACCOUNT))
    page = await act(browser, "set-up")
    app = app_of(page)
    page = await browser.submit(page, act="confirm", code=code_of(app, browser.deployment))
    codes = recovery_codes(page)
    assert len(set(codes)) == 10
    browser.deployment.now += STEP
    return app, codes
