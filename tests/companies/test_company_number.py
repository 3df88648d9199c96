"""The company number (D19, credit §2.1)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it ships no types

from credence.companies.number import SCHEMA, normalise
from credence.refusals.credit import COMPANY_NUMBER_MALFORMED
from credence.refusals.refusal import Refused


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("1234567", "01234567"),
        ("1", "00000001"),
        ("01234567", "01234567"),
        ("sc1234", "SC001234"),
        ("SC436674", "SC436674"),
        (" sc 43 66 74 ", "SC436674"),
        ("r012", "R0000012"),
        ("IP00261C", "IP00261C"),
        ("ip261c", "IP00261C"),
        ("sp2738rs", "SP2738RS"),
        ("oe1", "OE000001"),
    ],
)
def test_a_number_is_written_as_the_register_writes_it(said: str, meant: str) -> None:
    assert normalise(said) == meant


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        (" \t", "empty"),
        ("012345678", "length"),
        ("SC0123456", "length"),
        ("0123-567", "characters"),
        ("SC_12345", "characters"),
        ("SC'--", "characters"),
        ("١٢٣٤", "characters"),
        ("\u017fC1234", "characters"),  # its upper case is a plain S
        ("ß1234", "characters"),
        ("SC", "form"),
        ("XX123456", "form"),
        ("S0123456", "form"),
        ("SCABCDEF", "form"),
        ("1234567A", "form"),
        ("IP0261CCC", "length"),
        ("IP261CCC", "form"),
    ],
)
def test_another_form_is_refused(text: str, reason: str) -> None:
    with pytest.raises(Refused) as caught:
        normalise(text)
    assert caught.value.refusal.name == COMPANY_NUMBER_MALFORMED.name
    assert caught.value.reason == f"company_number.{reason}"


@given(st.from_regex(r" ?([A-Za-z]{0,2}|r0)[0-9]{1,6}[a-zA-Z]{0,2}", fullmatch=True) | st.text(max_size=10))
def test_normalising_twice_is_normalising_once_and_gives_eight_plain_characters(text: str) -> None:
    try:
        number = normalise(text)
    except Refused:
        return
    assert len(number) == 8
    assert number.isascii()
    assert number == number.upper()
    assert normalise(number) == number


@given(st.from_regex(r"([A-Za-z]{0,2}|r0)[0-9]{1,7}[a-zA-Z]{0,3}", fullmatch=True) | st.text(max_size=10))
def test_the_published_schema_describes_what_is_accepted_without_spaces(text: str) -> None:
    try:
        normalise(text)
    except Refused:
        accepted = False
    else:
        accepted = not any(map(str.isspace, text))
    assert Draft202012Validator(SCHEMA).is_valid(text) is accepted
