"""Areas, intervals, bounds and captures, against arithmetic, the definition over all pairs, and samples of a known truth."""

import math
import random
from itertools import product

import pytest

from credence.backtest.discrimination import (
    area,
    bounds,
    capture,
    cells_of,
    difference,
    grouping,
    quantile_of,
    variance,
    wilson,
)
from tests.sweeps import many

FAILED = (5.0, 4.0, 4.0, 2.0)
OTHERS = (4.0, 3.0, 2.0, 1.0, 1.0)
CELLS = cells_of([*((risk, 1, 0) for risk in FAILED), *((risk, 0, 1) for risk in OTHERS)])


def beats(one: float, other: float) -> float:
    return 1.0 if one > other else 0.5 if one == other else 0.0


def delong(failed: tuple[float, ...], others: tuple[float, ...]) -> float:
    """The variance by its definition: the variances of both sides' placements over all pairs, each by its number."""
    of_failed = [sum(beats(f, o) for o in others) / len(others) for f in failed]
    of_others = [sum(beats(f, o) for f in failed) / len(failed) for o in others]
    sides = []
    for values in (of_failed, of_others):
        mean = sum(values) / len(values)
        sides.append(sum((each - mean) ** 2 for each in values) / (len(values) - 1) / len(values))
    return sum(sides)


def test_the_area_is_the_share_of_pairs_that_are_ranked_rightly() -> None:
    # Of 4 x 5 pairs: 5, 4.5, 4.5 and 2.5 right.
    assert area(CELLS).auc == pytest.approx((5 + 4.5 + 4.5 + 2.5) / 20)
    assert sum(beats(f, o) for f, o in product(FAILED, OTHERS)) == 16.5


def test_the_variance_is_that_of_delong() -> None:
    assert variance(CELLS) == pytest.approx(delong(FAILED, OTHERS))


def test_the_interval_has_the_truth_in_95_of_100_samples() -> None:
    """Two normal distributions 1.19 apart have an area of 0.80: Phi(1.19 / sqrt 2)."""
    chance, samples, inside = random.Random(3), many(300), 0
    truth = 0.5 * (1 + math.erf(1.19 / 2))
    for _ in range(samples):
        rows = [(chance.gauss(1.19, 1), 1, 0) for _ in range(40)] + [(chance.gauss(0, 1), 0, 1) for _ in range(160)]
        found = area(cells_of(rows))
        inside += (found.low or 0) <= truth <= (found.high or 0)
    assert inside / samples == pytest.approx(0.95, abs=0.035)


def test_a_group_of_copies_counts_as_one_company() -> None:
    """Each company is there three times. Taken for independent, the variance is a third; in groups, it is as before."""
    chance = random.Random(5)
    rows = [(chance.gauss(1, 1), 1, 0) for _ in range(60)] + [(chance.gauss(0, 1), 0, 1) for _ in range(300)]
    thrice = cells_of(rows * 3)
    added = grouping(thrice, ([(risk, bool(failed))] * 3 for risk, failed, _ in rows))
    alone = variance(cells_of(rows))
    assert variance(thrice) == pytest.approx(alone / 3, rel=0.02)
    assert variance(thrice) + added == pytest.approx(alone, rel=0.02)


def test_without_failures_or_with_both_sides_apart_there_is_no_interval() -> None:
    assert area(cells_of([(1, 0, 5)])).auc is None
    apart = area(cells_of([(1, 0, 5), (2, 5, 0)]))
    assert (apart.auc, apart.low, apart.high) == (1.0, None, None)


def test_a_model_differs_from_itself_by_nothing_and_its_reverse_by_twice_the_lead() -> None:
    same = {(each.risk, each.risk): (each.failed, each.others) for each in CELLS}
    reverse = {(each.risk, -each.risk): (each.failed, each.others) for each in CELLS}
    alike, opposite = difference(same), difference(reverse)
    assert alike is not None
    assert (alike.difference, alike.low, alike.high) == (0, 0, 0)
    assert opposite is not None
    assert opposite.difference == pytest.approx(2 * 16.5 / 20 - 1)


def test_the_bounds_are_those_of_all_outcomes_of_the_unresolved() -> None:
    known = [(4.0, 2, 1), (3.0, 1, 2), (1.0, 0, 4)]
    unresolved = [4.0, 3.0, 3.0, 1.0]
    found = []
    for ends in product((0, 1), repeat=len(unresolved)):
        rows = [*known, *((risk, end, 1 - end) for risk, end in zip(unresolved, ends, strict=True))]
        found.append(area(cells_of(rows)).auc or 0)
    assert bounds(cells_of(known), {4.0: 1, 3.0: 2, 1.0: 1}) == pytest.approx((min(found), max(found)))


def test_the_capture_takes_an_equal_part_of_the_companies_at_its_edge() -> None:
    # The worst fifth of 20 companies is 4: the 3 of the highest risk, and 1 of the 5 of the next, of which 2 failed.
    found = capture(cells_of([(3, 3, 0), (2, 2, 3), (1, 1, 11)]), 0.2)
    assert found is not None
    assert found.captured == pytest.approx((3 + 2 / 5) / 6)


def test_the_interval_of_a_rate_is_that_of_wilson() -> None:
    # Newcombe (1998), Statistics in Medicine 17, table I: 15 of 148 and 0 of 20.
    assert wilson(15 / 148, 148) == pytest.approx((0.0624, 0.1605), abs=1e-4)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)


def test_tenths_never_divide_companies_of_one_risk() -> None:
    cells = cells_of([(risk, 1, 9) for risk in range(8)] + [(8, 5, 115)])
    groups = quantile_of(cells, 10)
    assert [cell for group in groups for cell in group] == cells
    assert [cell.risk for cell in groups[-1]] == [8]
