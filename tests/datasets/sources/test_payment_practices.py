"""The reports of large companies on how they pay (credit §4.3). The files are written by hand."""

import datetime as dt
from pathlib import Path

import pytest

from credence.companies.facts.events import PaymentPractice
from credence.datasets.sources.source import LoadError
from tests.datasets.sources.acts import facts, read, reasons
from tests.datasets.sources.hand_written import NARROW, WIDE, practice, practices, write

EXPECTED = PaymentPractice(
    id="1",
    start=dt.date(2025, 1, 1),
    end=dt.date(2025, 6, 30),
    filed=dt.date(2025, 7, 20),
    average_days=37,
    within_30_days=50,
    from_31_to_60_days=40,
    after_60_days=10,
    not_within_terms=30,
    shortest_terms=30,
    longest_terms=60,
)


@pytest.mark.parametrize("header", [NARROW, WIDE], ids=["23 columns", "the layout of 2025"])
def test_both_layouts_read_alike(tmp_path: Path, header: tuple[str, ...]) -> None:
    """The file begins with a byte-order mark, as the published one does."""
    assert facts("payment-practices", practices(tmp_path / "p.csv", practice(), header=header)) == [EXPECTED]


def test_a_quoted_cell_may_hold_commas_and_lines(tmp_path: Path) -> None:
    row = practice(Company='PLACEHOLDER "A",\nLIMITED', URL="x\r\ny")
    assert facts("payment-practices", practices(tmp_path / "p.csv", row, practice(**{"Report Id": "2"})))[0] == EXPECTED


def test_an_empty_cell_is_unknown_and_no_zero(tmp_path: Path) -> None:
    row = practice(**{"Average time to pay": "", "% Invoices paid later than 60 days": "0"})
    (found,) = facts("payment-practices", practices(tmp_path / "p.csv", row))
    assert (found.average_days, found.after_60_days) == (None, 0)


@pytest.mark.parametrize(
    ("column", "cell", "reason"),
    [
        ("Average time to pay", "4323394", "number.unreadable"),
        ("Average time to pay", "-3", "number.unreadable"),
        ("% Invoices paid within 30 days", "101", "number.unreadable"),
        ("% Invoices paid within 30 days", "nan", "number.unreadable"),
        ("Filing date", "2025-02-30", "date.unreadable"),
    ],
)
def test_a_figure_that_cannot_be_is_unknown_and_counted(tmp_path: Path, column: str, cell: str, reason: str) -> None:
    assert reasons("payment-practices", practices(tmp_path / "p.csv", practice(**{column: cell}))) == [reason]


def test_rows_without_a_company_or_with_other_columns_are_refused(tmp_path: Path) -> None:
    file = practices(tmp_path / "p.csv", practice(**{"Company number": "?"}), practice(**{"Report Id": ""}))
    file.write_text(file.read_text() + "1,2,3\r\n")
    assert reasons("payment-practices", file) == ["number.malformed", "id.missing", "row.columns"]


def test_a_file_that_ends_in_the_middle_of_a_row_is_cut_off(tmp_path: Path) -> None:
    """All of it replaces what is held, so a piece would say "no report" of the companies in the rest."""
    file = practices(tmp_path / "p.csv", practice(), practice(**{"Report Id": "2"}))
    file.write_text(file.read_text()[:-40])
    with pytest.raises(LoadError, match=r"p.csv is cut off"):
        read("payment-practices", file)


def test_another_csv_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        LoadError, match=r"other.csv is not a file of payment practices: it lacks the columns Report Id"
    ):
        read("payment-practices", write(tmp_path / "other.csv", "a,b\n1,2\n"))
