"""Names that are written as instructions, markup or links arrive harmless and can still be read."""

import unicodedata
from collections.abc import Iterable

import pytest

from credence.mcp.inert_text import LONGEST, inert, inert_values


@pytest.mark.parametrize(
    "name",
    ["TEST SPECIMEN TRADING LIMITED", "O'BRIEN & SONS (UK) LTD.", "CAFÉ \u00c5NGSTR\u00d6M LTD", "4-2-1 MOTORS, LEEDS"],
)
def test_an_ordinary_name_is_unchanged(name: str) -> None:
    assert inert(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "<script>alert(1)</script> LTD",
        "[pay here](https://example.com) LTD",
        "![x](https://example.com/p.png)",
        "`rm` LTD",
        "{{system}} LTD",
        "**A** | B",
    ],
)
def test_no_character_that_opens_markup_is_left(name: str) -> None:
    assert not set(inert(name)) & set("<>[]{}`|*#~\\")


@pytest.mark.parametrize(
    "address", ["https://example.com", "HTTPS://EXAMPLE.COM", "ftp://example.com", "www.example.com", "wWw.example.com"]
)
def test_no_address_can_be_followed(address: str) -> None:
    text = inert(f"SEE {address} LTD")
    assert "://" not in text
    assert "www." not in text.lower()


def test_every_invisible_character_becomes_a_blank() -> None:
    """Direction marks, joiners, tags and controls of Unicode hide text from people that a model reads."""
    for point in range(0x110000):
        character = chr(point)
        if unicodedata.category(character) in {"Cc", "Cf", "Zl", "Zp", "Cs", "Co"}:
            assert inert(f"A{character}B") == "A B"


@pytest.mark.parametrize(
    "points",
    [
        (0x034F,),
        range(0x115F, 0x1161),
        range(0x17B4, 0x17B6),
        range(0x180B, 0x1810),
        (0x3164, 0xFFA0),
        range(0xFE00, 0xFE10),
        range(0xE0000, 0xE1000),
        (0x2800, 0x1D159),
    ],
    ids=("joiner", "jamo", "khmer", "mongolian", "hangul", "variations", "supplement", "blank-symbols"),
)
def test_every_character_without_a_glyph_becomes_a_blank(points: Iterable[int]) -> None:
    """Default_Ignorable_Code_Point of Unicode's DerivedCoreProperties, as far as the categories above do not name it.

    A run of the 256 variation selectors hides a message of any octets behind one visible letter.
    """
    for point in points:
        assert inert(f"A{chr(point)}B") == "A B"


def test_a_long_text_is_cut_and_says_so() -> None:
    text = inert("A" * (LONGEST + 1))
    assert (len(text), text[-1]) == (LONGEST, "…")


def test_a_text_in_any_depth_is_made_inert() -> None:
    given = {"Lines": [{"Sentence": "<b>", "Points": 3, "Known": True, "Day": None}]}
    assert inert_values(given) == {"Lines": [{"Sentence": "＜b＞", "Points": 3, "Known": True, "Day": None}]}  # noqa: RUF001


def test_a_text_in_a_tuple_is_made_inert() -> None:
    """The members of answers are tuples, and a conversion to plain values leaves them so."""
    assert inert_values({"Companies": ({"Name": "<b>"}, ("[a]",))}) == {"Companies": [{"Name": "＜b＞"}, ["［a］"]]}  # noqa: RUF001 - the full-width forms are what is tested
