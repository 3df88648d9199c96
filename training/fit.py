"""Fits the tables of ratio points: an explainable boosting machine, table after table (credit §7.2).

Every table is fitted on what the tables before it leave unexplained. First the steps of its ratios, monotone where theory
gives a direction; then the pairs that explain most of the rest, each a small table; a pair has at least one new ratio.
Steps lie at quantiles of the data. A missing value counts as the median. The pattern of missing values is not used.

The points are whole. They are 0 at the values of the typical UK company, so an unknown ratio counts as a typical one. Of
what the later tables find in ratios without a direction, TRANSFER counts: what the composition of its assets tells of a
Polish manufacturer carries over to the UK less well than how its debts are covered.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import msgspec
import numpy as np
from interpret.develop import set_option
from interpret.glassbox import ExplainableBoostingClassifier
from interpret.utils._native import Native
from numpy.typing import NDArray

from credence.scoring.basis.scale import POINTS_PER_LOGIT
from credence.scoring.points import Bin, Factor, Pair, PointsTable
from training.polish import FORMULAS, LICENCE, SOURCE, Flags, Floats
from training.tables import DESIGNS, Design, Ratio

PAIR_QUANTILES = (0.1, 0.35, 0.65, 0.9)
EDGE_DIGITS = 2
"""Significant digits of an edge: people read them."""

TRANSFER = 0.6
"""Share of what the fit finds that counts, for ratios without a direction in the tables after the first."""

# Vector instructions add in an order that depends on the processor, so that another one finds slightly other tables.
set_option("acceleration", Native.AccelerationFlags_NONE)

_MACHINE: Mapping[str, object] = {
    "outer_bags": 4,
    "learning_rate": 0.04,
    "early_stopping_rounds": 50,
    "smoothing_rounds": 50,
    "interaction_smoothing_rounds": 50,
    "min_samples_leaf": 10,
    "min_hessian": 2.0,
    "n_jobs": 1,
    "random_state": 0,
}
"""`min_hessian`: both sides of a split expect about two failures. Without it, a range without failures gets ever
more points, because each round finds its risk a little lower."""

Typical = Mapping[str, float]
"""Input -> its value of the typical UK company."""


class Origin(NamedTuple):
    """The data of a fit, as the tables name it."""

    source: str
    licence: str
    of_factor: Mapping[str, str]
    """Code of a factor -> what of the data gave its values; the source, if it has none of its own."""


POLISH = Origin(SOURCE, LICENCE, {code: f"Columns {columns}" for code, columns in FORMULAS.items()})
"""The data of the shipped tables."""


class _Fitted(msgspec.Struct, frozen=True):
    """The log-odds of one table: steps of each ratio, then pairs as (first, second, table), by column; and their sum."""

    steps: dict[int, Floats]
    pairs: tuple[tuple[int, int, Floats], ...]
    logits: Floats
    """Of each row, with the tables before."""


def fit_tables(
    values: Floats,
    failed: Flags,
    typical: Typical,
    version: str = "",
    designs: Sequence[Design] = DESIGNS,
    origin: Origin = POLISH,
    weights: Floats | None = None,
    logits: Floats | None = None,
) -> tuple[PointsTable, ...]:
    """Return the tables, without levels. `values` has a column for each input of the designs, NaN where missing.

    A row counts as often as `weights` says; `logits` are the log-odds with which it begins, such as those of its sector.
    """
    ratios = [ratio for design in designs for ratio in design.ratios]
    filled = np.where(np.isnan(values), np.nanmedian(values, axis=0), values)
    columns = list(zip(ratios, values.T, strict=True))
    edges = [list(ratio.edges) or _edges(column, ratio.quantiles) for ratio, column in columns]
    coarse = [list(ratio.edges) or _edges(column, PAIR_QUANTILES) for ratio, column in columns]
    tables: list[PointsTable] = []
    before = 0
    for design in designs:
        upto = before + len(design.ratios)
        found = _fit(design, range(before, upto), filled[:, :upto], failed, edges, coarse, logits, weights)
        logits = found.logits
        # More points are less risk. Of two weights of a pair the smaller counts, which is the greater number.
        worth = [-POINTS_PER_LOGIT * (TRANSFER if before and not ratio.direction else 1) for ratio in ratios]
        factors = (
            _factor(ratios[i], edges[i], worth[i] * found.steps[i], typical, values[:, i], failed, origin)
            for i in range(before, upto)
        )
        pairs = (
            _pair(
                (ratios[one], ratios[other]),
                (coarse[one], coarse[other]),
                max(worth[one], worth[other]) * logit,
                typical,
            )
            for one, other, logit in found.pairs
        )
        tables.append(
            PointsTable(
                version, origin.source, tuple(factors), origin.licence, design.name, pairs=tuple(filter(None, pairs))
            )
        )
        before = upto
    return tuple(tables)


def _fit(
    design: Design,
    new: range,
    values: Floats,
    failed: Flags,
    edges: list[list[float]],
    coarse: list[list[float]],
    logits: Floats | None,
    weights: Floats | None,
) -> _Fitted:
    columns = list(new)
    machine = ExplainableBoostingClassifier(
        interactions=0,
        feature_types=[edges[i] for i in columns],
        monotone_constraints=[ratio.direction for ratio in design.ratios],
        **_MACHINE,
    ).fit(values[:, columns], failed, sample_weight=weights, init_score=logits)
    # The first and last entry of a term are those of missing and of unseen values.
    steps = {i: np.asarray(machine.term_scores_[place][1:-1]) for place, i in enumerate(columns)}
    with_steps = machine.decision_function(values[:, columns], init_score=logits)
    old = range(new.start)
    excluded = [*range(new.stop), *((one, other) for one in old for other in old if one < other)]
    machine = ExplainableBoostingClassifier(
        interactions=design.pairs, exclude=excluded, feature_types=coarse[: new.stop], **_MACHINE
    ).fit(values, failed, sample_weight=weights, init_score=with_steps)
    pairs = tuple(
        (int(one), int(other), np.asarray(table[1:-1, 1:-1]))
        for (one, other), table in zip(machine.term_features_, machine.term_scores_, strict=True)
    )
    return _Fitted(steps, pairs, machine.decision_function(values, init_score=with_steps))


def _edges(column: Floats, quantiles: Sequence[float]) -> list[float]:
    known = column[~np.isnan(column)]
    found = {float(f"{edge:.{EDGE_DIGITS}g}") for edge in np.quantile(known, quantiles)}
    return sorted(edge for edge in found if edge > known.min())


def _factor(
    ratio: Ratio, edges: list[float], points: Floats, typical: Typical, column: Floats, failed: Flags, origin: Origin
) -> Factor:
    whole = np.rint(points - points[np.digitize(typical[ratio.code], edges)]).astype(int)
    kept = [(edge, int(low)) for edge, (low, high) in zip(edges, pairwise(whole), strict=True) if low != high]
    bins, lower = [], -np.inf
    for upper, worth in (*kept, (np.inf, int(whole[-1]))):
        inside = (column >= lower) & (column < upper)
        below = None if upper == np.inf else upper
        bins.append(Bin(worth, below, companies=int(inside.sum()), failures=int(failed[inside].sum())))
        lower = upper
    source = origin.of_factor.get(ratio.code, origin.source)
    return Factor(ratio.code, ratio.words, ratio.unit, "fitted", source, tuple(bins))


def _pair(
    ratios: tuple[Ratio, Ratio], edges: tuple[list[float], list[float]], points: Floats, typical: Typical
) -> Pair | None:
    """Return the pair; None if it gives no points."""
    rows, columns = (int(np.digitize(typical[ratio.code], cuts)) for ratio, cuts in zip(ratios, edges, strict=True))
    whole = np.rint(points - points[rows, columns]).astype(int)
    if not whole.any():
        return None
    table = tuple(tuple(map(int, row)) for row in whole)
    return Pair(ratios[0].code, ratios[1].code, tuple(edges[0]), tuple(edges[1]), table)


def total_points(tables: Sequence[PointsTable], values: Floats, codes: Sequence[str]) -> NDArray[np.int64]:
    """Return the points of each row as a score adds them up, without levels; `codes` names the columns of `values`."""
    column = dict(zip(codes, values.T, strict=True))
    total = np.zeros(len(values), dtype=np.int64)
    for table in tables:
        for factor in table.factors:
            worth = np.array([each.points for each in factor.bins])
            edges = [each.below for each in factor.bins if each.below is not None]
            known = ~np.isnan(column[factor.code])
            total += np.where(known, worth[np.digitize(column[factor.code], edges)], 0)
        for pair in table.pairs:
            one, other = column[pair.first], column[pair.second]
            places = np.digitize(one, pair.first_edges), np.digitize(other, pair.second_edges)
            total += np.where(np.isnan(one) | np.isnan(other), 0, np.array(pair.points)[places])
    return total
