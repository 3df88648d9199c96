"""The tables of points (credit §7.1, §7.2)."""

import msgspec
import pytest

from credence.scoring.model import current_model
from credence.scoring.points import Bin, Factor, Pair, PointsTable, check, words_of

MODEL = current_model()
FITTED = [(table.name, factor) for table in MODEL.ratios for factor in table.factors]


def factor(*bins: Bin) -> Factor:
    return Factor("made-up", "Made up", "ratio", "fitted", "", bins)


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
        check([PointsTable("1", "", (factor(*bins),))])


@pytest.mark.parametrize(
    "pair",
    [
        Pair("made-up", "missing", (), (), ((1,),)),
        Pair("made-up", "other", (0.5,), (), ((1,),)),
        Pair("made-up", "other", (), (0.5,), ((1,),)),
        Pair("made-up", "other", (0.5, 0.5), (), ((1,), (2,), (3,))),
    ],
    ids=["no factor", "row missing", "column missing", "equal edges"],
)
def test_a_pair_without_its_factors_or_with_other_cells_than_its_edges_make_is_refused(pair: Pair) -> None:
    other = msgspec.structs.replace(factor(Bin(1)), code="other")
    with pytest.raises(ValueError, match=r"made-up\+"):
        check([PointsTable("1", "", (factor(Bin(1)), other), pairs=(pair,))])


def test_a_factor_may_be_in_one_table_only() -> None:
    with pytest.raises(ValueError, match="appears twice"):
        check([PointsTable("1", "", (factor(Bin(1)),)), PointsTable("1", "", (factor(Bin(1)),))])


def test_a_pair_gives_the_points_of_its_cell_and_an_edge_belongs_to_the_cell_above_it() -> None:
    pair = Pair("one", "other", (0.5,), (1.0, 2.0), ((1, 2, 3), (4, 5, 6)))
    found = [pair.points_of(*values) for values in ((0.4, 0.9), (0.4, 2), (0.5, 0.9), (9, 1.5), (-9, 99))]
    assert found == [1, 3, 4, 5, 3]


def test_a_pair_is_named_after_both_factors() -> None:
    names = dict(words_of(MODEL.ratios))
    for pair in (pair for table in MODEL.ratios for pair in table.pairs):
        one, other = (names[each].replace(" to total assets", "") for each in (pair.first, pair.second))
        assert names[pair.code].lower() == f"{one} and {other}, together".lower()


RISKIER = {"current-liabilities", "later-liabilities"}
NO_DIRECTION = {"current-assets", "debtors", "stocks", "turnover"}
"""What the balance sheet is made of, and how fast it turns over: theory does not say which way."""


@pytest.mark.parametrize(("name", "fitted"), FITTED, ids=[f"{name} {each.code}" for name, each in FITTED])
def test_fitted_points_go_one_way(name: str, fitted: Factor) -> None:
    """credit §7.2: monotone where theory gives a direction; more debt is riskier, more cover and profit are safer."""
    points = [each.points for each in fitted.bins]
    if fitted.code not in NO_DIRECTION:
        assert points == sorted(points, reverse=fitted.code in RISKIER), name
    assert sum(each.companies or 0 for each in fitted.bins) <= 5_850


def test_the_tables_do_not_count_one_fact_twice() -> None:
    """In UK filings retained earnings are the reserves (147 of 175), so one of them is not an input."""
    assert "retained-earnings" not in {factor.code for _, factor in FITTED}


@pytest.mark.parametrize("expert", MODEL.conduct.factors, ids=lambda each: each.code)
def test_an_expert_set_factor_is_worth_at_most_one_doubling_of_the_odds(expert: Factor) -> None:
    """credit §7.1, layer c."""
    assert expert.origin == "expert-set"
    assert expert.source
    assert -8 <= expert.worst <= expert.best <= 8
