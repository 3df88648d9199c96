"""Signing up with a mail address at an allowed domain, which a message proves: the test runs the relay that takes it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from credence.management.site_applications import DEVELOPERS, register_site
from tests.deployment import NOW, PASSWORD, Reply, deploy, served
from tests.developers.conftest import Portal, text_of
from tests.relay import Relay, link_in, running_relay

PATH = "/developers/sign-up"


@asynccontextmanager
async def allowed(folder: Path, **settings: Any) -> AsyncIterator[tuple[Portal, Relay]]:
    """A portal outside the sandbox, for people at example.com and EXAMPLE.org, with its relay."""
    domains = ("example.com", "EXAMPLE.org")
    async with running_relay() as relay:
        given: dict[str, Any] = {
            "developers": "invited",
            "developer_domains": domains,
            "mail_relay": relay.url,
            **settings,
        }
        main = await deploy(folder, **given)
        async with served(main.asgi):
            await register_site(main.store, main.service.settings, DEVELOPERS, NOW)
            yield Portal(main), relay


async def asked(portal: Portal, address: str) -> Reply:
    return await portal.browser.submit(await portal.browser.get(PATH), email=address)


async def chosen(portal: Portal, link: str, password: str = PASSWORD) -> Reply:
    page = await portal.browser.get(link)
    if b"<form" not in page.body:
        return page
    return await portal.browser.submit(page, password=password, again=password)


async def test_a_stranger_at_an_allowed_domain_proves_the_address_and_makes_an_application(tmp_path: Path) -> None:
    async with allowed(tmp_path) as (portal, relay):
        first = await portal.browser.get("/developers")
        assert f'href="{PATH}"' in first.body.decode()
        sent = await asked(portal, " New.Person@Example.COM ")
        assert (sent.status, "new.person@example.com" in text_of(sent)) == (200, True)
        (recipient, text), *more = relay.messages
        assert (recipient, more) == ("new.person@example.com", [])
        assert await portal.main.store.account("new.person@example.com") is None  # not before the link is used
        link = link_in(text, PATH)
        assert "at least" in text_of(await chosen(portal, link, "short"))
        assert (await chosen(portal, link)).status == 200
        account = await portal.main.store.account("new.person@example.com")
        assert account is not None
        assert (account.developer, account.email, account.type) == (True, "new.person@example.com", "user")
        assert (await chosen(portal, link, "another four words chosen")).status == 400  # once
        after = await portal.main.store.account("new.person@example.com")
        assert after == account
        page = await Portal(portal.main).browser.come("/developers/sign-in", "new.person@example.com")
        assert "Your applications" in text_of(page)


async def test_the_page_says_the_same_of_an_address_that_has_an_account_and_sends_little(tmp_path: Path) -> None:
    """threats A1, A12."""
    async with allowed(tmp_path) as (portal, relay):
        known, unknown = "known@example.org", "unknown@example.org"
        await asked(portal, known)
        await chosen(portal, link_in(relay.messages[0][1], PATH))
        portal.main.now += 600_001
        pages = [text_of(await asked(portal, each)).replace(each, "") for each in (known, unknown)]
        assert pages[0] == pages[1]
        assert "link=" not in relay.messages[1][1]
        assert relay.messages[1][0] == known
        for _ in range(3):
            await asked(portal, unknown)
        assert len(relay.messages) == 3


@pytest.mark.parametrize(
    "address",
    [
        "",
        "a@example.net",
        "a@example.com.evil.net",
        "a@evil.net, b@example.com",
        "a@evil.net\nbcc: b@example.com",
        '"a b"@example.com',
        "@example.com",
        "a@b@example.com",
        "a" * 300 + "@example.com",
        "<script>@example.com",
        "a@evil.net\r\nRCPT TO:<b@example.com>",
        "a%evil.net@example.com",
        "@evil.net:a@example.com",
        "a@example.com (comment)",
        "Ada <a@example.com>",
        "a@example.com>\r\nDATA",
        "\N{LATIN SMALL LETTER DOTLESS I}@example.com",
        "a@ex\N{CYRILLIC SMALL LETTER A}mple.com",
        "a@\N{RIGHT-TO-LEFT OVERRIDE}example.com",
        ".a@example.com",
        "a..b@example.com",
        "a@[127.0.0.1]",
        "a\0@example.com",
    ],
)
async def test_no_other_address_gets_a_message(tmp_path: Path, address: str) -> None:
    async with allowed(tmp_path) as (portal, relay):
        page = await asked(portal, address)
        assert page.status == (422 if "\0" not in address else 400)
        assert "<script>" not in page.body.decode()
        assert relay.messages == []


async def test_a_link_is_valid_for_a_day_whole_and_while_its_domain_is_allowed(tmp_path: Path) -> None:
    async with allowed(tmp_path) as (portal, relay):
        await asked(portal, "late@example.com")
        link = link_in(relay.messages[0][1], PATH)
        assert (await portal.browser.get(f"{link[:-3]}abc")).status == 400
        portal.main.now += 86_400_000 - 1
        assert (await portal.browser.get(link)).status == 200
        portal.main.now += 1
        assert (await portal.browser.get(link)).status == 400
        assert await portal.main.store.account("late@example.com") is None


async def test_a_caller_requests_few_messages_at_once(tmp_path: Path) -> None:
    """threats A12: ten at once, then one a minute, from one address prefix."""
    async with allowed(tmp_path) as (portal, relay):
        pages = [await asked(portal, f"person{number}@example.com") for number in range(12)]
        assert [page.status for page in pages] == [200] * 10 + [429] * 2
        assert pages[-1].headers["retry-after"] == "60"
        portal.main.now += 60_000
        again = [await asked(portal, f"later{number}@example.com") for number in range(2)]
        assert [page.status for page in again] == [200, 429]
        assert len(relay.messages) == 11


async def test_a_page_that_was_open_too_long_leads_back_to_its_beginning(tmp_path: Path) -> None:
    async with allowed(tmp_path) as (portal, relay):
        await asked(portal, "slow@example.com")
        link = link_in(relay.messages[0][1], PATH)
        for start in (PATH, link):
            page = await portal.browser.get(start)
            portal.main.now += 3_600_001
            late = await portal.browser.submit(page, email="slow@example.com", password=PASSWORD, again=PASSWORD)
            assert f'href="{start}"' in late.body.decode(), start
        assert await portal.main.store.account("slow@example.com") is None
        assert len(relay.messages) == 1


async def test_a_relay_that_refuses_is_not_answered_as_success(tmp_path: Path) -> None:
    async with allowed(tmp_path) as (portal, relay):
        relay.refuses = True
        page = await asked(portal, "new@example.com")
        assert (page.status, "The message could not be sent" in text_of(page)) == (503, True)
        relay.refuses = False
        assert (await asked(portal, "new@example.com")).status == 200
        assert [recipient for recipient, _ in relay.messages] == ["new@example.com"]  # what the page says is done


async def test_a_mailbox_gets_one_message_in_any_ten_minutes(tmp_path: Path) -> None:
    """threats A12: neither the end of a span of the clock nor what follows a plus sign brings another one (RFC 5233)."""
    async with allowed(tmp_path) as (portal, relay):
        portal.main.now += 599_999 - portal.main.now % 600_000  # the clock is about to begin another ten minutes
        for wait, address, count in (
            (0, "new@example.com", 1),
            (1, "new@example.com", 1),
            (0, "new+again@example.com", 1),
            (599_998, "new@example.com", 1),
            (1, "new@example.com", 2),
        ):
            portal.main.now += wait
            assert (await asked(portal, address)).status == 200
            assert len(relay.messages) == count, (wait, address)


@pytest.mark.parametrize("without", [{"mail_relay": ""}, {"developer_domains": ()}, {"developers": "off"}])
async def test_without_domains_or_a_relay_nobody_signs_up(tmp_path: Path, without: dict[str, object]) -> None:
    async with allowed(tmp_path, **without) as (portal, _):
        assert (await portal.browser.get(PATH)).status in (404, 405)
        assert "Sign up" not in text_of(await portal.browser.get("/developers"))
