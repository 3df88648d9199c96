"""Cells of CSV: none is a formula for a spreadsheet, and each can be read back as it was (OWASP, CSV injection)."""

import csv
import io

import pytest

from credence.csv_writing import csv_of, without_mark

SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""The first characters that OWASP names: plain, control and full-width."""


def written(cell: object) -> str:
    return next(csv.reader(io.StringIO(csv_of([("a", cell)]).decode(), newline="")))[1]


@pytest.mark.parametrize("sign", SIGNS)
def test_no_text_begins_like_a_formula(sign: str) -> None:
    assert written(f"{sign}1+1") == f"'{sign}1+1"


@pytest.mark.parametrize("cell", ["'=1+1", "''=1+1", "'", "it's", "'tis", "1-1", "", *(f"{sign}A1" for sign in SIGNS)])
def test_every_cell_can_be_read_back(cell: str) -> None:
    assert without_mark(written(cell)) == cell


def test_a_number_below_zero_stays_a_number_and_no_value_is_an_empty_cell() -> None:
    assert [written(-5), written(None)] == ["-5", ""]
