"""The tables of points (credit §7.1, §7.2)."""

import pytest

from credence.scoring.model import current_model
from credence.scoring.points import Bin, Factor, PointsTable, check

MODEL = current_model()
FITTED = [(table.name, factor) for table in MODEL.ratios for factor in table.factors]


def factor(*bins: Bin) -> Factor:
    return Factor("made-up", "Made up", "ratio", "fitted", "", "", "", bins)


def test_an_edge_belongs_to_the_bin_above_it() -> None:
    table = factor(Bin(-5, below=0.5), Bin(3))
    assert [table.bin_of(value).points for value in (0.4999, 0.5, 9)] == [-5, 3, 3]


@pytest.mark.parametrize(
    "bins",
    [(), (Bin(1, below=1.0),), (Bin(1), Bin(2)), (Bin(1, below=2.0), Bin(2, below=1.0), Bin(3))],
    ids=["none", "no last", "no edge", "falling"],
)
def test_a_table_that_does_not_cover_every_value_once_is_refused(bins: tuple[Bin, ...]) -> None:
    with pytest.raises(ValueError, match="made-up"):
        check(PointsTable("1", "", (factor(*bins),)))


@pytest.mark.parametrize(("name", "fitted"), FITTED, ids=[f"{name} {each.code}" for name, each in FITTED])
def test_fitted_points_go_one_way(name: str, fitted: Factor) -> None:
    """credit §7.2: monotone bins; more short-term debt is riskier, more of anything else is safer."""
    points = [each.points for each in fitted.bins]
    rising = sorted(points)
    assert points == (rising[::-1] if fitted.code == "current-liabilities" else rising), name
    assert min(each.failures or 0 for each in fitted.bins) >= 20


@pytest.mark.parametrize("expert", MODEL.conduct.factors, ids=lambda each: each.code)
def test_an_expert_set_factor_is_worth_at_most_one_doubling_of_the_odds(expert: Factor) -> None:
    """credit §7.1, layer c."""
    assert expert.origin == "expert-set"
    assert expert.source
    assert -8 <= expert.worst <= expert.best <= 8
