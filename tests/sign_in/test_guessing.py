"""Guesses at the sign-in page: neither its words nor its work say whether an account exists, and its limits are its own."""

import re
from typing import Any

import msgspec
import pytest

from tests.deployment import NOW, PASSWORD, Deployment, OpenDeployment
from tests.identity.attacks import MINUTE, WRONG, WRONG_PASSWORD, attempt, present
from tests.identity.test_same_cost import OTHERS, Ledger
from tests.nodes_in_turn import ON_THE_MEMORY_STORE
from tests.sign_in.browsing import ACCOUNT, Browser, request_of, with_browser_application
from tests.sign_in.factors import COOKIE, enrolled


@ON_THE_MEMORY_STORE
async def test_a_wrong_password_costs_the_same_and_says_the_same_for_every_account(
    open_deployment: OpenDeployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Enumeration (threats A1): also of accounts with a second factor and of those that need a passkey."""
    ledger = Ledger(monkeypatch)
    deployment = await open_deployment(spike_account_per_minute=60_000)
    await enrolled(Browser(deployment))
    only_passkey = msgspec.structs.replace(OTHERS["never-logged-in"], username="only-passkey", sign_in="passkey")
    for account in (*OTHERS.values(), only_passkey):
        await deployment.store.save_account(account, NOW)
    spent: dict[str, Any] = {}
    for username in ("ada", "nobody", "only-passkey", *OTHERS):
        browser = Browser(deployment)
        page = await browser.submit(await browser.get(ACCOUNT), username=username)
        ledger.spent.clear()
        answered = await browser.submit(page, username=username, password=WRONG)
        assert b"Incorrect username or password." in answered.body
        spent[username] = dict(ledger.spent)
    assert spent["nobody"]["work"] == 64
    assert spent == dict.fromkeys(spent, spent["nobody"])


async def test_when_attempts_wait_the_page_says_so_and_nothing_about_the_account(deployment: Deployment) -> None:
    """threats A2: the same page for known and unknown names, and for the right password as for a wrong one."""
    browser = Browser(deployment)
    page = await browser.get(ACCOUNT)
    said = {}
    for username, password in (("ada", PASSWORD), ("ada", WRONG), ("nobody", WRONG)):
        for _ in range(5):
            await browser.sign_in(page, username, WRONG)
        answered = await browser.sign_in(page, username, password)
        assert (answered.status, answered.headers["retry-after"]) == (429, "180")
        assert b"<p>Too many attempts. Try again in 3 minutes.</p>" in answered.body
        text = re.sub(rb'(name="step" value|data-options)="[^"]*"', b"", answered.body)
        said[username, password] = text.replace(username.encode(), b"NAME")
    assert len(set(said.values())) == 1
    deployment.now += 3 * MINUTE
    assert b"Incorrect username or password." in (await browser.sign_in(page, "nobody", WRONG)).body
    assert (await browser.sign_in(page)).status == 200
    assert COOKIE in browser.cookies


async def test_guesses_at_a_page_are_those_of_every_page(deployment: Deployment) -> None:
    """Brute force (threats A4, E12): five from an address for an account, whichever application the browser names."""
    application = await with_browser_application(deployment)
    for number in range(5):
        browser = Browser(deployment)
        page = await browser.sign_in(await browser.get(request_of(application)), password=f"{WRONG} {number}")
        assert b"Incorrect username or password." in page.body
    browser = Browser(deployment)
    await browser.sign_in(await browser.get(ACCOUNT))
    assert COOKIE not in browser.cookies
    assert deployment.service.counts.refusals["password.throttled_origin"] == 1


async def test_guesses_at_a_page_and_at_the_token_endpoint_are_counted_apart(deployment: Deployment) -> None:
    """threats A5: who has no secret of an application cannot throttle its logins, and its logins throttle no page."""
    application = await with_browser_application(deployment)
    for number in range(5):
        browser = Browser(deployment)
        await browser.sign_in(await browser.get(request_of(application)), password=f"{WRONG} {number}")
    assert (await present(deployment)).status == 200
    deployment.now += 15 * MINUTE
    await attempt(deployment, 5)
    assert (await present(deployment)).said == WRONG_PASSWORD
    browser = Browser(deployment)
    await browser.sign_in(await browser.get(request_of(application)))
    assert COOKIE in browser.cookies
