"""A probability in words: "1 in 770", and how it compares with the national rate."""

import pytest

from credence.report.build.odds import in_words

NATIONAL = 0.005


@pytest.mark.parametrize(
    ("probability", "words"),
    [
        (NATIONAL / 100, "1 in 20,000, 1/100 of the national rate"),
        (NATIONAL / 10, "1 in 2,000, a tenth of the national rate"),
        (NATIONAL / 4, "1 in 800, a quarter of the national rate"),
        (NATIONAL / 2, "1 in 400, half the national rate"),
        (NATIONAL * 3 / 4, "1 in 270, three quarters of the national rate"),
        (NATIONAL, "1 in 200, about the national rate"),
        (NATIONAL * 1.3, "1 in 150, 1.3 times the national rate"),
        (NATIONAL * 2, "1 in 100, twice the national rate"),
        (NATIONAL * 3, "1 in 67, three times the national rate"),
        (NATIONAL * 7.5, "1 in 27, 7.5 times the national rate"),
        (NATIONAL * 40, "1 in 5, 40 times the national rate"),
    ],
)
def test_a_probability_is_one_in_so_many_and_a_share_of_the_national_rate(probability: float, words: str) -> None:
    """1 / 0.00375 is 266.7, with two figures 270."""
    assert in_words(probability, NATIONAL) == words
