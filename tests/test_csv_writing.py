"""Cells of CSV: none is a formula for a spreadsheet, and each can be read back as it was (OWASP, CSV injection)."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from credence.csv_writing import csv_of, without_marks
from tests.sweeps import sweep

SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""The first characters that OWASP names: plain, control and full-width."""


def written(cell: object) -> str:
    return next(csv.reader(io.StringIO(csv_of([("a", cell)]).decode(), newline="")))[1]


@pytest.mark.parametrize("sign", SIGNS)
def test_no_text_begins_like_a_formula(sign: str) -> None:
    assert written(f"{sign}1+1") == f"'{sign}1+1"


@pytest.mark.parametrize("cell", ["'=1+1", "''=1+1", "'", "it's", "'tis", "1-1", "", *(f"{sign}A1" for sign in SIGNS)])
def test_every_cell_can_be_read_back(cell: str) -> None:
    assert without_marks(written(cell)) == cell


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@given(st.lists(st.text("=+-@;|,\"' \t\r\na1\uff1d", max_size=12), min_size=1, max_size=3))
@sweep(100)
def test_no_cell_is_a_formula_at_whatever_sign_a_spreadsheet_divides(delimiter: str, cells: list[str]) -> None:
    """The attack: `Acme;=HYPERLINK(…)` as the name of a company, opened by a spreadsheet in German or French."""
    text = csv_of([cells]).decode()
    for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
        for each in row:
            assert not each.lstrip(' "\t\r\n').startswith(("=", "+", "-", "@", "\uff1d")), (delimiter, text, row)
    (back,) = csv.reader(io.StringIO(text, newline=""))
    assert [without_marks(each) for each in back] == cells


def test_a_text_after_a_semicolon_is_marked_where_it_would_begin() -> None:
    assert csv_of([["Acme;=1+1", "a; b", 'x;"=1"', "no=sign"]]) == b'Acme;\'=1+1,a; b,"x;\'""=1""",no=sign\r\n'


def test_a_number_below_zero_stays_a_number_and_no_value_is_an_empty_cell() -> None:
    assert [written(-5), written(None)] == ["-5", ""]
