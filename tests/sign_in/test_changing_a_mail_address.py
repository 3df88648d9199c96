"""A person changes the mail address with codes sent to the old and to the new one (threats A18)."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from credence.identity import accounts
from credence.mail.notices import keep_notices
from credence.store.records import Account
from tests.deployment import NOW, Deployment, OpenDeployment, Reply
from tests.relay import Relay, mailed, running_relay
from tests.sign_in.authenticator import signed_in
from tests.sign_in.browsing import ACCOUNT, MAIL_ADDRESS, Browser, form_of
from tests.sign_in.factors import ASKS, COOKIE, enrolled

OLD, NEW = "ada@example.com", "ada@new.example"
MINUTE = 60_000
CHANGED, WRONG = (
    b"Your email address has been changed",
    b"These codes are incorrect, or your account has changed since they were sent",
)

Mailing = tuple[Deployment, Relay]


@pytest.fixture
async def mailing(open_deployment: OpenDeployment, tmp_path: Path) -> AsyncIterator[Mailing]:
    """Ada has a proved address."""
    async with running_relay() as relay:
        deployment = await open_deployment(tmp_path, mail_relay=relay.url, support_email="help@example.com")
        await keep_notices(deployment.store)
        await deployment.change_account(email=OLD, email_verified=True)
        yield deployment, relay


async def requested(browser: Browser, address: str = NEW) -> Reply:
    """The page for the codes."""
    return await browser.submit(await browser.get(MAIL_ADDRESS), address=address)


async def codes_of(mailing: Mailing) -> dict[str, str]:
    """Receiver -> its code."""
    return {to: code_in(text) for to, text in await mailed(*mailing)}


def code_in(text: str) -> str:
    (code,) = re.findall(r"\b\d{8}\b", text)
    return str(code)


async def ada(deployment: Deployment) -> Account:
    account = await deployment.store.account("ada")
    assert account is not None
    return account


async def test_a_person_changes_the_address_with_the_code_of_each(mailing: Mailing) -> None:
    """The link is on the account page, the session stays, and both addresses are told."""
    deployment, relay = mailing
    browser = await signed_in(deployment)
    assert f'href="{MAIL_ADDRESS}"'.encode() in (await browser.get(ACCOUNT)).body
    page = await requested(browser, " Ada@New.Example ")
    messages = dict(await mailed(*mailing))
    assert messages.keys() == {OLD, NEW}
    assert "account ada" not in messages[NEW]
    assert (await ada(deployment)).email == OLD
    codes = {to: code_in(text) for to, text in messages.items()}
    deployment.now += 29 * MINUTE
    page = await browser.submit(page, old_code=codes[OLD], new_code=f" {codes[NEW][:4]} {codes[NEW][4:]} ")
    assert CHANGED in page.body
    account = await ada(deployment)
    assert (account.email, account.email_verified, account.profile_updated_at) == (NEW, True, deployment.now)
    assert NEW.encode() in (await browser.get(ACCOUNT)).body
    assert {to for to, text in await mailed(deployment, relay) if "The email address was changed." in text} == {
        OLD,
        NEW,
    }


async def test_an_address_that_was_not_proved_is_not_asked_for_a_code(mailing: Mailing) -> None:
    """Its owner proves it, or another one, with the code of that one alone."""
    deployment, relay = mailing
    await deployment.change_account(email=OLD, email_verified=False)
    browser = await signed_in(deployment)
    assert b"(not confirmed)" in (await browser.get(ACCOUNT)).body
    page = await requested(browser, OLD)
    codes = await codes_of(mailing)
    assert codes.keys() == {OLD}
    assert CHANGED in (await browser.submit(page, new_code=codes[OLD])).body
    assert (await ada(deployment)).email_verified
    assert await mailed(deployment, relay) == []
    assert b"This is already your confirmed email address" in (await requested(browser, OLD)).body


@pytest.mark.parametrize("lacks", ["old_code", "new_code"])
async def test_each_code_is_needed_and_proves_only_its_own_address(mailing: Mailing, lacks: str) -> None:
    deployment, _ = mailing
    browser = await signed_in(deployment)
    page = await requested(browser)
    codes = await codes_of(mailing)
    right = {"old_code": codes[OLD], "new_code": codes[NEW]}
    other = right["new_code" if lacks == "old_code" else "old_code"]
    assert b"Enter the code from each message." in (await browser.submit(page, **{**right, lacks: ""})).body
    assert WRONG in (await browser.submit(page, **{**right, lacks: other})).body
    assert (await ada(deployment)).email == OLD
    assert CHANGED in (await browser.submit(page, **right)).body


async def test_codes_belong_to_one_address_and_one_request(mailing: Mailing) -> None:
    """Codes for an address of one's own do not prove another one."""
    deployment, _ = mailing
    browser = await signed_in(deployment)
    await requested(browser)
    codes = await codes_of(mailing)
    deployment.now += 1
    for address in (NEW, "victim@example.net"):
        page = await requested(browser, address)
        assert WRONG in (await browser.submit(page, old_code=codes[OLD], new_code=codes[NEW])).body
    assert (await ada(deployment)).email == OLD


async def test_codes_expire_after_half_an_hour(mailing: Mailing) -> None:
    deployment, relay = mailing
    browser = await signed_in(deployment)
    page = await requested(browser)
    codes = await codes_of(mailing)
    await requested(browser)
    deployment.now += 20 * MINUTE
    await browser.get(ACCOUNT)  # an unused session ends at the same time
    deployment.now += 10 * MINUTE
    page = await browser.submit(page, old_code=codes[OLD], new_code=codes[NEW])
    assert b"These codes have expired" in page.body
    assert (await ada(deployment)).email == OLD
    assert await mailed(deployment, relay) == []  # those of the second request, which are late


async def test_codes_are_void_once_the_account_has_changed(mailing: Mailing) -> None:
    """Such as by an operator, or by a use of the codes; a message that waits is not sent."""
    deployment, relay = mailing
    browser = await signed_in(deployment)
    page = await requested(browser)
    codes = await codes_of(mailing)
    await requested(browser)
    await deployment.change_account(email="ada@third.example", email_verified=True)
    assert WRONG in (await browser.submit(page, old_code=codes[OLD], new_code=codes[NEW])).body
    assert (await ada(deployment)).email == "ada@third.example"
    assert not [text for _, text in await mailed(deployment, relay) if "This is the code" in text]


async def test_guesses_are_few(mailing: Mailing) -> None:
    """Ten for an account, then one each half an hour; the right codes wait too."""
    deployment, _ = mailing
    browser = await signed_in(deployment)
    page = await requested(browser)
    codes = await codes_of(mailing)
    guessed = str((int(codes[OLD]) + 1) % 10**8).zfill(8)
    for _ in range(10):
        reply = await browser.submit(page, old_code=guessed, new_code=codes[NEW])
        assert (reply.status, WRONG in reply.body) == (200, True)
    reply = await browser.submit(page, old_code=codes[OLD], new_code=codes[NEW])
    assert (reply.status, reply.headers["retry-after"]) == (429, "1800")
    assert (await ada(deployment)).email == OLD
    assert deployment.service.counts.refusals["address_code.throttled_account"] == 1


async def test_few_messages_go_to_one_address(mailing: Mailing) -> None:
    """threats A12: the page is no way to fill a stranger's mailbox."""
    deployment, relay = mailing
    browser = await signed_in(deployment)
    assert [(await requested(browser)).status for _ in range(4)] == [200, 200, 200, 429]
    assert len(await mailed(deployment, relay)) == 6


async def test_plus_signs_make_no_further_mailboxes(mailing: Mailing) -> None:
    """RFC 5233: several accounts get no more messages sent to one mailbox than to one address."""
    deployment, relay = mailing
    hashed = (await ada(deployment)).password_hash
    await deployment.store.save_account(accounts.register("eve", "user", hashed, NOW), NOW)
    browser, other = await signed_in(deployment), Browser(deployment)
    statuses = [(await requested(browser, f"ada+{number}@new.example")).status for number in range(3)]
    await other.sign_in(await other.get(ACCOUNT), username="eve")
    assert [*statuses, (await requested(other, "ada+3@new.example")).status] == [200, 200, 200, 429]
    assert len(await mailed(deployment, relay)) == 6


async def test_the_answer_is_the_same_for_an_address_of_another_account(mailing: Mailing) -> None:
    """threats A1."""
    deployment, _ = mailing
    hashed = (await ada(deployment)).password_hash
    await deployment.store.save_account(accounts.register("eve", "user", hashed, NOW, email=NEW), NOW)
    browser, bodies = await signed_in(deployment), []
    for address in (NEW, "ada@old.example"):
        text = (await requested(browser, address)).body.decode().replace(address, "")
        bodies.append(re.sub(r'name="step" value="[^"]*"', "", text))
    assert bodies[0] == bodies[1]


@pytest.mark.parametrize(
    "typed", ["", "ada", "a@b@example.com", "a@example.com\r\nBcc: b@example.com", "a" * 400 + "@b.c"]
)
async def test_what_is_no_address_is_said_to_be_none(mailing: Mailing, typed: str) -> None:
    deployment, relay = mailing
    assert (
        b"Enter an email address in the format name@example.com"
        in (await requested(await signed_in(deployment), typed)).body
    )
    assert await mailed(deployment, relay) == []


async def test_codes_are_requested_with_the_factor_and_after_a_recent_sign_in(mailing: Mailing) -> None:
    """The codes may come later; without the factor they are of no use."""
    deployment, relay = mailing
    early, browser = await signed_in(deployment), Browser(deployment)
    await enrolled(browser)
    await mailed(deployment, relay)
    assert ASKS in (await early.get(MAIL_ADDRESS)).body
    form = await browser.get(MAIL_ADDRESS)
    page = await browser.submit(form, address=NEW)
    codes = await codes_of(mailing)
    deployment.now += 11 * MINUTE
    assert b"Sign in again to change your sign-in settings" in (await browser.submit(form, address=NEW)).body
    assert (await browser.submit(form, address=NEW, act="codes")).status == 400
    assert await mailed(deployment, relay) == []
    typed = {"old_code": codes[OLD], "new_code": codes[NEW]}
    weak = Browser(deployment, {**browser.cookies, COOKIE: early.cookies[COOKIE]})
    assert ASKS in (await weak.submit(page, **typed)).body
    assert (await ada(deployment)).email == OLD
    assert CHANGED in (await browser.submit(page, **typed)).body


async def test_a_form_of_another_browser_changes_nothing(mailing: Mailing) -> None:
    """threats E5."""
    deployment, _ = mailing
    page = await requested(await signed_in(deployment))
    codes = await codes_of(mailing)
    other = await signed_in(deployment)
    assert (await other.submit(page, old_code=codes[OLD], new_code=codes[NEW])).status == 400
    assert (await ada(deployment)).email == OLD


async def test_without_a_relay_the_page_says_whom_to_ask(deployment: Deployment) -> None:
    browser = await signed_in(deployment)
    page = await browser.get(MAIL_ADDRESS)
    assert b"support@localhost" in page.body
    assert b"<form" not in page.body
    _, hidden = form_of(await browser.get(ACCOUNT))
    assert (await browser.post(MAIL_ADDRESS, {**hidden, "address": NEW}.items())).status == 400


@pytest.mark.each_node
async def test_the_change_is_in_the_audit_trail_and_no_code(mailing: Mailing) -> None:
    deployment, _ = mailing
    browser = await signed_in(deployment)
    page = await requested(browser)
    codes = await codes_of(mailing)
    await browser.submit(page, old_code=codes[OLD], new_code=codes[NEW])
    deployment.service.audit.flush()
    trail = "".join(file.read_text() for file in sorted(deployment.service.settings.audit_folder.iterdir()))
    for event in ("mail_address_codes_requested", "mail_address_changed"):
        assert f'"{event}"' in trail
    assert not [code for code in codes.values() if code in trail]
