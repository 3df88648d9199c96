"""The book's screen: customers by pounds at risk, with totals, filters, CSV; and its cost with 20,000 customers."""

import csv
import datetime as dt
import io
from collections.abc import Sequence

import msgspec

from credence.clock import london_day
from credence.report.outline import Held, Outline
from credence.scoring.basis.scale import probability_of
from credence.store.customers import Merged
from credence.store.ledger_uploads import LedgerUpload
from credence.store.portfolios import Portfolio, WatchedCompany
from tests.console.test_hostile_pages import elements_of
from tests.deployment import NOW
from tests.store.records import customer
from tests.workbench.conftest import HOSTILE, Desk, text_of

BOOK = "/workbench/book"
MONTH_AGO = london_day(NOW) - dt.timedelta(days=30)


def observation(seen: Outline, was: str = "A", parents: Sequence[str] = (), section: str = "C") -> bytes:
    bands = [[(MONTH_AGO - dt.timedelta(days=9)).isoformat(), was], [MONTH_AGO.replace(day=31).isoformat(), seen.band]]
    return msgspec.msgpack.encode({"seen": seen, "bands": bands, "parents": parents, "section": section})


async def with_book(desk: Desk, *customers: tuple[WatchedCompany, bytes]) -> None:
    """Give the application of the desk a list with these customers, as the last comparison found them."""
    await desk.store.save_portfolio(Portfolio("pf_book", desk.deployment.application.client_id, "Customers", NOW))
    if await desk.store.shared_value("comparison") is None:
        await desk.store.save_shared_value("comparison", 1, b"{}")
    for start in range(0, len(customers), 1_000):
        piece = customers[start : start + 1_000]
        await desk.store.watch("pf_book", [kept for kept, _ in piece], 50_000)
        await desk.store.record(1, [(kept.company, state) for kept, state in piece], [])


SOUND = Outline("SOUND LIMITED", "Active", "A", 80, 50_000)
WEAK = Outline("WEAK LIMITED", "Active", "D", 20, 1_000, reservations=(Held("LOSS", "a loss of £5"),))
GONE = Outline("GONE LIMITED", "Liquidation", "E", 0, 0, "proceedings", "liquidation")
UNKNOWN = Outline("UNKNOWN LIMITED", "Active")
BOOK_LINES = (
    (WatchedCompany("00000001", "C1", exposure=60_000), observation(SOUND)),
    (WatchedCompany("00000002", "C2", exposure=4_000), observation(WEAK, parents=["00000001"])),
    (WatchedCompany("00000003", "C3", exposure=3_000), observation(GONE, was="B")),
    (WatchedCompany("00000004", "C4", exposure=500), observation(UNKNOWN, was="")),
    (WatchedCompany("00000005", "C5", exposure=700, currency="EUR"), observation(SOUND)),
)


async def test_customers_come_by_pounds_at_risk_with_their_totals(desk: Desk) -> None:
    reader = await desk.reader()
    await with_book(desk, *BOOK_LINES)
    exported = await reader.get(f"{BOOK}.csv")
    rows = {each["company_number"]: each for each in csv.DictReader(io.StringIO(exported.body.decode()))}
    assert list(rows)[:2] == ["00000003", "00000002"]
    assert rows["00000003"]["at_risk"] == "3000"
    assert rows["00000002"]["at_risk"] == str(round(4_000 * probability_of(20)))
    assert (
        rows["00000002"] | {"band": "D", "band_month_ago": "A", "headroom": "0", "above_limit": "3000"}
        == rows["00000002"]
    )
    assert (rows["00000004"]["at_risk"], rows["00000005"]["exposure"]) == ("", "")
    page = text_of(await reader.get(BOOK))
    assert "5 customers" in page
    assert "£67,500 unknown for 1 of 5 customers" in page
    loss = 3_000 + round(4_000 * probability_of(20)) + round(60_000 * probability_of(80))
    assert f"Expected loss £{loss:,} Expected loss: exposure times probability" in page
    assert "£500 owed by companies without a score" in page
    assert "100.0% of the exposure" in page
    assert (
        "Groups Company with control Customers Exposure Share SOUND LIMITED 00000001 WEAK LIMITED £64,000 94.8%" in page
    )


async def test_filters_and_views_choose_customers_and_their_totals(desk: Desk) -> None:
    reader = await desk.reader()
    await with_book(desk, *BOOK_LINES)
    for query, numbers in (
        ("view=above", ["00000003", "00000002", "00000001"]),
        ("view=worse", ["00000003", "00000002"]),
        ("view=held", ["00000002"]),
        ("view=failed", ["00000003"]),
        ("band=none", ["00000004"]),
        ("q=c2", ["00000002"]),
        ("q=gone", ["00000003"]),
        ("order=exposure&band=A", ["00000001", "00000005"]),
        ("list=pf_other", []),
        ("view=due", []),
        ("view=x&order=x&page=99999&band=Z&section=%20", []),
    ):
        exported = (await reader.get(f"{BOOK}.csv?{query}")).body.decode()
        assert [each["company_number"] for each in csv.DictReader(io.StringIO(exported))] == numbers, query
        assert (await reader.get(f"{BOOK}?{query}")).status == 200, query


async def test_the_accounts_that_are_not_matched_are_those_of_the_list_that_is_shown(desk: Desk) -> None:
    reader, owner = await desk.reader(), desk.deployment.application.client_id
    await with_book(desk, *BOOK_LINES)
    await desk.store.save_portfolio(Portfolio("p1", owner, "Others", NOW), NOW)
    upload = LedgerUpload("up1", "p1", "ledger.csv", "00", "ada", NOW, ("Name",))
    await desk.store.keep_ledger(upload, b"lines")
    taken = msgspec.structs.replace(upload, version=2, state="taken")
    await desk.store.take_ledger(taken, lambda _before, _watched: Merged((customer(),), 1, 0, 0), NOW)
    said = "account in your ledgers is not matched to a company"
    assert [said in text_of(await reader.get(BOOK + query)) for query in ("", "?list=p1", "?list=pf_book")] == [
        True,
        True,
        False,
    ]


async def test_a_band_fell_if_it_is_a_worse_one_now_or_gone_after_a_failure(desk: Desk) -> None:
    reader = await desk.reader()
    failed = msgspec.structs.replace(GONE, band="", score=None)
    kept = [WatchedCompany(f"0000000{place}", exposure=100) for place in range(1, 5)]
    states = (
        observation(GONE, was="D"),
        observation(GONE, was="E"),
        observation(failed, was="E"),
        observation(failed, was=""),
    )
    await with_book(desk, *zip(kept, states, strict=True))
    exported = (await reader.get(f"{BOOK}.csv?view=worse&order=name")).body.decode()
    found = [each["company_number"] for each in csv.DictReader(io.StringIO(exported))]
    assert found == ["00000001", "00000003"]


async def test_the_book_of_another_application_is_not_shown(desk: Desk) -> None:
    await with_book(desk, *BOOK_LINES)
    other = await desk.reader("hedy", "credit:search", "credit:report", "credit:monitor")
    assert "There are no customers yet" in text_of(await other.get(BOOK))
    assert (await (await desk.reader("mary", "credit:search")).get(BOOK)).status == 403


async def test_names_and_references_of_the_book_are_text_and_nothing_else(desk: Desk) -> None:
    reader = await desk.reader()
    await with_book(desk, *BOOK_LINES)
    clean = elements_of(await reader.get(BOOK))
    hostile = Outline(HOSTILE, HOSTILE, "D", 20, 10, reservations=(Held("LOSS", HOSTILE),))
    kept = WatchedCompany("00000002", HOSTILE, 5, "GBP", HOSTILE)
    await with_book_again(desk, (kept, observation(hostile)))
    page = await reader.get(BOOK)
    assert page.status == 200
    assert elements_of(page) <= clean
    assert "\u202e" not in page.body.decode()


async def with_book_again(desk: Desk, customer: tuple[WatchedCompany, bytes]) -> None:
    kept, state = customer
    await desk.store.watch("pf_book", [kept], 50_000)
    await desk.store.record(1, [(kept.company, state)], [])


async def test_an_exposure_that_one_list_does_not_know_is_shown_as_the_least(desk: Desk) -> None:
    reader = await desk.reader()
    await with_book(desk, *BOOK_LINES[:2])
    other = await desk.store.portfolio("pf_book")
    assert other is not None
    await desk.store.save_portfolio(msgspec.structs.replace(other, id="pf_more", name="Watched"), 10)
    await desk.store.watch("pf_more", [WatchedCompany("00000001")], 10)
    page = text_of(await reader.get(BOOK))
    assert page.count("at least £60,000") == 2  # greatest exposures, and the list
    assert "WEAK LIMITED at least £64,000" in page  # the group of both
    assert "£64,000 unknown for 1 of 2 customers" in page
    exported = await reader.get(f"{BOOK}.csv")
    (row,) = (
        each for each in csv.DictReader(io.StringIO(exported.body.decode())) if each["company_number"] == "00000001"
    )
    assert (row["exposure"], row["exposure_is_least"]) == ("60000", "yes")


async def test_what_is_left_below_a_limit_is_unknown_while_the_exposure_is_the_least(desk: Desk) -> None:
    """The limit is 50,000: 60,000 are above it in any case, of 40,000 the list that knows no exposure may have the rest."""
    reader = await desk.reader()
    await with_book(
        desk, BOOK_LINES[0], (WatchedCompany("00000002", "C2", exposure=40_000), observation(SOUND, was="A"))
    )
    other = await desk.store.portfolio("pf_book")
    assert other is not None
    await desk.store.save_portfolio(msgspec.structs.replace(other, id="pf_more", name="Watched"), 10)
    await desk.store.watch("pf_more", [WatchedCompany("00000001"), WatchedCompany("00000002")], 10)
    exported = await reader.get(f"{BOOK}.csv")
    found = [(each["headroom"], each["above_limit"]) for each in csv.DictReader(io.StringIO(exported.body.decode()))]
    assert sorted(found) == [("", ""), ("0", "10000")]
