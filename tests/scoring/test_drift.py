"""The population stability index, by arithmetic."""

import math

import pytest

from credence.scoring.runs.figures import stability_index


def test_the_index_sums_the_difference_of_the_shares_times_the_logarithm_of_their_quotient() -> None:
    """Halves become a quarter and three quarters: -0.25 ln 0.5 + 0.25 ln 1.5 = 0.2747."""
    assert stability_index([50, 50], [1, 3]) == pytest.approx(0.25 * math.log(3), abs=1e-12)
    assert stability_index([1, 3], [50, 50]) == pytest.approx(0.25 * math.log(3), abs=1e-12)


def test_the_same_shares_have_no_drift_whatever_their_number() -> None:
    assert stability_index([1, 2, 3], [100, 200, 300]) == pytest.approx(0, abs=1e-12)


def test_an_empty_range_counts_half_a_company() -> None:
    """Shares 0.5, 0.5 and 0.05 (half of ten), 1: -0.45 ln 0.1 + 0.5 ln 2."""
    expected = -0.45 * math.log(0.1) + 0.5 * math.log(2)
    assert stability_index([5, 5], [0, 10]) == pytest.approx(expected, abs=1e-12)


def test_nobody_has_no_index_and_ranges_must_agree() -> None:
    assert stability_index([0, 0], [1, 2]) is None
    assert stability_index([1, 2], [0, 0]) is None
    with pytest.raises(ValueError, match="longer"):
        stability_index([1, 2], [1, 2, 3])
