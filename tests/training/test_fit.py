"""The fit: monotone steps, whole points around the typical company, unknown values are neutral (credit §7.2)."""

import numpy as np
import pytest

from credence.scoring.points import Factor, PointsTable
from training.fit import fit_tables, total_points
from training.level import level_of, probabilities
from training.tables import Design, Ratio

CHANCE = np.random.default_rng(20261101)
VALUES = CHANCE.normal(size=(4_000, 3))
LOGITS = -2.6 - 0.8 * VALUES[:, 0]
FAILED = CHANCE.random(4_000) < 1 / (1 + np.exp(-LOGITS))
"""Failure depends on the first ratio alone."""

CODES = ("working-capital", "equity", "stocks")
TYPICAL = dict.fromkeys(CODES, 0.0)


def fitted(values: np.ndarray = VALUES, failed: np.ndarray = FAILED, direction: int = -1) -> tuple[PointsTable, ...]:
    first = Design("short", 1, (Ratio(CODES[0], direction, "First"), Ratio(CODES[1], -1, "Second")))
    second = Design("full", 1, (Ratio(CODES[2], 0, "Third"),))
    return fit_tables(values, failed, TYPICAL, designs=(first, second))


@pytest.fixture(scope="module")
def tables() -> tuple[PointsTable, ...]:
    return fitted()


def reach(factor: Factor) -> int:
    return factor.best - factor.worst


def spread(factor: Factor) -> float:
    """The standard deviation of the points that the companies of the data get."""
    return float(
        np.std(np.repeat([each.points for each in factor.bins], [each.companies or 0 for each in factor.bins]))
    )


def test_every_step_has_the_given_direction(tables: tuple[PointsTable, ...]) -> None:
    points = [each.points for each in tables[0].factors[0].bins]
    assert points == sorted(points)
    wrong_way = fitted(direction=1)[0].factors[0]
    assert reach(wrong_way) == 0


def test_the_fit_finds_the_ratio_behind_the_data(tables: tuple[PointsTable, ...]) -> None:
    """A logit of 0.8 for each unit is 9.2 points; between the outer steps lie about four units."""
    first, second = tables[0].factors
    assert 20 <= reach(first) <= 45
    assert spread(second) <= spread(first) / 4
    points = total_points(tables, VALUES, CODES)
    assert np.corrcoef(points, -LOGITS)[0, 1] > 0.9


def test_the_typical_company_and_one_of_which_nothing_is_known_get_no_points(tables: tuple[PointsTable, ...]) -> None:
    assert total_points(tables, np.zeros((1, 3)), CODES)[0] == 0
    assert total_points(tables, np.full((1, 3), np.nan), CODES)[0] == 0


def test_at_its_level_the_mean_probability_is_the_rate(tables: tuple[PointsTable, ...]) -> None:
    points = total_points(tables, VALUES, CODES)
    for rate in (0.005, FAILED.mean()):
        assert probabilities(points + level_of(points, rate), rate).mean() == pytest.approx(rate, rel=0.05)


def test_values_missing_by_chance_give_a_ratio_no_weight() -> None:
    """credit §8.2: a missing value counts as the median and has no step of its own."""
    values = VALUES.copy()
    values[CHANCE.random(len(values)) < 0.3, 1] = np.nan
    first, second = fitted(values)[0].factors
    assert spread(second) <= spread(first) / 4


def test_a_range_without_failures_gets_few_more_points_than_the_one_before(tables: tuple[PointsTable, ...]) -> None:
    """Of 129 companies above 1.8 none failed by chance; a logit of 0.8 for each unit expects one or two failures."""
    *_, before, last = tables[0].factors[0].bins
    assert last.failures == 0
    assert last.points - before.points <= 9.2


def test_the_same_data_give_the_same_tables(tables: tuple[PointsTable, ...]) -> None:
    assert fitted() == tables
