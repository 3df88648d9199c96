"""The first page takes no password: a passkey or a login name, and what follows is the same for every name."""

import html
import re
from typing import Any

import msgspec
import pytest

from tests.deployment import PASSWORD, Deployment
from tests.sign_in.authenticator import use, with_passkey
from tests.sign_in.browsing import (
    ACCOUNT,
    SIGN_IN,
    Browser,
    form_of,
    form_of_text,
    request_of,
    with_browser_application,
)

ASKS_FOR_A_PASSWORD = b'type="password"'


def without_random_parts(page: bytes, username: str) -> bytes:
    """The page without its step and challenge, and without the name that was entered."""
    text = re.sub(rb'name="step" value="[^"]+"|data-options="[^"]+"', b"", page)
    return text.replace(f'value="{username}"'.encode(), b"")


async def test_the_first_page_takes_a_passkey_or_a_name_and_the_second_the_password(deployment: Deployment) -> None:
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    first = await browser.get(request_of(application))
    assert ASKS_FOR_A_PASSWORD not in first.body
    assert b'autocomplete="username webauthn"' in first.body
    second = await browser.submit(first, username="ada")
    assert ASKS_FOR_A_PASSWORD in second.body
    assert b'value="ada"' in second.body
    assert b"Allow" in (await browser.submit(second, username="ada", password=PASSWORD)).body


@pytest.mark.parametrize("username", ["ada", "needs-passkey", "suspended", "nobody", "x" * 300, "<script>"])
async def test_what_follows_a_name_is_the_same_for_every_name(deployment: Deployment, username: str) -> None:
    """threats A1: nothing of the account is read, so nothing of it can show, in the text or in the time."""
    ada = await deployment.store.account("ada")
    assert ada is not None
    others: dict[str, Any] = {"needs-passkey": {"sign_in": "passkey"}, "suspended": {"status": "suspended"}}
    for name, changes in others.items():
        another = msgspec.structs.replace(ada, username=name, version=1, **changes)
        await deployment.store.save_account(another, deployment.now)
    typed = username.replace("<", "&lt;").replace(">", "&gt;")
    browser, other = Browser(deployment), Browser(deployment)
    page = await browser.submit(await browser.get(ACCOUNT), username=username)
    known = await other.submit(await other.get(ACCOUNT), username="grace")
    assert page.status == 200
    assert without_random_parts(page.body, typed) == without_random_parts(known.body, "grace")


async def test_an_account_that_needs_a_passkey_meets_no_password_form(deployment: Deployment) -> None:
    """Neither at its first sign-in in a browser nor when it must sign in again."""
    passkey = await with_passkey(deployment)
    await deployment.change_account(sign_in="passkey")
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    pages = [await browser.get(request_of(application))]
    pages.append(await use(browser, pages[0], passkey))
    pages.append(await browser.get(request_of(application, prompt="login")))
    pages.append(await browser.get(ACCOUNT))
    assert [ASKS_FOR_A_PASSWORD in page.body for page in pages] == [False] * 4
    assert b"Your account" in pages[-1].body


async def test_a_form_without_a_name_asks_for_it(deployment: Deployment) -> None:
    browser = Browser(deployment)
    page = await browser.submit(await browser.get(ACCOUNT), username="  ")
    assert b"Enter your username" in page.body
    assert ASKS_FOR_A_PASSWORD not in page.body
    _, hidden = form_of(page)
    page = await browser.post(SIGN_IN, {**hidden, "username": "ada", "password": ""}.items())
    assert b"Enter your password" in page.body
    assert b'value="ada"' in page.body


async def test_one_persons_values_are_escaped_and_on_no_page_of_another(deployment: Deployment) -> None:
    """threats E4: most of the page is rendered once, what differs is inserted as text."""
    application = await with_browser_application(deployment, name="<i>Ledger</i>")
    hint = "\"><script>alert(1)</script>&'{{ 7 * 7 }}"
    first = (await Browser(deployment).get(request_of(application, login_hint=hint))).body.decode()
    assert f'value="{html.escape(hint).replace("&quot;", "&#34;").replace("&#x27;", "&#39;")}"' in first
    assert "&lt;i&gt;Ledger&lt;/i&gt; (app.example.com)" in first
    assert first.count("<script") == 1
    second = (await Browser(deployment).get(request_of(application, login_hint="grace"))).body.decode()
    assert "alert(1)" not in second
    assert form_of_text(first)[1]["step"] != form_of_text(second)[1]["step"]
    account = (await Browser(deployment).get(ACCOUNT)).body.decode()
    assert "Ledger" not in account
    assert 'value=""' in account
