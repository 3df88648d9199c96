"""Pages are rendered off the event loop, one after the other, in a bounded queue (credit §9, threats §8)."""

import asyncio
import threading
from collections.abc import AsyncIterator

import pytest

from credence.refusals.refusal import Refused
from credence.refusals.requests import SPIKE_ARREST
from credence.report.cache import Document
from credence.report.page_cache import MAX_QUEUED_PAGES, PageCache, PageForm
from credence.report.schema.report import LtdCompanyData
from tests.report.render.companies import BARE, CONTACT, FULL, report


@pytest.fixture
async def pages() -> AsyncIterator[PageCache]:
    pages = PageCache(CONTACT)
    yield pages
    pages.close()


async def test_as_many_pages_as_the_queue_holds_are_made_and_one_more_is_a_spike(pages: PageCache) -> None:
    subject = report(BARE)

    *made, last = await asyncio.gather(
        *(pages.find(f"{n:08}", 1, "html", lambda: subject) for n in range(MAX_QUEUED_PAGES + 1)),
        return_exceptions=True,
    )
    assert all(isinstance(each, Document) for each in made)
    assert isinstance(last, Refused)
    assert (last.refusal, last.reason, last.retry_after) == (SPIKE_ARREST, "rendering.queue_full", 1)
    assert await pages.find("00000099", 1, "html", lambda: subject), "what was finished makes room"


@pytest.mark.parametrize("form", ["html", "pdf"])
async def test_a_page_is_made_once_for_a_version_and_again_for_the_next(pages: PageCache, form: PageForm) -> None:
    asked: list[LtdCompanyData] = []

    def ask() -> LtdCompanyData:
        asked.append(report(FULL))
        return asked[-1]

    first, second = [await pages.find("01234567", 1, form, ask) for _ in range(2)]
    assert first is second
    assert len(asked) == 1
    third = await pages.find("01234567", 2, form, ask)
    assert first
    assert third
    assert (third.tag, len(asked)) == (first.tag, 2), "equal reports are equal to the letter"
    assert await pages.find("01234567", 2, form, ask) is third


async def test_the_loop_goes_on_while_a_page_is_made(pages: PageCache) -> None:
    loop_thread = threading.get_ident()
    makers: set[int] = set()

    class Watched(LtdCompanyData, frozen=True):
        """Says in which thread its name is read, which only the making of the page does."""

        def __getattribute__(self, name: str) -> object:
            if name == "CommercialName":
                makers.add(threading.get_ident())
            return super().__getattribute__(name)

    await pages.find("01234567", 1, "html", lambda: Watched("01234567"))
    assert makers
    assert loop_thread not in makers


async def test_a_company_that_is_not_held_has_no_page(pages: PageCache) -> None:
    assert await pages.find("01234567", 1, "html", lambda: None) is None
