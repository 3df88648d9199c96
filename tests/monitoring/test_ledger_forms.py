"""Ledgers in the forms of four accounting programs, and what is recognised in them (tests/monitoring/ledgers/README.md)."""

import datetime as dt
import io
from pathlib import Path

import openpyxl
import pytest

from credence.monitoring.ledger.accounts import Account, Choice, accounts_of
from credence.monitoring.ledger.columns import day_of, heading_of
from credence.monitoring.ledger.reading import read_table
from credence.store.customers import Owed

LEDGERS = Path(__file__).parent / "ledgers"

EXPECTED = {
    "Plain Trading": Owed(125_050, 100_000, 25_050, 0, 0, 0),
    "Other Trading PLC": Owed(60_000, 0, 0, 50_000, 0, 10_000),
    "Café Éclair": Owed(-4_510, -4_510, 0, 0, 0, 0),
}


def read(content: bytes, **more: tuple[int, ...]) -> tuple[list[Account], dt.date | None]:
    lines = read_table(content).lines
    heading = heading_of(lines)
    found = accounts_of(lines[heading.place + 1 :], heading.names, Choice({**heading.columns, **more}))
    assert (found.faults, found.unequal) == ([], [])
    return list(found.accounts), day_of(lines, heading.place)


def owed(accounts: list[Account]) -> dict[str, Owed]:
    return {each.name.replace(",", "").removesuffix(" Ltd"): each.owed for each in accounts}


@pytest.mark.parametrize(
    ("file", "chosen", "references"),
    [
        ("sage.csv", {}, ["PLA001", "OTH001", "CAF001"]),
        ("xero.csv", {}, ["PLA001", "OTH001", "CAF001"]),
        ("quickbooks.csv", {"name": (0,)}, ["Plain Trading Ltd", "Other Trading PLC", "Café Éclair"]),
        ("sap.txt", {}, ["0000100001", "0000100002", "0000100003"]),
    ],
)
def test_a_ledger_of_an_accounting_program_is_read_as_it_is(
    file: str, chosen: dict[str, tuple[int, ...]], references: list[str]
) -> None:
    accounts, day = read((LEDGERS / file).read_bytes(), **chosen)
    assert owed(accounts) == EXPECTED
    assert [each.reference for each in accounts] == references
    assert file == "sap.txt" or day == dt.date(2026, 10, 31)


def test_a_column_without_a_heading_is_not_taken_by_its_place() -> None:
    assert "name" not in heading_of(read_table((LEDGERS / "quickbooks.csv").read_bytes()).lines).columns


@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_every_encoding_of_spreadsheets_is_read(coding: str) -> None:
    text = (LEDGERS / "xero.csv").read_text(encoding="utf-8")
    assert owed(read(text.encode(coding))[0]) == EXPECTED


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_every_usual_delimiter_is_recognised_and_a_named_one_counts(delimiter: str) -> None:
    rows = [["Name", "Account ref", "Balance"], ["Plain Trading Ltd", "P1", "12,50"], ["Other PLC", "O1", "1.000,75"]]
    text = "\r\n".join(delimiter.join(f'"{cell}"' for cell in row) for row in rows)
    for written in (text, f"sep={delimiter}\r\n{text}"):
        accounts, _ = read(written.encode())
        assert [each.owed.balance for each in accounts] == [1_250, 100_075]


def test_a_workbook_has_values_dates_and_the_last_results_of_formulas() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (
        ["Aged debtors", dt.date(2026, 10, 31)],
        [],
        ["Account ref", "Customer name", "Amount due (£)", "Phone"],
        ["P1", "Plain Trading Ltd", 1250.5, 441134960000],
        ["O1", "Other Trading PLC", 0.1 + 0.2, None],
        ["F1", "Formula Ltd", "=1+1", None],
    ):
        sheet.append(row)
    saved = io.BytesIO()
    book.save(saved)
    accounts, day = read(saved.getvalue())
    assert day == dt.date(2026, 10, 31)
    assert [(each.reference, each.owed.balance) for each in accounts] == [("P1", 125_050), ("O1", 30), ("F1", 0)]


def test_lines_of_one_account_are_added() -> None:
    accounts, _ = read(b"Ref,Name,Due,Current,30 days\nP1,Plain,100.00,60.00,40.00\nP1,Plain,50.00,,50.00\n")
    assert [(each.owed.balance, each.owed.days_30) for each in accounts] == [(15_000, 9_000)]
