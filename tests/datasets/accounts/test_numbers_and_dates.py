"""Numbers and dates of tagged texts (Inline XBRL 1.1 §10; credit §3.2)."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from credence.datasets.sources.accounts.contexts import iso_date, read_date
from credence.datasets.sources.accounts.numbers import decode


@pytest.mark.parametrize(
    ("text", "form", "scale", "sign", "number"),
    [
        ("1,234", "numcommadot", "", "", 1234),
        ("1,234", "numdotdecimal", "3", "", 1_234_000),
        ("1,234.5", "num-dot-decimal", "", "-", -1234.5),
        ("1.234,5", "numcommadecimal", "", "", 1234.5),
        ("1.234,5", "numdotcomma", "", "", 1234.5),
        ("1 234,5", "numspacecomma", "", "", 1234.5),
        ("1 234.5", "numspacedot", "0", "", 1234.5),
        ("\n  12,3 ", "numcomma", "", "", 12.3),
        ("25", "numdotdecimal", "-2", "", 0.25),
        ("-", "numdash", "", "", 0),
        ("\u2014", "zerodash", "3", "", 0),
        ("nil", "fixed-zero", "", "", 0),
        ("-17436", "", "", "", -17436),
        ("17436.00", "", "", "", 17436),
    ],
)
def test_format_scale_and_sign_give_the_number(text: str, form: str, scale: str, sign: str, number: float) -> None:
    """Credit §3.2."""
    assert decode(text, form, scale, sign) == number


@pytest.mark.parametrize(
    ("text", "form", "scale", "sign"),
    [
        ("", "", "", ""),
        ("-", "", "", ""),
        ("(5)", "numdotdecimal", "", ""),
        ("1,234", "", "", ""),
        ("1e5", "", "", ""),
        ("five", "numwordsen", "", ""),
        ("\u0665", "", "", ""),
        ("1", "", "99", ""),
        ("1", "", "x", ""),
        ("1", "", "", "+"),
        ("9" * 16, "", "", ""),
        ("9" * 100_000, "", "", ""),
        ("NaN", "", "", ""),
    ],
)
def test_a_text_that_is_no_number_of_its_format_is_none(text: str, form: str, scale: str, sign: str) -> None:
    assert decode(text, form, scale, sign) is None


@given(st.integers(-(10**15) + 1, 10**15 - 1), st.sampled_from(["numdotdecimal", "numcommadot"]))
def test_every_amount_survives_being_written_with_separators(amount: int, form: str) -> None:
    assert decode(f"{abs(amount):,}", form, "", "-" if amount < 0 else "") == amount


@given(st.text(max_size=60), st.text(max_size=20), st.text(max_size=4), st.text(max_size=2))
def test_no_text_does_harm(text: str, form: str, scale: str, sign: str) -> None:
    number = decode(text, form, scale, sign)
    assert number is None or abs(number) < 10**15


@pytest.mark.parametrize(
    "text",
    [
        "2025-03-31",
        "31 March 2025",
        "31st March 2025",
        "31 MAR 2025",
        "31/03/2025",
        "31.3.25",
        "31-03-2025",
        "March 31, 2025",
    ],
)
def test_a_date_is_read_in_every_form_that_filings_use(text: str) -> None:
    assert read_date(text) == dt.date(2025, 3, 31)


@pytest.mark.parametrize(
    "text", ["", "31 February 2025", "31/13/2025", "2025", "31 Mumble 2025", "9" * 1000, "0000-01-01"]
)
def test_an_impossible_date_is_none(text: str) -> None:
    assert read_date(text) is None


@given(st.dates())
def test_an_iso_date_is_itself(day: dt.date) -> None:
    assert iso_date(day.isoformat()) == day
