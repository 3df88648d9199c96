"""What is noted of who reads which report, and when it is written (D43, docs/adr/report-readers.md)."""

import datetime as dt

import pytest

from credence.report.readers import UnsavedReads, kept_until
from credence.store.contract import StoreUnavailable
from credence.store.records import ReportRead
from tests.memory_store import MemoryStore

NOW = 1_699_963_200_000
"""14 November 2023."""

DECEMBER = 1_701_388_800_000
"""1 December 2023."""


class Recording(MemoryStore):
    """A store that keeps what it was asked to write, and that can be out of reach."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[list[tuple[str, str]]] = []
        self.reachable = True

    async def note_report_reads(self, reads: "list[ReportRead]") -> None:  # type: ignore[override]
        if not self.reachable:
            raise StoreUnavailable("out of reach")
        self.written.append([(each.client_id, each.company) for each in reads])
        await super().note_report_reads(reads)


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        (dt.date(2026, 1, 1), dt.datetime(2027, 2, 1, tzinfo=dt.UTC)),
        (dt.date(2026, 1, 31), dt.datetime(2027, 2, 1, tzinfo=dt.UTC)),
        (dt.date(2026, 12, 5), dt.datetime(2028, 1, 1, tzinfo=dt.UTC)),
    ],
)
def test_a_read_is_kept_thirteen_months_from_the_first_of_its_month(day: dt.date, expected: dt.datetime) -> None:
    assert kept_until(day) == expected.timestamp() * 1000


async def test_a_read_is_written_once_a_month() -> None:
    store, reads = Recording(), UnsavedReads()
    for now in (NOW, NOW + 1, DECEMBER):
        reads.note("app", "00000001")
        await reads.store(store, now)
    assert store.written == [[("app", "00000001")], [("app", "00000001")]]
    assert await store.report_reads("app", ["00000001"]) == {"00000001": kept_until(dt.date(2023, 12, 1))}


async def test_reads_wait_while_the_store_is_out_of_reach() -> None:
    store, reads = Recording(), UnsavedReads()
    store.reachable = False
    reads.note("app", "00000001")
    with pytest.raises(StoreUnavailable):
        await reads.store(store, NOW)
    decided = {"00000001": dt.date(2023, 11, 14)}
    assert await reads.concerned(store, "app", decided, NOW) == {"00000001"}
    store.reachable = True
    await reads.store(store, NOW)
    assert store.written == [[("app", "00000001")]]


async def test_many_reads_are_written_a_thousand_at_a_time() -> None:
    store, reads = Recording(), UnsavedReads()
    for number in range(2_500):
        reads.note("app", f"{number:08}")
    await reads.store(store, NOW)
    assert [len(batch) for batch in store.written] == [1_000, 1_000, 500]
