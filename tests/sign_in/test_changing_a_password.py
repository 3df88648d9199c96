"""A person changes the password on the account page (ASVS 6.2.2, 6.2.3, 7.4.3)."""

import asyncio
from pathlib import Path

import pytest

from credence.sign_in.browser.cookies import KNOWN_BROWSER
from tests.deployment import PASSWORD, Deployment, Reply, deployed
from tests.sign_in.authenticator import Passkey, add, use, with_passkey
from tests.sign_in.browsing import (
    ACCOUNT,
    CHANGE_PASSWORD,
    Browser,
    answer_of,
    authorized,
    form_of,
    redeem,
    request_of,
    with_browser_application,
)
from tests.sign_in.factors import ASKS, COOKIE, code_of, enrolled
from tests.sign_in.test_links import LOST, link_of

CHOSEN = "four unrelated words here"
CHANGED = b"Your password has been changed"
MINUTE = 60_000


async def opened(browser: Browser) -> Reply:
    """The form, by the link of the account page."""
    assert f'href="{CHANGE_PASSWORD}"' in (await browser.get(ACCOUNT)).body.decode()
    return await browser.get(CHANGE_PASSWORD)


async def change(browser: Browser, current: str = PASSWORD, password: str = CHOSEN, again: str | None = None) -> Reply:
    page = await opened(browser)
    return await browser.submit(page, current=current, password=password, again=password if again is None else again)


async def person(deployment: Deployment) -> Browser:
    browser = Browser(deployment)
    await browser.sign_in(await browser.get(ACCOUNT))
    return browser


async def test_the_new_password_counts_and_everything_but_this_browser_ends(deployment: Deployment) -> None:
    """Sessions elsewhere, families with and without `offline_access`, and links; the id of this session is new."""
    application = await with_browser_application(deployment)
    browser, elsewhere = await person(deployment), Browser(deployment)
    code = answer_of(await authorized(elsewhere, application, scope="openid offline_access"))["code"]
    kept = (await redeem(deployment, code)).json["refresh_token"]
    tokens, link, before = await deployment.tokens(), link_of(deployment), browser.cookies[COOKIE]
    deployment.now += MINUTE
    page = await change(browser)
    assert CHANGED in page.body
    assert b"End session" not in page.body
    assert browser.cookies[COOKIE] != before
    assert b"Your account" in (await browser.get(ACCOUNT)).body
    assert b"Username" in (await elsewhere.get(ACCOUNT)).body
    assert b"Username" in (await Browser(deployment, {**browser.cookies, COOKIE: before}).get(ACCOUNT)).body
    for token in (tokens["refresh_token"], kept):
        assert (await deployment.refresh(token)).status in (400, 401)
    assert LOST in (await Browser(deployment).get(link)).body
    assert (await deployment.login()).status == 401
    assert (await deployment.login(password=CHOSEN)).status == 200
    deployment.now += 1000
    assert "code" in answer_of(await browser.get(request_of(application, prompt="none", scope="openid")))
    deployment.service.audit.flush()
    trail = "".join(file.read_text() for file in sorted(deployment.service.settings.audit_folder.iterdir()))
    assert '"password_changed"' in trail
    assert CHOSEN not in trail


@pytest.mark.parametrize(
    ("current", "password", "again", "problem"),
    [
        (PASSWORD + "x", CHOSEN, CHOSEN, b"Your current password is incorrect"),
        ("", CHOSEN, CHOSEN, b"Enter your current password"),
        (PASSWORD, CHOSEN, CHOSEN + "x", b"The passwords do not match"),
        (PASSWORD, "short", "short", b"at least 15 characters"),
        (PASSWORD, PASSWORD, PASSWORD, b"Your new password must be different from the current one"),
    ],
)
async def test_a_mistake_changes_nothing_is_said_and_repeats_no_password(
    deployment: Deployment, current: str, password: str, again: str, problem: bytes
) -> None:
    browser = await person(deployment)
    page = await change(browser, current, password, again)
    assert problem in page.body
    assert CHOSEN.encode() not in page.body
    assert PASSWORD.encode() not in page.body
    assert (await deployment.login()).status == 200
    assert CHANGED in (await browser.submit(page, current=PASSWORD, password=CHOSEN, again=CHOSEN)).body


async def test_guesses_of_the_current_password_count_like_those_at_sign_in(deployment: Deployment) -> None:
    """threats E12: an open session does not help to guess the password."""
    browser = await person(deployment)
    page = await opened(browser)
    for number in range(12):
        await browser.submit(page, current=f"guess number {number}", password=CHOSEN, again=CHOSEN)
    page = await browser.submit(page, current=PASSWORD, password=CHOSEN, again=CHOSEN)
    assert (page.status, page.headers["retry-after"]) == (429, "180")
    assert b"Too many attempts. Try again in 3 minutes." in page.body
    signed_out = Browser(deployment, {KNOWN_BROWSER: browser.cookies[KNOWN_BROWSER]})
    assert (await signed_out.sign_in(await signed_out.get(ACCOUNT))).status == 429


async def test_a_form_of_a_stranger_or_of_another_page_changes_nothing(deployment: Deployment) -> None:
    """threats E5."""
    browser = await person(deployment)
    page = await opened(browser)
    fields = {"current": PASSWORD, "password": CHOSEN, "again": CHOSEN}
    stranger = Browser(deployment, {COOKIE: browser.cookies[COOKIE]})
    assert (await stranger.submit(page, **fields)).status == 400
    assert (await browser.post(CHANGE_PASSWORD, fields.items())).status == 400
    _, hidden = form_of(page)
    crossed = await browser.post(CHANGE_PASSWORD, {**hidden, **fields}.items(), ("Sec-Fetch-Site", "cross-site"))
    assert crossed.status == 400
    assert (await deployment.login()).status == 200


async def test_a_password_alone_does_not_change_the_password_of_an_account_with_a_factor(
    deployment: Deployment,
) -> None:
    """A session from before the app was set up proves the app first."""
    early = await person(deployment)
    app, _ = await enrolled(Browser(deployment))
    page = await early.get(CHANGE_PASSWORD)
    assert ASKS in page.body
    form = await early.submit(page, code=code_of(app, deployment))
    assert CHANGED in (await early.submit(form, current=PASSWORD, password=CHOSEN, again=CHOSEN)).body
    (methods,) = {
        each.methods for each in await deployment.store.sessions_of("ada") if each.signed_in_at > deployment.now
    }
    assert methods == "pwd otp mfa"


async def test_with_a_factor_the_sign_in_must_be_recent(deployment: Deployment) -> None:
    """The new session keeps what the old one had proved, and must not make it newer than it is."""
    browser = Browser(deployment)
    await enrolled(browser)
    deployment.now += 11 * MINUTE
    assert b"Sign in again to change your sign-in settings" in (await browser.get(CHANGE_PASSWORD)).body


async def test_an_account_that_needs_a_passkey_has_no_password_to_change(deployment: Deployment) -> None:
    passkey = await with_passkey(deployment)
    await deployment.change_account(sign_in="passkey")
    browser = Browser(deployment)
    page = await use(browser, await browser.get(ACCOUNT), passkey)
    assert b"Change password" not in page.body
    assert (await browser.get(CHANGE_PASSWORD)).status == 400


async def test_a_person_with_a_passkey_may_change_the_password_and_keeps_the_passkey(deployment: Deployment) -> None:
    browser, passkey = await person(deployment), Passkey()
    await add(browser, passkey)
    assert CHANGED in (await change(browser)).body
    again = Browser(deployment)
    assert b"Your account" in (await use(again, await again.get(ACCOUNT), passkey)).body


async def test_of_two_nodes_at_once_one_changes_the_password(migrated_postgres: str, tmp_path: Path) -> None:
    async with deployed(tmp_path, store=migrated_postgres) as one, one.another_node() as two:
        browsers = [await person(one), await person(two)]
        pages = [await opened(each) for each in browsers]
        words = ["first unrelated words", "second unrelated words"]
        chosen = zip(browsers, pages, words, strict=True)
        replies = await asyncio.gather(
            *(each.submit(page, current=PASSWORD, password=word, again=word) for each, page, word in chosen)
        )
        assert sorted(CHANGED in each.body for each in replies) == [False, True]
