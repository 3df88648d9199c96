"""Expected and observed failures, Brier and log score, against arithmetic."""

import math

import pytest

from credence.backtest.calibration import calibration
from credence.backtest.discrimination import cells_of
from credence.backtest.measuring import within
from credence.scoring.model import current_model

TERMS = current_model().terms


def test_forecasts_are_compared_with_what_happened() -> None:
    # 60 is 1 in 200 (credit §7.3); 8 points less double the odds of failure: 2 in 201. Here 1 of 200 and 3 of 201 failed.
    found = calibration(cells_of([(-60, 1, 199), (-52, 3, 198)]), within(12), TERMS)
    assert found is not None
    assert found.all.companies == 401
    assert found.all.expected == pytest.approx((200 * 1 / 200 + 201 * 2 / 201) / 401)
    assert [each.failed for each in found.deciles] == [1, 3]
    assert [each.expected for each in found.deciles] == pytest.approx([1 / 200, 2 / 201])
    assert [(each.name, each.failed) for each in found.bands] == [("C", 4)]
    assert found.error == pytest.approx((201 * 1 / 201) / 401)
    squares = 1 * (1 - 1 / 200) ** 2 + 199 * (1 / 200) ** 2 + 3 * (1 - 2 / 201) ** 2 + 198 * (2 / 201) ** 2
    logs = math.log(1 / 200) + 199 * math.log(199 / 200) + 3 * math.log(2 / 201) + 198 * math.log(199 / 201)
    assert found.brier == pytest.approx(squares / 401)
    assert found.log_score == pytest.approx(-logs / 401)
    assert found.brier_of_rate == pytest.approx(4 / 401 * 397 / 401)


def test_half_a_year_has_half_the_years_chance_to_survive_in_logarithms() -> None:
    half = within(6)(-60.0)
    assert (1 - half) ** 2 == pytest.approx(199 / 200)
