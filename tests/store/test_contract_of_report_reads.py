"""The contract of the store for reads of reports (D43, docs/adr/report-readers.md)."""

import asyncio

from credence.store.contract import Store
from credence.store.records import ReportRead
from tests.store.records import DAY, NOW

FIRST, SECOND = "crd_sbx_app_a", "crd_sbx_app_b"


async def test_reads_are_found_by_application_and_company(store: Store) -> None:
    await store.note_report_reads(
        [ReportRead(FIRST, "00000001", NOW), ReportRead(FIRST, "SC000002", NOW), ReportRead(SECOND, "00000003", NOW)]
    )
    asked = ["00000001", "00000003", "SC000002", "00000009"]
    assert await store.report_reads(FIRST, asked) == {"00000001": NOW, "SC000002": NOW}
    assert await store.report_reads(SECOND, asked) == {"00000003": NOW}
    assert await store.report_reads("nobody", asked) == {}
    assert await store.report_reads(FIRST, []) == {}


async def test_the_later_read_stays_in_any_order_and_at_the_same_time(store: Store) -> None:
    later, earlier = ReportRead(FIRST, "00000001", NOW + DAY), ReportRead(FIRST, "00000001", NOW)
    await store.note_report_reads([later, earlier])
    await asyncio.gather(*(store.note_report_reads([each]) for each in (earlier, later, earlier)))
    assert await store.report_reads(FIRST, ["00000001"]) == {"00000001": NOW + DAY}


async def test_reads_are_deleted_when_they_expire(store: Store) -> None:
    reads = [ReportRead(FIRST, f"{number:08}", NOW + number) for number in range(5)]
    await store.note_report_reads(reads)
    assert await store.sweep(NOW + 2) == 3
    assert await store.report_reads(FIRST, [each.company for each in reads]) == {
        "00000003": NOW + 3,
        "00000004": NOW + 4,
    }


async def test_a_thousand_reads_are_one_call(store: Store) -> None:
    reads = [ReportRead(FIRST, f"{number:08}", NOW) for number in range(1_000)]
    await store.note_report_reads(reads)
    await store.note_report_reads(reads)
    assert len(await store.report_reads(FIRST, [each.company for each in reads])) == 1_000
