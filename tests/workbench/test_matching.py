"""Customers of a ledger are matched with companies in the workbench: candidates to accept, one or many."""

from credence.monitoring.ledger.matching import match_customers
from tests.workbench.conftest import OTHER, PLAIN, Desk, text_of
from tests.workbench.test_ledgers import chosen, uploaded
from tests.workbench.test_lists import with_list

LEDGER = (
    b"Ref,Customer name,Postcode,Balance\r\nA1,Plain Trading Ltd,LS1 1AA,100.00\r\nA2,Othr Trading plc,,200.00\r\n"
    b"A3,Xyzzy Sole Trader,,300.00\r\nA4,Plain Trading Limited,,50.00\r\n"
)


async def with_book(reader: Desk, file: bytes = LEDGER) -> str:
    """Take a ledger, search its customers, and return the address of the list."""
    address = await with_list(reader)
    page = await uploaded(reader, address, file)
    await reader.do(page, "take", **chosen(await reader.get(page)), as_of="2023-10-31")
    await searched(reader)
    return address


async def searched(reader: Desk) -> int:
    service = reader.deployment.service
    return await match_customers(service.authority.store, service.searches, service.clock)


async def companies(reader: Desk, address: str) -> dict[str, tuple[str, str]]:
    found = await reader.store.customers(address.rpartition("/")[2])
    return {each.reference: (each.company, each.state) for each in found}


async def test_sure_candidates_are_accepted_at_once_and_the_others_one_by_one(desk: Desk) -> None:
    reader = await desk.reader()
    address = await with_book(reader)
    page = f"{address}/matching"
    shown = text_of(await reader.get(page))
    assert "0 of 4 customers have a company" in shown
    assert "PLAIN TRADING LIMITED" in shown
    done = await reader.do(page, "accept-all", confidence="90")
    assert "2 accepted" in text_of(done)
    assert (await companies(reader, address)) == {
        "A1": (PLAIN, "accepted"),
        "A2": ("", "proposed"),
        "A3": ("", "none"),
        "A4": (PLAIN, "accepted"),
    }
    await reader.do(page, "choose", **{"company-0": OTHER})
    await reader.do(f"{page}?state=none", "choose", **{"company-0": "-"})
    assert (await companies(reader, address))["A2"] == (OTHER, "accepted")
    assert (await companies(reader, address))["A3"] == ("", "declined")
    watched = await desk.store.watched(address.rpartition("/")[2], "", 10)
    assert {each.company: each.exposure for each in watched} == {PLAIN: 150, OTHER: 200}


async def test_an_accepted_company_stays_with_the_next_ledger_and_a_new_name_is_searched(desk: Desk) -> None:
    reader = await desk.reader()
    address = await with_book(reader)
    await reader.do(f"{address}/matching", "accept-all", confidence="90")
    page = await uploaded(reader, address, LEDGER.replace(b"100.00", b"75.00").replace(b"A4,Plain", b"A4,Other"))
    await reader.do(page, "take", **chosen(await reader.get(page)), as_of="2023-11-01")
    found = await companies(reader, address)
    assert (found["A1"], found["A4"]) == ((PLAIN, "accepted"), ("", "waiting"))
    watched = await desk.store.watched(address.rpartition("/")[2], "", 10)
    assert {each.company: each.exposure for each in watched} == {PLAIN: 75}


async def test_a_number_that_is_none_changes_nothing(desk: Desk) -> None:
    reader = await desk.reader()
    address = await with_book(reader)
    refused = await reader.do(f"{address}/matching", "choose", **{"company-0": "not a number"})
    assert refused.status == 422
    assert {state for _, state in (await companies(reader, address)).values()} == {"proposed", "none"}
    nothing = await reader.do(f"{address}/matching", "choose")
    assert nothing.status == 422


async def test_customers_without_a_company_are_searched_again_on_request(desk: Desk) -> None:
    reader = await desk.reader()
    address = await with_book(reader)
    await reader.do(f"{address}/matching", "again")
    assert {state for _, state in (await companies(reader, address)).values()} == {"waiting"}
    assert "4 customers are still being compared" in text_of(await reader.get(f"{address}/matching"))
    assert await searched(reader) == 4
