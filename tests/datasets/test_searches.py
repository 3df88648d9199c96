"""Searches wait in line off the event loop, and the line has an end (D23, threats §8)."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from credence.datasets.credit_data import CreditData
from credence.datasets.data_set import UnusableDataSet
from credence.datasets.loading.load import load_register
from credence.datasets.register import CurrentRegister
from credence.datasets.search.query import CompanyQuery
from credence.refusals.refusal import Refused
from credence.refusals.requests import SPIKE_ARREST
from credence.report.search.director_query import DirectorQuery
from credence.report.search.threads import MAX_QUEUED_SEARCHES, Searches
from credence.sandbox.provision import REGISTER_SAMPLE
from tests.datasets.snapshots import NOW


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with the register sample."""
    load_register([REGISTER_SAMPLE], tmp_path, now=NOW)
    return tmp_path


def test_a_full_queue_of_searches_is_answered_and_one_more_is_refused_by_spike_arrest(folder: Path) -> None:
    async def crowd() -> list[bytes | BaseException]:
        searches = Searches(lambda: CurrentRegister(folder), lambda: CreditData(folder))
        query = CompanyQuery(name="latchmere properties")
        try:
            # All of them are begun before the first can be told that it has ended.
            return await asyncio.gather(
                *(searches.find(query) for _ in range(MAX_QUEUED_SEARCHES + 1)), return_exceptions=True
            )
        finally:
            searches.close()

    *answers, last = asyncio.run(crowd())
    for answer in answers:
        assert isinstance(answer, bytes)
        assert msgspec.json.decode(answer)["SearchResults"][0]["BusinessRef"] == "01051677"
    assert isinstance(last, Refused)
    assert (last.refusal, last.reason, last.retry_after) == (SPIKE_ARREST, "search.queue_full", 1)


def test_searches_for_directors_wait_in_the_same_line(folder: Path) -> None:
    async def crowd() -> list[bytes | BaseException]:
        searches = Searches(lambda: CurrentRegister(folder), lambda: CreditData(folder))
        companies = (searches.find(CompanyQuery(name="latchmere")) for _ in range(MAX_QUEUED_SEARCHES - 1))
        directors = (searches.find_directors(DirectorQuery("Specimen")) for _ in range(2))
        try:
            return await asyncio.gather(*companies, *directors, return_exceptions=True)
        finally:
            searches.close()

    *_, first, second = asyncio.run(crowd())
    assert isinstance(first, bytes)
    assert msgspec.json.decode(first)["SearchSummary"]["NumberMatches"] == 0
    assert isinstance(second, Refused)
    assert second.refusal == SPIKE_ARREST


async def test_a_search_that_fails_makes_room_for_the_next(folder: Path) -> None:
    (data_set,) = folder.glob("register-*.sqlite")
    data_set.write_bytes(b"no data set")

    times = MAX_QUEUED_SEARCHES + 1
    searches = Searches(lambda: CurrentRegister(folder), lambda: CreditData(folder))
    try:
        for _ in range(times):
            with pytest.raises(UnusableDataSet, match="load the register again"):
                await searches.find(CompanyQuery(name="acorn"))
    finally:
        searches.close()
