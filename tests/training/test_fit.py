"""The fit: monotonic steps, unknown values are neutral, the average company gets the average risk (credit §7.2)."""

import numpy as np
import pytest

from training.fit import fit

CHANCE = np.random.default_rng(20261101)
VALUES = CHANCE.normal(size=(6_000, 2))
LOGITS = -2.6 - 0.8 * VALUES[:, 0]
FAILED = CHANCE.random(6_000) < 1 / (1 + np.exp(-LOGITS))
"""Failure depends on the first ratio alone."""

FITTED = fit(VALUES, FAILED, (-1, -1))


def test_every_step_has_the_given_direction() -> None:
    assert (np.diff(FITTED.steps[0].logits) <= 0).all()
    wrong_way = fit(VALUES, FAILED, (1, 1)).steps[0]
    assert np.diff(wrong_way.logits) == pytest.approx(0, abs=1e-6)


def test_the_fit_recovers_the_coefficients_behind_the_data() -> None:
    first, second = FITTED.steps
    assert np.ptp(first.logits) > 1.5
    assert np.ptp(second.logits) < np.ptp(first.logits) / 4
    assert np.corrcoef(FITTED.logits(VALUES), LOGITS)[0, 1] > 0.85


def test_the_mean_probability_is_the_rate_of_failure() -> None:
    mean = (1 / (1 + np.exp(-FITTED.logits(VALUES)))).mean()
    assert mean == pytest.approx(FAILED.mean(), abs=0.002)


def test_a_company_without_known_ratios_gets_the_failure_rate_of_the_data() -> None:
    unknown = np.full((1, 2), np.nan)
    assert 1 / (1 + np.exp(-FITTED.logits(unknown)[0])) == pytest.approx(FAILED.mean())
    assert FITTED.total_points(unknown)[0] == 0


def test_every_bin_holds_enough_failures() -> None:
    bins = np.digitize(VALUES[:, 0], FITTED.steps[0].edges)
    assert np.bincount(bins, weights=FAILED).min() >= 20


def test_missing_values_do_not_predict_failure() -> None:
    """credit §8.2: with a bin for missing values, these failures would give it all the weight."""
    values, failed = VALUES.copy(), FAILED.copy()
    values[failed, 1] = np.nan
    steps = fit(values, failed, (-1, -1)).steps
    assert np.ptp(steps[1].logits) < np.ptp(steps[0].logits) / 4
