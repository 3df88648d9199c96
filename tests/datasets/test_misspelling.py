"""Words one or two edits apart (D23). The distances are counted by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from credence.datasets.misspelling import distance, one_edit, similar_skeletons, skeleton


@pytest.mark.parametrize(
    ("one", "other", "edits"),
    [
        ("acorn", "acorn", 0),
        ("acorn", "acrn", 1),
        ("acorn", "accorn", 1),
        ("acorn", "acarn", 1),
        ("acorn", "acron", 1),
        ("acorn", "caorn", 1),
        ("acorn", "acro", 2),
        ("acorn", "canor", 3),  # two swaps and one more
        ("acorn", "oak", 4),  # only the o stays
        ("ab", "bca", 3),  # no letter goes between a swapped pair
        ("", "ab", 2),
    ],
)
def test_the_distance_counts_letters_too_few_too_many_wrong_or_swapped(one: str, other: str, edits: int) -> None:
    assert distance(one, other, 5) == distance(other, one, 5) == edits


def test_a_distance_beyond_the_most_is_one_more_than_it() -> None:
    assert distance("acorn", "birches", 2) == distance("acorn", "zzzzz", 2) == 3


@given(st.text("abcde", min_size=1, max_size=8), st.data())
def test_every_generated_word_is_one_edit_away(word: str, data: st.DataObject) -> None:
    assert distance(word, data.draw(st.sampled_from(sorted(one_edit(word)))), 3) == 1


@given(st.text("abc", max_size=5), st.text("abc", max_size=5))
def test_every_word_one_edit_away_is_generated(word: str, other: str) -> None:
    assert (other in one_edit(word)) == (distance(word, other, 3) == 1)


def test_words_that_differ_in_vowels_and_repetitions_have_one_skeleton() -> None:
    assert skeleton("receive") == skeleton("recieve") == "rcv"
    assert skeleton("accommodation") == skeleton("acomodation") == "cmdtn"


def test_a_word_with_one_wrong_consonant_and_any_vowels_has_a_near_skeleton() -> None:
    assert skeleton("northern") in similar_skeletons("nartherm")
