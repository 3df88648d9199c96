"""Ledgers that attack the service, over HTTP: each is refused in words, or is text and nothing else where it comes out."""

import csv
import io
from collections.abc import Callable

import pytest

from credence.monitoring.ledger.reading import MAX_FILE_OCTETS
from tests.deployment import Deployment
from tests.monitoring.test_hostile_ledgers import CELLS, SHEET, bomb, sheet_of, workbook
from tests.monitoring_calls import call, portfolio
from tests.workbench.conftest import PLAIN, Desk, desk, loaded_names, text_of
from tests.workbench.test_ledgers import chosen, uploaded
from tests.workbench.test_lists import with_list

__all__ = ["desk", "loaded_names"]

REFERENCE = "=HYPERLINK(1)"
MARKUP = 'Smith & "Sons" <zz'
"""Markup that no rule on patterns refuses (D17); that of scripts is."""


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: b"Name,Balance\n" + b"A,1\n" * 1_000_000, "more than 50,000 lines"),
        (lambda: b"Name,Balance" + b",x" * 200 + b"\nA,1\n", "202 columns"),
        (lambda: b'Name,Balance\n"The "Best" Ltd",2\n', "a quotation mark is inside a cell"),
        (bomb, "too large when it is unpacked"),
        (lambda: workbook({SHEET: sheet_of(f"<row>{CELLS}</row>")}), "too large when it is unpacked"),
        (lambda: b"\x00" * 1_000, ""),
    ],
    ids=["million-lines", "wide", "nested-quote", "bomb", "cells", "nuls"],
)
async def test_a_hostile_file_is_refused_in_words_and_stores_nothing(
    deployment: Deployment, make: Callable[[], bytes], said: str
) -> None:
    content = make()
    assert len(content) <= MAX_FILE_OCTETS
    made = await portfolio(deployment)
    refused = await call(deployment, "POST", f"{made}/ledgers", content, content_type="application/octet-stream")
    assert (refused.status, said in refused.json["detail"]) == (422, True), refused.body
    assert (await call(deployment, "GET", f"{made}/ledgers")).json["ledgers"] == []


async def test_a_file_beyond_the_limit_of_its_route_is_refused(deployment: Deployment) -> None:
    made = await portfolio(deployment)
    content = b"x" * (MAX_FILE_OCTETS + 1)
    refused = await call(deployment, "POST", f"{made}/ledgers", content, content_type="text/csv")
    assert refused.status == 401
    assert (await call(deployment, "GET", f"{made}/ledgers")).json["ledgers"] == []


async def test_a_heading_that_is_there_twice_is_chosen_by_neither_place(deployment: Deployment) -> None:
    made = await portfolio(deployment)
    content = b"Name,Balance,Balance\r\nPlain,1,2\r\n"
    sent = await call(deployment, "POST", f"{made}/ledgers", content, content_type="text/csv")
    assert sent.json["header"] == ["Name", "Balance", "Balance (column 3)"]
    assert sent.json["columns"] == [{"of": "name", "columns": ["Name"]}]
    take = f"{sent.headers['location']}/take"
    refused = await call(deployment, "POST", take, {"as_of": "2023-10-31"})
    assert (refused.status, "balance" in refused.json["detail"].lower()) == (422, True)
    chosen_columns = [{"of": "name", "columns": ["Name"]}, {"of": "balance", "columns": ["Balance (column 3)"]}]
    taken = await call(deployment, "POST", take, {"as_of": "2023-10-31", "columns": chosen_columns})
    assert (taken.status, taken.json["total"]) == (200, 200)


async def test_a_name_that_turns_its_line_around_is_refused_with_its_line(deployment: Deployment) -> None:
    made = await portfolio(deployment)
    content = "Name,Balance\r\nPlain,1\r\n\u202eevil,2\r\n".encode()
    sent = await call(deployment, "POST", f"{made}/ledgers", content, content_type="text/csv")
    refused = await call(deployment, "POST", f"{sent.headers['location']}/take", {"as_of": "2023-10-31"})
    assert refused.status == 422
    assert "Line 3, Name: The text has characters that cannot be shown." in refused.json["detail"]


async def test_a_stray_zero_character_is_refused_with_its_line(deployment: Deployment) -> None:
    made = await portfolio(deployment)
    content = b"Name,Balance\nA,1\nB\x00,1\n"
    refused = await call(deployment, "POST", f"{made}/ledgers", content, content_type="text/csv")
    assert refused.status == 422
    assert "Line 3 has a character that is not text. Remove it, or save the file again" in refused.json["detail"]
    assert (await call(deployment, "GET", f"{made}/ledgers")).json["ledgers"] == []


async def test_markup_and_formulas_of_a_ledger_are_text_on_every_page_and_in_every_export(desk: Desk) -> None:
    reader = await desk.reader()
    address = await with_list(reader)
    lines = [["Ref", "Name", "Company number", "Balance"], [REFERENCE, MARKUP, PLAIN, "5"], ["U1", MARKUP, "", "7"]]
    written = io.StringIO()
    csv.writer(written).writerows(lines)
    scripts = await uploaded(reader, address, written.getvalue().replace("Smith", "<script>alert(1)</script>").encode())
    shown = await reader.get(scripts)
    assert "<script>alert" not in shown.body.decode()
    refused = await reader.do(scripts, "take", **chosen(shown), as_of="2023-10-31")
    assert "patterns that are not allowed" in text_of(refused)
    page = await uploaded(reader, address, written.getvalue().encode())
    shown = await reader.get(page)
    assert "<zz" not in shown.body.decode()
    done = await reader.do(page, "take", **chosen(shown), as_of="2023-10-31")
    assert "Taken: 2 customers" in text_of(done)
    for path in (f"{address}/matching", f"{address}/matching?state=number", address, "/workbench/book", page):
        body = (await reader.get(path)).body.decode()
        assert "<zz" not in body, path
    for path in ("/workbench/book.csv", f"{address}/companies.csv"):
        exported = (await reader.get(path)).body.decode("utf-8-sig")
        cells = [cell for row in csv.reader(io.StringIO(exported)) for cell in row]
        assert f"'{REFERENCE}" in cells, path
        assert not [cell for cell in cells if cell[:1] in ("=", "+", "@")], path
