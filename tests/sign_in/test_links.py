"""Links with which a person chooses a password: once, in time, for one account (ASVS 6.4.1, 6.4.3)."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from credence.identity.activation import Activation, write_activation
from credence.identity.login_attempts import account_key
from credence.store.tallies import TallyIncrement
from tests.deployment import NOW, Deployment, deployed
from tests.sign_in.browsing import ACCOUNT, Browser, form_of, request_of, with_browser_application
from tests.sign_in.factors import ASKS, COOKIE, enrolled

CHOSEN = "four unrelated words here"
LOST = b"This link does not work"
SAVED = b"Password saved"
HOUR = 3_600_000


def link_of(deployment: Deployment, username: str = "ada", password_version: int = 1, until: int = NOW + HOUR) -> str:
    activation = Activation(username, password_version, until)
    text = write_activation("sbx", deployment.service.authority.secrets.digest, activation)
    return f"/account/password?link={text}"


async def test_the_chosen_password_opens_the_account_and_the_old_one_does_not(deployment: Deployment) -> None:
    """Sessions and tokens of the old one end."""
    before = Browser(deployment)
    await before.sign_in(await before.get(ACCOUNT))
    tokens = await deployment.tokens()
    browser = Browser(deployment)
    deployment.now += 1
    page = await browser.submit(await browser.get(link_of(deployment)), password=CHOSEN, again=CHOSEN)
    assert SAVED in page.body
    assert COOKIE not in browser.cookies
    assert (await deployment.login()).status == 401
    assert (await deployment.login(password=CHOSEN)).status == 200
    assert b'name="username"' in (await before.get(ACCOUNT)).body
    assert (await deployment.refresh(tokens["refresh_token"])).status == 401


async def test_who_chose_a_password_by_a_link_does_not_wait_for_wrong_ones(deployment: Deployment) -> None:
    """threats A5: the link is a way out for a person who has forgotten the password, or whose account is under attack."""
    browser = Browser(deployment)
    page = await browser.get(ACCOUNT)
    for number in range(6):
        waiting = await browser.sign_in(page, password=f"wrong {number}")
    assert waiting.status == 429
    key = account_key(deployment.service.authority.secrets.digest, "ada")
    await deployment.store.count_failure([TallyIncrement(key, 1_000 * 60_000, 1_000 * 60_000)], deployment.now)
    await browser.submit(await browser.get(link_of(deployment)), password=CHOSEN, again=CHOSEN)
    await browser.sign_in(page, password=CHOSEN)
    assert COOKIE in browser.cookies


async def test_a_link_works_once_and_a_chosen_password_ends_every_other_link(deployment: Deployment) -> None:
    browser, other = Browser(deployment), link_of(deployment, until=NOW + 2 * HOUR)
    page = await browser.get(link_of(deployment))
    assert SAVED in (await browser.submit(page, password=CHOSEN, again=CHOSEN)).body
    assert LOST in (await browser.submit(page, password=CHOSEN + "!", again=CHOSEN + "!")).body
    for link in (link_of(deployment), other):
        again = await browser.get(link)
        assert (again.status, LOST in again.body) == (400, True)
    assert (await deployment.login(password=CHOSEN)).status == 200


async def test_opening_the_page_does_not_use_the_link_up(deployment: Deployment) -> None:
    for _ in range(3):
        assert b"For the account ada" in (await Browser(deployment).get(link_of(deployment))).body


async def test_of_two_nodes_at_once_one_stores_its_password(migrated_postgres: str, tmp_path: Path) -> None:
    async with deployed(tmp_path, store=migrated_postgres) as one, one.another_node() as two:
        browsers = [Browser(one), Browser(two)]
        pages = [await each.get(link_of(one)) for each in browsers]
        words = ["first unrelated words", "second unrelated words"]
        chosen = zip(browsers, pages, words, strict=True)
        replies = await asyncio.gather(*(each.submit(page, password=word, again=word) for each, page, word in chosen))
        assert sorted(SAVED in each.body for each in replies) == [False, True]


@pytest.mark.parametrize(
    ("made", "code"),
    [
        ({"until": NOW}, "link.expired"),
        ({"username": "nobody"}, "link.account_not_active"),
        ({"password_version": 2}, "link.used"),
    ],
)
async def test_every_link_that_does_not_work_gets_the_same_page(
    deployment: Deployment, made: dict[str, Any], code: str
) -> None:
    """threats A1: it does not say whether the account exists."""
    page = await Browser(deployment).get(link_of(deployment, **made))
    unknown = await Browser(deployment).get("/account/password?link=crd_sbx_act_AAAA")
    assert (page.status, page.body) == (400, unknown.body)
    assert deployment.service.counts.refusals[code] == 1


async def test_a_changed_link_is_worth_nothing(deployment: Deployment) -> None:
    link = link_of(deployment)
    start = link.index("crd_sbx_act_") + len("crd_sbx_act_")
    for place in range(start, len(link) - 1, 7):
        changed = link[:place] + ("A" if link[place] != "A" else "B") + link[place + 1 :]
        assert LOST in (await Browser(deployment).get(changed)).body
    assert LOST in (await Browser(deployment).get("/account/password")).body


@pytest.mark.parametrize("status", ["suspended", "closed"])
async def test_an_account_that_is_not_active_gets_no_password(deployment: Deployment, status: str) -> None:
    browser = Browser(deployment)
    page = await browser.get(link_of(deployment))
    await deployment.set_status(status)
    assert LOST in (await browser.submit(page, password=CHOSEN, again=CHOSEN)).body


@pytest.mark.parametrize(
    ("password", "again", "problem"),
    [
        ("short", "short", b"at least 15 characters"),
        (CHOSEN, CHOSEN + "x", b"The passwords do not match"),
        ("x" * 257, "x" * 257, b"at most 256 characters"),
        ("", "", b"at least 15 characters"),
    ],
)
async def test_a_password_that_the_rules_refuse_is_not_stored_and_not_repeated(
    deployment: Deployment, password: str, again: str, problem: bytes
) -> None:
    browser = Browser(deployment)
    page = await browser.submit(await browser.get(link_of(deployment)), password=password, again=again)
    assert problem in page.body
    assert not password or b'value="' + password.encode() not in page.body
    assert SAVED in (await browser.submit(page, password=CHOSEN, again=CHOSEN)).body


async def test_a_link_does_not_replace_the_second_factor(deployment: Deployment) -> None:
    await enrolled(Browser(deployment))
    browser = Browser(deployment)
    await browser.submit(await browser.get(link_of(deployment)), password=CHOSEN, again=CHOSEN)
    page = await browser.sign_in(await browser.get(ACCOUNT), password=CHOSEN)
    assert ASKS in page.body
    assert COOKIE not in browser.cookies


async def test_the_form_of_another_page_or_browser_chooses_nothing(deployment: Deployment) -> None:
    """threats E5."""
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    page = await browser.get(link_of(deployment))
    assert (await Browser(deployment).submit(page, password=CHOSEN, again=CHOSEN)).status == 400
    _, hidden = form_of(await browser.get(request_of(application)))
    fields = {**hidden, "password": CHOSEN, "again": CHOSEN}
    assert (await browser.post("/account/password", fields.items())).status == 400
    assert (await deployment.login()).status == 200
