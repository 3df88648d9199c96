"""Ledgers that attack the reader: large, broken, or built to be unpacked; each is refused with its cure, or inert."""

import io
import zipfile
from collections.abc import Callable, Mapping

import openpyxl
import pytest

from credence.errors import UnusableContent
from credence.monitoring.ledger.accounts import Accounts, Choice, accounts_of
from credence.monitoring.ledger.amounts import amount_of
from credence.monitoring.ledger.columns import heading_of
from credence.monitoring.ledger.reading import MAX_FILE_OCTETS, read_table
from credence.monitoring.ledger.table import MAX_CELL

SHEET = "xl/worksheets/sheet1.xml"


def workbook(changed: Mapping[str, bytes] | None = None, *rows: list[object]) -> bytes:
    """Return a workbook whose parts are replaced by others."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows or (["Ref", "Name", "Balance"], ["P1", "Plain", 1]):
        sheet.append(row)
    saved, made = io.BytesIO(), io.BytesIO()
    book.save(saved)
    with zipfile.ZipFile(saved) as archive, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as changing:
        for name in {*archive.namelist(), *(changed or {})}:
            changing.writestr(name, (changed or {}).get(name) or archive.read(name))
    return made.getvalue()


def sheet_of(rows: str, head: str = "") -> bytes:
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return f'<?xml version="1.0"?>{head}<worksheet xmlns="{space}"><sheetData>{rows}</sheetData></worksheet>'.encode()


def strings_of(strings: str) -> bytes:
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return f'<?xml version="1.0"?><sst xmlns="{space}">{strings}</sst>'.encode()


def accounts(text: str) -> Accounts:
    lines = read_table(text.encode()).lines
    heading = heading_of(lines)
    return accounts_of(lines[heading.place + 1 :], heading.names, Choice(heading.columns))


def bomb() -> bytes:
    """Return a small file with a cell of 200 MB."""
    return workbook({SHEET: sheet_of("<row><c><v>" + "0" * 200_000_000 + "</v></c></row>")})


CELLS = "<c/>" * 1_000_000
NESTED = "<row><row/></row>" + "<row>" + "<row/><c/>" * 400_000 + "</row>"
STRINGS = "xl/sharedStrings.xml"
LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: b"x" * (MAX_FILE_OCTETS + 1), "larger than 10 MB"),
        (lambda: b"Name,Balance\n" + b"A,1\n" * 51_000, "more than 50,000 lines"),
        (lambda: b"Name,Balance" + b",x" * 200 + b"\nA,1\n", "Line 1 has 202 columns"),
        (lambda: b'Name,Balance\nA,1\n"B,2\nC,3\n', "Line 3: a quotation mark is not closed"),
        (lambda: b'Name,Balance\nA,1\n"The "Best" Ltd",2\n', "Line 3: a quotation mark is inside a cell"),
        (lambda: b"\n\n\n", "empty"),
        (bomb, "too large when it is unpacked"),
        (lambda: workbook({SHEET: sheet_of(f"<row>{CELLS}</row>")}), "too large when it is unpacked"),
        (lambda: workbook({SHEET: sheet_of(NESTED)}), "too large when it is unpacked"),
        (lambda: workbook({SHEET: sheet_of(CELLS)}), "too large when it is unpacked"),
        (lambda: workbook({STRINGS: strings_of(f"<si>{CELLS}</si>")}), "too large when it is unpacked"),
        (lambda: workbook({STRINGS: strings_of("<si/>" * 500_001)}), "too large when it is unpacked"),
        (lambda: workbook({SHEET: sheet_of("<row><c><v>1</v></c></row>", LAUGHS)}), "cannot be read"),
        (lambda: workbook({SHEET: b"<worksheet"}), "cannot be read"),
        (lambda: workbook({SHEET: sheet_of("<row/>").decode().encode("utf-16")}), "cannot be read"),
        (lambda: workbook({}, ["Name", "Balance", *["x"] * 200], ["A", 1]), "columns, more than 200"),
    ],
    ids=[
        *("10MB", "lines", "columns", "open-quote", "nested-quote", "empty", "bomb", "row", "nested-rows", "no-row"),
        *("string", "strings", "laughs", "cut", "utf16", "wide"),
    ],
)
def test_a_file_that_would_cost_too_much_or_cannot_be_read_is_refused_with_its_cure(
    make: Callable[[], bytes], said: str
) -> None:
    """The files are made here: each process that runs tests imports this file."""
    content = make()
    with pytest.raises(UnusableContent, match=said):
        read_table(content)


def test_a_cell_at_the_end_of_a_sheet_makes_no_lines_between() -> None:
    first = '<row r="1"><c r="A1" t="inlineStr"><is><t>Name</t></is></c></row>'
    far = sheet_of(first + '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')
    assert len(read_table(workbook({SHEET: far})).lines) == 1
    with pytest.raises(UnusableContent, match="empty"):
        read_table(workbook({SHEET: sheet_of('<row r="99999999999"><c r="A99999999999"><v>1</v></c></row>')}))


def test_a_formula_is_text_or_the_value_that_was_saved_with_it() -> None:
    formula = '<row><c t="str"><f>HYPERLINK("http://x")</f><v>Plain</v></c><c><f>1+1</f><v>2</v></c></row>'
    assert read_table(workbook({SHEET: sheet_of(formula)})).lines[0].cells == ["Plain", "2"]
    found = accounts('Name,Balance\n"=HYPERLINK(""http://x"")",5\n')
    assert [each.name for each in found.accounts] in ([], ['=HYPERLINK("http://x")'])


def test_a_long_cell_is_cut_and_is_no_name() -> None:
    assert len(read_table(b"Name\n" + b"x" * 100_000).lines[1].cells[0]) == MAX_CELL
    found = accounts("Name,Balance\n" + "x" * 1_000 + ",1\n")
    assert [(each.line, each.column) for each in found.faults] == [(2, "Name")]


def test_every_unreadable_cell_is_named_with_line_column_and_cure() -> None:
    text = "Ref,Name,Company number,Balance,30 days\nA1,Plain,not one,1.00,\n,Nameless,,x,1.234\nA1,Other,,5,--1\n"
    found = accounts(text)
    assert found.accounts == ()
    assert [(each.line, each.column) for each in found.faults] == [
        (2, "Company number"),
        (3, "Ref"),
        (3, "Balance"),
        (3, "30 days"),
        (4, "30 days"),
    ]
    assert all(each.reason.endswith(".") for each in found.faults)


def test_one_reference_for_two_customers_is_a_fault_that_names_both_lines() -> None:
    (fault,) = accounts("Ref,Name,Balance\nA1,Plain,1\nA1,Other,2\n").faults
    assert (fault.line, fault.column) == (3, "Name")
    assert "Line 2" in fault.reason


@pytest.mark.parametrize(
    ("text", "decimal", "pence"),
    [
        ("£12,500.50", ".", 1_250_050),
        ("12500.5", ".", 1_250_050),
        ("-£45.10", ".", -4_510),
        ("£-45.10", ".", -4_510),
        ("(1,234.00)", ".", -123_400),
        ("45.10-", ".", -4_510),
        ("45.10 CR", ".", -4_510),
        ("Cr 45.10", ".", -4_510),
        ("45.10 DR", ".", 4_510),
        ("\u221245.10", ".", -4_510),
        ("1\u00a0234.5", ".", 123_450),
        ("1'234.50", ".", 123_450),
        ("GBP 7", ".", 700),
        (".5", ".", 50),
        ("0", ".", 0),
        ("", ".", None),
        ("-", ".", None),
        ("£ -", ".", None),
        ("1.234,56", ",", 123_456),
        ("1.234", ",", 123_400),
        ("12,5-", ",", -1_250),
    ],
)
def test_an_amount_in_each_form_of_accounting_programs(text: str, decimal: str, pence: int | None) -> None:
    assert amount_of(text, "," if decimal == "," else ".") == pence


@pytest.mark.parametrize(
    "text", ["1.234.56", "12,50", "1,23", "abc", "1.005", "()", "(-5)", "5-CR", "1e9", "٣", "9" * 30, "--5", "NaN"]
)
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        amount_of(text)


def test_pence_are_whole() -> None:
    assert amount_of("1,250", in_hundredths=True) == 1_250
    with pytest.raises(ValueError, match="whole"):
        amount_of("12.50", in_hundredths=True)
