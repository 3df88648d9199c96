"""Ledgers in the workbench: uploaded, their columns chosen, taken as a whole or not at all."""

import re

import pytest

from credence.operations.ledgers import MAX_WAITING
from credence.store.customers import Owed
from credence.store.ledger_uploads import KEPT_MS
from tests.deployment import Reply
from tests.workbench.conftest import OTHER, PLAIN, Desk, text_of
from tests.workbench.test_files import upload
from tests.workbench.test_lists import with_list

LEDGER = (
    "A/C,Customer name,Company number,Postcode,Balance,Current,1-30,Older\r\n"
    f'P1,Plain Trading,{PLAIN},LS1 1AA,"£12,500.50",12000.00,500.50,\r\n'
    f"O1,Other Trading,{OTHER},,(45.10),-45.10,,\r\n"
    "U1,Unknown & Sons,,,99.99,,,99.99\r\n"
).encode()


async def uploaded(reader: Desk, address: str, file: bytes = LEDGER) -> str:
    """Upload a ledger and return the address of the page on which its columns are chosen."""
    sent = await upload(reader, f"{address}/ledger", "upload", file)
    assert sent.status == 303, text_of(sent)
    return dict(sent.headers)["location"]


def chosen(page: Reply) -> dict[str, str]:
    """Return the selected value of each choice of a page."""
    selects = re.findall(r'<select[^>]*name="(\w+)"[^>]*>(.*?)</select>', page.body.decode(), re.DOTALL)
    found = {name: re.findall(r'<option value="([^"]*)" selected', options) for name, options in selects}
    return {name: values[0] for name, values in found.items() if values and values[0]}


async def test_a_ledger_is_taken_into_the_book_with_the_columns_that_the_page_shows(desk: Desk) -> None:
    reader = await desk.reader()
    address = await with_list(reader)
    page = await uploaded(reader, address)
    shown = await reader.get(page)
    assert "£12,500.50" in text_of(shown)
    choice = chosen(shown)
    assert {choice[name] for name in ("reference", "name", "balance", "over_90")} == {
        "A/C",
        "Customer name",
        "Balance",
        "Older",
    }
    taken = await reader.do(page, "take", **choice, as_of="2023-10-31", in_currency="GBP")
    assert "Taken: 3 customers on 3 lines." in text_of(taken)
    portfolio = address.rpartition("/")[2]
    kept = await desk.store.customers(portfolio)
    assert [(each.reference, each.company, each.owed) for each in kept] == [
        ("O1", OTHER, Owed(-4_510, -4_510, 0, None, None, 0)),
        ("P1", PLAIN, Owed(1_250_050, 1_200_000, 50_050, None, None, 0)),
        ("U1", "", Owed(9_999, 0, 0, None, None, 9_999)),
    ]
    watched = await desk.store.watched(portfolio, "", 10)
    assert [(each.company, each.exposure) for each in watched] == [(PLAIN, 12_501), (OTHER, 0)]
    assert f'href="{address}/matching"' in (await reader.get(page)).body.decode()
    assert "in the book" in text_of(await reader.get(f"{address}/ledger"))
    again = await reader.do(f"{address}/ledger/{page.rpartition('/')[2]}", "take", **choice, as_of="2023-10-31")
    assert again.status == 422
    assert "taken already" in text_of(again)


async def test_one_unreadable_cell_keeps_the_whole_ledger_out_and_is_named(desk: Desk) -> None:
    reader = await desk.reader()
    address = await with_list(reader)
    page = await uploaded(reader, address, LEDGER.replace(b"99.99,,", b"ninety,,"))
    choice = chosen(await reader.get(page))
    refused = await reader.do(page, "take", **{**choice, "over_90": ""}, as_of="2023-10-31")
    assert refused.status == 422
    text = text_of(refused)
    assert "One cell cannot be read, so nothing was taken" in text
    assert "4 Balance This is not an amount. Correct it, such as 12500.50" in text
    assert await desk.store.customers(address.rpartition("/")[2]) == []
    assert "over_90" not in chosen(refused)  # what the person chose is kept


async def test_columns_that_a_person_chose_are_remembered_for_the_next_file(desk: Desk) -> None:
    reader = await desk.reader()
    address = await with_list(reader)
    file = b"Kunde;Firma;Offen\r\nK1;Plain;1.250,50\r\n"
    page = await uploaded(reader, address, file)
    assert {"name", "balance", "reference"}.isdisjoint(chosen(await reader.get(page)))
    names = {"reference": "Kunde", "name": "Firma", "balance": "Offen"}
    done = await reader.do(page, "take", **names, as_of="2023-10-31", in_currency="EUR", decimal=",")
    assert "Taken: 1 customer on 1 line." in text_of(done)
    more = await reader.get(await uploaded(reader, address, file.replace(b"Offen", b"Offen;Ort")))
    assert chosen(more).items() >= {**names, "decimal": ","}.items()
    (kept,) = await desk.store.customers(address.rpartition("/")[2])
    assert (kept.owed.balance, kept.currency) == (125_050, "EUR")


async def test_the_total_of_a_ledger_leaves_out_balances_in_other_currencies(desk: Desk) -> None:
    reader = await desk.reader()
    address = await with_list(reader)
    page = await uploaded(reader, address, b"Ref,Name,Currency,Balance\r\nA,Plain,GBP,12.50\r\nB,Other,EUR,900\r\n")
    await reader.do(page, "take", **chosen(await reader.get(page)), as_of="2023-10-31")
    (ledger,) = await desk.store.ledger_uploads(address.rpartition("/")[2], 10)
    assert (ledger.total, ledger.currency) == (1_250, "GBP")


async def test_customers_missing_in_the_next_ledger_owe_nothing_unless_the_person_keeps_them(desk: Desk) -> None:
    reader = await desk.reader()
    address = await with_list(reader)
    portfolio = address.rpartition("/")[2]
    for absent, balance in (("kept", 9_999), ("settled", 0)):
        for file in (LEDGER, b"\n".join(LEDGER.splitlines()[:3])):
            page = await uploaded(reader, address, file)
            choice = chosen(await reader.get(page))
            await reader.do(page, "take", **{**choice, "absent": absent}, as_of="2023-10-31")
        gone = await desk.store.customer(portfolio, "U1")
        assert gone is not None
        assert gone.owed.balance == balance


@pytest.mark.parametrize(
    "file", [b"", b"\x00\x01\x02" * 50, b"PK\x03\x04 no archive", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"]
)
async def test_a_file_that_is_no_ledger_is_refused_next_to_its_field(desk: Desk, file: bytes) -> None:
    reader = await desk.reader()
    address = await with_list(reader)
    refused = await upload(reader, f"{address}/ledger", "upload", file)
    assert refused.status == 422
    assert 'id="upload-file-wrong"' in refused.body.decode()


async def test_a_ledger_of_another_application_does_not_exist(desk: Desk) -> None:
    reader, stranger = await desk.reader(), await desk.reader("mallory", "credit:monitor")
    page = await uploaded(reader, await with_list(reader))
    own = await with_list(stranger)
    assert (await stranger.get(page)).status == 404
    assert (await stranger.get(f"{own}/ledger/{page.rpartition('/')[2]}")).status == 404


async def test_an_older_ledger_replaces_a_newer_one_only_if_the_person_says_so(desk: Desk) -> None:
    reader = await desk.reader()
    address = await with_list(reader)
    portfolio = address.rpartition("/")[2]
    page = await uploaded(reader, address)
    await reader.do(page, "take", **chosen(await reader.get(page)), as_of="2023-10-31")
    older = await uploaded(reader, address, LEDGER.replace(b"99.99", b"77.77"))
    choice = chosen(await reader.get(older))
    refused = await reader.do(older, "take", **choice, as_of="2023-10-30")
    assert "from a ledger of 31 October 2023, a later day" in text_of(refused)
    customer = await desk.store.customer(portfolio, "U1")
    assert customer is not None
    assert customer.owed.balance == 9_999
    done = await reader.do(older, "take", **choice, as_of="2023-10-30", replaces_newer="1")
    assert "Taken: 3 customers" in text_of(done)
    customer = await desk.store.customer(portfolio, "U1")
    assert customer is not None
    assert customer.owed.balance == 7_777


async def test_a_list_keeps_a_bounded_number_of_ledgers_that_wait_for_their_columns(desk: Desk) -> None:
    reader = await desk.reader()
    address = await with_list(reader)
    pages = [await uploaded(reader, address) for _ in range(MAX_WAITING)]
    refused = await upload(reader, f"{address}/ledger", "upload", LEDGER)
    assert refused.status == 422
    assert f"{MAX_WAITING} ledgers of this portfolio wait" in text_of(refused)
    await reader.do(pages[0], "take", **chosen(await reader.get(pages[0])), as_of="2023-10-31")
    await uploaded(reader, address)
    desk.deployment.now += KEPT_MS
    await reader.browser.come("/workbench", "grace")
    await uploaded(reader, address)
