"""The download of a list while as many batches of other callers run as may."""

import csv
import io
from contextlib import AsyncExitStack, aclosing

import pytest

from credence.policy.batches import MAX_BATCHES
from credence.policy.companies import Entry
from credence.web.workbench import list_export, observed
from tests.deployment import NOW
from tests.workbench.conftest import OTHER, PLAIN, Desk
from tests.workbench.test_lists import with_list


async def test_a_download_waits_for_its_scores_and_is_refused_without_them(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row without a score would say that the company has none; the pages say what is missing, and how to get it."""
    monkeypatch.setattr(list_export, "ATTEMPTS", 2)
    monkeypatch.setattr(observed, "PAUSE_SECONDS", 0)
    reader = await desk.reader()
    address = await with_list(reader)
    assert (await reader.do(address, "add", number=PLAIN)).status == 200
    batches, running = desk.deployment.service.batches, AsyncExitStack()
    async with running:
        for _ in range(MAX_BATCHES):
            rows = batches.stream([Entry(PLAIN)] * 100, None, "ndjson", NOW)
            await anext(rows)
            await running.enter_async_context(aclosing(rows))
        page = await reader.get(address)
        company = await reader.get(f"{address}/{PLAIN}")
        refused = await reader.get(f"{address}/companies.csv")
        monkeypatch.setattr(observed, "sleep", lambda _: running.aclose())  # they end while it waits
        exported = await reader.get(f"{address}/companies.csv")
    (row,) = csv.DictReader(io.StringIO(exported.body.decode()))
    assert (page.status, refused.status) == (200, 429)
    for each in (page, company):
        assert b"1 company has no score here yet" in each.body
        assert b"Load this page again in a few seconds" in each.body
    assert b"no score here yet" not in (await reader.get(address)).body
    assert row["score"].isdigit()


async def test_a_page_says_that_it_computes_no_more_scores(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observed, "MAX_SCORED", 1)
    reader = await desk.reader()
    address = await with_list(reader)
    for number in (PLAIN, OTHER):
        assert (await reader.do(address, "add", number=number)).status == 200
    page = await reader.get(address)
    assert b"2 companies have no score here yet: a page computes 1 at most" in page.body
