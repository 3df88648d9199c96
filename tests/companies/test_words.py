"""Words of names and addresses: a text in ASCII takes a short way to the same words."""

import random

import pytest

from credence.companies.words import joined_words, words

DROPPED = "\u0301"
"""A combining accent: it leaves the words as they are and makes a text one outside ASCII."""

PIECES = (*map(chr, range(128)), *"  .'&`-_", "LTD", "a b")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("J.A. SMITH & SON'S (LONDON) LTD.", ["ja", "smith", "and", "sons", "london", "ltd"]),
        ("B&Q", ["b", "and", "q"]),
        ("Caf\u00e9 No_1", ["cafe", "no", "1"]),
        ("ØRSTED Þór Łódź", ["orsted", "thor", "lodz"]),
        ("Æther Œuvre Straße Đakovo", ["aether", "oeuvre", "strasse", "dakovo"]),
        (" . ", []),
    ],
)
def test_signs_separate_words_and_full_stops_join_them(text: str, expected: list[str]) -> None:
    assert words(text) == expected
    assert joined_words(text) == "".join(expected)


def test_a_text_in_ascii_has_the_words_that_it_has_among_other_letters() -> None:
    chance = random.Random(20261123)
    for _ in range(2_000):
        text = "".join(chance.choices(PIECES, k=12))
        assert words(text) == words(text + DROPPED)
        assert joined_words(text) == joined_words(text + DROPPED)
