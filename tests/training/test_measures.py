"""The measures against other implementations and by hand (credit §8.3)."""

import numpy as np
import pytest

from training.measures import auc, calibration, measure

RISK = np.round(np.random.default_rng(7).random(500), 2)  # rounded: there are ties
FAILED = np.random.default_rng(8).random(500) < RISK / 3


def test_the_area_equals_that_of_scikit_learn_with_ties_counting_half() -> None:
    from sklearn.metrics import roc_auc_score  # late: each process that runs tests collects all files

    assert auc(RISK, FAILED) == pytest.approx(roc_auc_score(FAILED, RISK))
    assert auc(np.zeros(4), np.array([True, False, True, False])) == 0.5


def test_gini_ks_and_brier_equal_those_of_scipy_and_scikit_learn() -> None:
    from scipy.stats import ks_2samp
    from sklearn.metrics import brier_score_loss, roc_auc_score

    found = measure(RISK, FAILED)
    assert found.gini == pytest.approx(2 * roc_auc_score(FAILED, RISK) - 1)
    assert found.ks == pytest.approx(ks_2samp(RISK[FAILED], RISK[~FAILED]).statistic)
    assert found.brier == pytest.approx(brier_score_loss(FAILED, RISK))


def test_a_decile_has_the_expected_rate_the_observed_rate_and_wilsons_interval() -> None:
    """Wilson (1927): 2 of 50 at 95 % is 1.1 % to 13.5 %."""
    outcome = np.zeros(500, dtype=bool)
    outcome[[3, 40]] = True
    safest = calibration(np.arange(500) / 1000, outcome)[0]
    assert (safest.companies, safest.observed) == (50, 0.04)
    assert safest.expected == pytest.approx(0.0245)
    assert [safest.low, safest.high] == pytest.approx([0.011, 0.135], abs=0.0005)


def test_the_calibration_error_is_the_weighted_mean_of_the_distances() -> None:
    certain = np.full(20, 0.25)
    assert measure(certain, np.array([True, False] * 10)).calibration_error == pytest.approx(0.25)
