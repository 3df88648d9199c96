"""A probability in words: failures among 1,000 companies, and how it compares with the national rate."""

import pytest

from credence.report.build.score import in_words

NATIONAL = 0.005


@pytest.mark.parametrize(
    ("probability", "words"),
    [
        (
            NATIONAL / 100,
            "fewer than 1 of 1,000 such companies fails within a year (1 in 20,000), 1/100 of the national rate",
        ),
        (
            NATIONAL / 10,
            "fewer than 1 of 1,000 such companies fails within a year (1 in 2,000), a tenth of the national rate",
        ),
        (NATIONAL / 4, "1 of 1,000 such companies fails within a year (1 in 800), a quarter of the national rate"),
        (NATIONAL / 2, "2 of 1,000 such companies fail within a year (1 in 400), half the national rate"),
        (
            NATIONAL * 3 / 4,
            "4 of 1,000 such companies fail within a year (1 in 270), three quarters of the national rate",
        ),
        (NATIONAL, "5 of 1,000 such companies fail within a year (1 in 200), about the national rate"),
        (NATIONAL * 1.3, "7 of 1,000 such companies fail within a year (1 in 150), 1.3 times the national rate"),
        (NATIONAL * 2, "10 of 1,000 such companies fail within a year (1 in 100), twice the national rate"),
        (NATIONAL * 3, "15 of 1,000 such companies fail within a year (1 in 67), three times the national rate"),
        (NATIONAL * 7.5, "38 of 1,000 such companies fail within a year (1 in 27), 7.5 times the national rate"),
        (NATIONAL * 40, "200 of 1,000 such companies fail within a year (1 in 5), 40 times the national rate"),
    ],
)
def test_a_probability_is_failures_of_a_thousand_and_a_share_of_the_national_rate(
    probability: float, words: str
) -> None:
    """1 / 0.00375 is 266.7, with two figures 270; 0.0005 and less is fewer than one of 1,000."""
    assert in_words(probability, NATIONAL) == words
