"""`docs/walks.md` shows six ways through the program as they are: its files in their order, every room, and how many files.

Every file counts, also those of the store over SQLite. The rate limits of the deployment are off; on, they add one file
(`ratelimit/limits.py`). A walk is measured when it has been gone once, so that what is read once has been read.
"""

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any, NamedTuple

from credence.monitoring.comparison import Comparer
from credence.monitoring.data import NodeData
from credence.store.portfolios import Portfolio, RuleSetting, WatchedCompany
from tests.architecture.imports import ROOT
from tests.architecture.walking import files_of_calls, rooms_of
from tests.deployment import Deployment, Reply
from tests.management.conftest import Managed, managed
from tests.monitoring.watching import Watching
from tests.monitoring.webhook_site import OWNER, Site, open_site
from tests.outgoing.receivers import receiver
from tests.sign_in.browsing import Browser, answer_of, redeem, request_of, with_browser_application

__all__ = ["managed", "open_site"]

SLACK = 3
"""How many files fewer than the page says are no reason yet to change it."""


class Walk(NamedTuple):
    """A section of the page."""

    most: int
    files: list[str]
    """Those that it names, in its order."""


def walk_of_page(title: str) -> Walk:
    page = (ROOT / "docs" / "walks.md").read_text(encoding="utf-8")
    section = page.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    number = re.search(r"At most (\d+) files", section)
    assert number, title
    named = re.findall(r"`([a-z_]+(?:/[a-z_]+)*\.py)`", section)
    return Walk(int(number[1]), list(dict.fromkeys(named)))


def require_as_drawn(title: str, passed: list[str]) -> None:
    """Fail unless the page names what was passed, in its order, names each room, and counts right."""
    drawn = walk_of_page(title)
    assert [file for file in drawn.files if file not in passed] == []
    in_order = [file for file in passed if file in drawn.files]
    assert drawn.files == in_order, f"this is the order: {in_order}"
    assert rooms_of(passed) - rooms_of(drawn.files) == set(), passed
    assert drawn.most - SLACK < len(passed) <= drawn.most, f"{len(passed)} files: {passed}"


async def files_of(send: Callable[[], Awaitable[Reply]], status: int = 200) -> list[str]:
    """Return the files of the second request; the first one has filled the caches."""
    assert (await send()).status == status
    with files_of_calls() as passed:
        assert (await send()).status == status
    return passed


async def test_a_refresh(deployment: Deployment) -> None:
    tokens = [(await deployment.tokens())["refresh_token"]]

    async def refresh() -> Reply:
        reply = await deployment.refresh(tokens[-1])
        tokens.append(reply.json["refresh_token"])
        return reply

    require_as_drawn("A refresh", await files_of(refresh))


async def test_a_password_grant(deployment: Deployment) -> None:
    require_as_drawn("A password grant", await files_of(deployment.login))


async def test_a_code_flow(deployment: Deployment) -> None:
    application = await with_browser_application(deployment)

    async def sign_in_and_redeem() -> Reply:
        deployment.now += 1_000
        browser = Browser(deployment)
        consent = await browser.sign_in(await browser.get(request_of(application, prompt="consent")))
        last = await browser.submit(consent, decision="allow")
        return await redeem(deployment, answer_of(last)["code"])

    require_as_drawn("A code flow", await files_of(sign_in_and_redeem))


async def test_a_report(deployment: Deployment) -> None:
    token = (await deployment.tokens())["access_token"]
    assert (await deployment.report(token)).status == 200
    with files_of_calls() as passed:
        assert (await deployment.report(token, "/99999998")).status == 200
    require_as_drawn("A report", passed)


async def test_a_management_act(managed: Managed) -> None:
    body = {"name": "Reports", "grants": ["client_credentials"], "scopes": ["credit:report"]}
    made = await managed.call("POST", "/applications", body)

    async def rotate_secret() -> Reply:
        return await managed.call("POST", f"/applications/{made.json['client_id']}/secrets", {})

    require_as_drawn("A management act", await files_of(rotate_secret, 201))


async def test_from_an_event_to_a_webhook(site: Site, tmp_path: Path) -> None:
    async with watching_site(site, tmp_path / "watching") as (compare, requests):
        await compare("2026-10-01", "Active")
        await compare("2026-10-02", "Liquidation")
        passed = await compare("2026-10-03", "In Administration")
        assert [b'"monitoring.status"' in each.body for each in requests] == [False, True, True]
    require_as_drawn("From an event to a webhook", passed)


Compare = Callable[[str, str], Awaitable[list[str]]]


@asynccontextmanager
async def watching_site(site: Site, folder: Path) -> AsyncIterator[tuple[Compare, list[Any]]]:
    """Yield a function that loads a day's register with this status, compares and delivers, and returns the files of both.

    With it come the requests that the receiver of the webhook got.
    """
    folder.mkdir()
    watching = Watching(site.store, folder / "data")
    portfolio = Portfolio("p1", OWNER, "Customers", site.deployment.now, rules=(RuleSetting("status"),))
    await site.store.save_portfolio(portfolio)
    await site.store.watch("p1", [WatchedCompany("00000001")], 50)

    async def compare(day: str, status: str) -> list[str]:
        watching.register(day, n00000001={"CompanyStatus": status})
        deliver = site.attempts_at_once()
        with closing(NodeData(watching.folder, watching.policies, rest=0)) as data:
            comparer = Comparer(site.store, data, lambda: watching.now, "a")
            with files_of_calls() as passed:
                await comparer.run()
                await deliver()
        return passed

    async with receiver(site.folder) as at:
        await site.active(at)
        yield compare, at.requests
