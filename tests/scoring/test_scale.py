"""What a score means (credit §7.3, §13.2)."""

import pytest

from credence.scoring.basis.scale import POINTS_PER_LOGIT, odds_of, probability_of, score_of, within
from credence.scoring.limit import band_of
from credence.scoring.model import current_model


def test_sixty_is_a_probability_of_half_a_per_cent_and_eight_points_double_the_odds() -> None:
    assert score_of(0.005) == pytest.approx(60)
    assert odds_of(60) == pytest.approx(199)
    assert odds_of(68) == pytest.approx(398)
    assert pytest.approx(11.5416, abs=0.0001) == POINTS_PER_LOGIT


@pytest.mark.parametrize(("score", "per_cent"), [(80, 0.089), (65, 0.325), (50, 1.18), (30, 6.33), (0, 47.6)])
def test_the_edges_of_the_bands_have_the_probabilities_of_the_guide(score: int, per_cent: float) -> None:
    assert probability_of(score) * 100 == pytest.approx(per_cent, rel=0.006)


@pytest.mark.parametrize(
    ("score", "band"),
    [(100, "A"), (80, "A"), (79, "B"), (65, "B"), (64, "C"), (50, "C"), (49, "D"), (30, "D"), (29, "E"), (0, "E")],
)
def test_each_band_begins_at_its_edge(score: int, band: str) -> None:
    assert band_of(score, current_model().terms).band == band


@pytest.mark.parametrize("score", [-20, 0, 37.5, 60, 100])
def test_probability_and_score_undo_each_other(score: float) -> None:
    assert score_of(probability_of(score)) == pytest.approx(score)


def test_the_scale_ends_at_0_and_100() -> None:
    assert [within(score) for score in (-1, 0, 100, 101)] == [0, 0, 100, 100]
