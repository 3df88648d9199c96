"""A forgotten password: one link by mail, in one browser, and nothing that says which accounts exist (ASVS 6.4.3)."""

from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from credence.access.rules import AccessRules
from credence.identity import accounts
from credence.mail.notices import keep_notices
from tests.deployment import NOW, Deployment, OpenDeployment, Reply, ada
from tests.nodes_in_turn import ON_THE_MEMORY_STORE
from tests.relay import Relay, link_in, mailed, running_relay
from tests.sign_in.authenticator import with_passkey
from tests.sign_in.browsing import (
    ACCOUNT,
    Browser,
    answer_of,
    authorized,
    form_of,
    redeem,
    request_of,
    with_browser_application,
)
from tests.sign_in.employer import trust
from tests.sign_in.factors import ASKS, COOKIE, code_of, enrolled
from tests.sign_in.test_links import CHOSEN, LOST, SAVED

PATH = "/account/forgotten-password"
PASSWORD_PATH = "/account/password"
MINUTE = 60_000
SENT = b"exists and has an email address, we have sent it a link"

Mailing = tuple[Deployment, Relay]


@pytest.fixture
async def mailing(open_deployment: OpenDeployment, tmp_path: Path) -> AsyncIterator[Mailing]:
    async with running_relay() as relay:
        deployment = await open_deployment(tmp_path, mail_relay=relay.url, support_email="help@example.com")
        await keep_notices(deployment.store)
        yield deployment, relay


async def asked(browser: Browser, username: str = "ada") -> Reply:
    return await browser.submit(await browser.get(PATH), username=username)


async def link_of(mailing: Mailing, browser: Browser, username: str = "ada") -> str:
    """Ask for a link and return it, as the path and query that the message names."""
    deployment, relay = mailing
    assert SENT in (await asked(browser, username)).body
    (text,) = [text for _, text in await mailed(deployment, relay) if "link=" in text]
    return link_in(text, PASSWORD_PATH)


async def chosen(browser: Browser, link: str) -> Reply:
    page = await browser.get(link)
    return await browser.submit(page, password=CHOSEN, again=CHOSEN) if b"<form" in page.body else page


async def test_a_person_chooses_a_new_password_and_everything_of_the_old_one_ends(mailing: Mailing) -> None:
    """Sessions, logins with `offline_access`, and the person is told. The page for the password leads here."""
    deployment, relay = mailing
    application = await with_browser_application(deployment)
    elsewhere = Browser(deployment)
    code = answer_of(await authorized(elsewhere, application, scope="openid offline_access"))["code"]
    kept = (await redeem(deployment, code)).json["refresh_token"]
    browser = Browser(deployment)
    page = await browser.submit(await browser.get(ACCOUNT), username="ada")
    assert f'href="{PATH}"'.encode() in page.body
    link = await link_of(mailing, browser, " ADA ")
    deployment.now += MINUTE
    assert SAVED in (await chosen(browser, link)).body
    assert COOKIE not in browser.cookies
    assert (await deployment.refresh(kept)).status in (400, 401)
    assert b'name="username"' in (await elsewhere.get(ACCOUNT)).body
    assert (await deployment.login()).status == 401
    assert (await deployment.login(password=CHOSEN)).status == 200
    ((_, text),) = await mailed(deployment, relay)
    assert "The password was changed." in text


async def test_a_link_works_once_for_half_an_hour_and_in_the_browser_that_asked(mailing: Mailing) -> None:
    deployment, _ = mailing
    browser = Browser(deployment)
    link = await link_of(mailing, browser)
    for other in (Browser(deployment), await _visited(deployment)):
        page = await other.get(link)
        assert (page.status, b"It only works in the browser you requested it from" in page.body) == (400, True)
    assert deployment.service.counts.refusals["link.other_browser"] == 2
    page = await browser.get(link)
    stolen = await (await _visited(deployment)).submit(page, password=CHOSEN, again=CHOSEN)
    assert stolen.status == 400
    deployment.now += 30 * MINUTE - 1
    assert SAVED in (await chosen(browser, link)).body
    assert LOST in (await browser.get(link)).body
    second = await link_of(mailing, browser)
    deployment.now += 30 * MINUTE
    assert LOST in (await browser.get(second)).body


async def _visited(deployment: Deployment) -> Browser:
    """A browser with the cookie of a visitor."""
    browser = Browser(deployment)
    await browser.get(ACCOUNT)
    return browser


async def test_a_second_factor_is_asked_for_after_the_reset_too(mailing: Mailing) -> None:
    """A thief of the mailbox gets no further with an account that has an app."""
    deployment, relay = mailing
    app, _ = await enrolled(Browser(deployment))
    await mailed(deployment, relay)
    browser = Browser(deployment)
    await chosen(browser, await link_of(mailing, browser))
    deployment.now += 1_000
    page = await browser.sign_in(await browser.get(ACCOUNT), password=CHOSEN)
    assert ASKS in page.body
    assert COOKIE not in browser.cookies
    assert b"Your account" in (await browser.submit(page, code=code_of(app, deployment))).body


@ON_THE_MEMORY_STORE
async def test_the_answer_and_what_is_done_for_it_are_the_same_for_every_name(mailing: Mailing) -> None:
    """threats A1, A2: the statements of the store too, so the time cannot differ. The name is nowhere in clear."""
    deployment, relay = mailing
    await _several_people(deployment)
    names = ("ada", "nobody", "eve", "program", "mia")
    browsers = [Browser(deployment) for _ in names]
    pages = [await browser.get(PATH) for browser in browsers]
    done: list[tuple[bytes, int, list[str]]] = []
    for browser, page, name in zip(browsers, pages, names, strict=True):
        with deployment.memory.statements() as statements:
            reply = await browser.submit(page, username=name)
        done.append((reply.body.replace(name.encode(), b""), reply.status, statements))
    assert all(each == done[0] for each in done)
    assert len(done[0][2]) > 1
    stored = repr([each.payload for each in await deployment.store.claim_deliveries(NOW, NOW, 99, 99)])
    assert "nobody" not in stored
    deployment.now += 1
    assert [to for to, _ in await mailed(deployment, relay)] == ["ada@example.com"]


async def _several_people(deployment: Deployment) -> None:
    """A suspended one, a program, and one without an address."""
    hashed = ada().password_hash
    suspended = accounts.register("eve", "user", hashed, NOW, email="eve@example.com")
    await deployment.store.save_account(msgspec.structs.replace(suspended, status="suspended"), NOW)
    await deployment.store.save_account(accounts.register("program", "service", hashed, NOW), NOW)
    await deployment.store.save_account(accounts.register("mia", "user", hashed, NOW), NOW)


async def test_a_link_has_no_effect_where_the_account_may_not_be_used(mailing: Mailing) -> None:
    """Neither its page nor its form: a thief of the mailbox changes nothing from elsewhere (D15)."""
    deployment, _ = mailing
    browser = Browser(deployment)
    link = await link_of(mailing, browser)
    page = await browser.get(link)
    await deployment.change_account(rules=AccessRules(networks=("203.0.113.0/24",)))
    for reply in (await browser.get(link), await browser.submit(page, password=CHOSEN, again=CHOSEN)):
        assert reply.status == 403
    await deployment.change_account(rules=AccessRules(networks=("192.0.2.0/24",)))
    assert SAVED in (await chosen(browser, link)).body


async def test_a_person_who_signs_in_at_an_employer_alone_gets_a_message_without_a_link(mailing: Mailing) -> None:
    deployment, relay = mailing
    await trust(deployment, "https://login.example.com", mail_domains=("example.com",), only_way=True)
    assert SENT in (await asked(Browser(deployment))).body
    ((_, text),) = await mailed(deployment, relay)
    assert "You sign in with your organisation" in text
    assert "link=" not in text


async def test_an_account_that_needs_a_passkey_gets_a_message_without_a_link(mailing: Mailing) -> None:
    deployment, relay = mailing
    await with_passkey(deployment)
    await deployment.change_account(sign_in="passkey")
    await mailed(deployment, relay)
    await asked(Browser(deployment))
    ((_, text),) = await mailed(deployment, relay)
    assert "link=" not in text
    assert "passkey" in text


async def test_a_used_link_proves_the_address_that_it_went_to(mailing: Mailing) -> None:
    deployment, _ = mailing
    browser = Browser(deployment)
    link = await link_of(mailing, browser)
    await chosen(browser, link)
    account = await deployment.store.account("ada")
    assert account is not None
    assert account.email_verified


async def test_a_link_is_void_once_the_account_has_another_address(mailing: Mailing) -> None:
    """threats A17: the old mailbox may be the one that a thief reads, who has requested a link just before."""
    deployment, _ = mailing
    browser = Browser(deployment)
    link = await link_of(mailing, browser)
    page = await browser.get(link)
    await deployment.change_account(email="other@example.com")
    for reply in (await browser.get(link), await browser.submit(page, password=CHOSEN, again=CHOSEN)):
        assert (reply.status, LOST in reply.body) == (400, True)
    assert deployment.service.counts.refusals["link.address_changed"] == 2
    assert (await deployment.login()).status == 200


async def test_a_stranger_gets_few_messages_sent_and_does_not_keep_the_person_from_one(mailing: Mailing) -> None:
    """threats A5, A12: three for one name from one network, and ten for all; the person asks from elsewhere."""
    deployment, relay = mailing
    stranger = Browser(deployment)
    replies = [await asked(stranger) for _ in range(5)]
    assert [reply.status for reply in replies] == [200] * 3 + [429] * 2
    assert int(replies[-1].headers["retry-after"]) <= 600
    assert len(await mailed(deployment, relay)) == 3
    others = [await asked(stranger, f"name-{number}") for number in range(9)]
    assert [reply.status for reply in others] == [200] * 7 + [429] * 2
    page = await stranger.get(PATH)
    _, hidden = form_of(page)
    cookies = "; ".join(f"{name}={value}" for name, value in stranger.cookies.items())
    elsewhere = await deployment.send(
        "POST",
        PATH,
        [("Cookie", cookies), ("Content-Type", "application/x-www-form-urlencoded")],
        f"step={hidden['step']}&username=ada".encode(),
        "203.0.113.9",
    )
    assert elsewhere.status == 200
    assert len(await mailed(deployment, relay)) == 1


async def test_strangers_everywhere_do_not_keep_a_person_with_a_known_browser_from_a_message(mailing: Mailing) -> None:
    deployment, relay = mailing
    known = Browser(deployment)
    await known.sign_in(await known.get(ACCOUNT))
    _, hidden = form_of(await known.get(PATH))
    visitor = f"__Host-credence-visitor={known.cookies['__Host-credence-visitor']}"
    form = ("Content-Type", "application/x-www-form-urlencoded")
    body = f"step={hidden['step']}&username=ada".encode()
    statuses = [
        (await deployment.send("POST", PATH, [("Cookie", visitor), form], body, f"203.0.113.{number}")).status
        for number in range(14)
    ]
    assert statuses == [200] * 12 + [429] * 2
    await mailed(deployment, relay)
    assert (await asked(known)).status == 200
    assert len(await mailed(deployment, relay)) == 1


async def test_without_a_relay_the_page_says_whom_to_ask(deployment: Deployment) -> None:
    browser = Browser(deployment)
    page = await browser.get(PATH)
    assert b"support@localhost" in page.body
    assert b"<form" not in page.body
    _, hidden = form_of(await browser.get(ACCOUNT))
    assert (await browser.post(PATH, {**hidden, "username": "ada"}.items())).status == 400


async def test_too_many_wrong_passwords_name_the_way_out(mailing: Mailing) -> None:
    deployment, _ = mailing
    browser = Browser(deployment)
    page = await browser.get(request_of(await with_browser_application(deployment)))
    for _ in range(6):
        page = await browser.sign_in(page, password="wrong")
    assert b"or reset your password" in page.body


@pytest.mark.each_node
async def test_the_request_and_the_new_password_are_in_the_audit_trail(mailing: Mailing) -> None:
    deployment, _ = mailing
    browser = Browser(deployment)
    link = await link_of(mailing, browser)
    await chosen(browser, link)
    deployment.service.audit.flush()
    trail = "".join(file.read_text() for file in sorted(deployment.service.settings.audit_folder.iterdir()))
    for event in ("password_reset_requested", "password_chosen"):
        assert f'"{event}"' in trail
    assert link.partition("link=")[2] not in trail
