"""Fits points to ratios: an additive model in steps, each of which can only go one way (credit §7.2).

Each ratio is cut where a small decision tree would cut it, with enough failures in every bin. A logistic regression then
finds the height of every step at once, with the sign of each step held to the direction that theory gives the ratio and
a ridge on the steps, so that the problem is convex and has one answer. A missing value is the neutral 0 and takes no part.
"""

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.tree import DecisionTreeClassifier

from credence.scoring.scale import POINTS_PER_LOGIT

FEWEST_FAILURES = 20
"""In each bin."""

MOST_BINS = 8
SMALLEST_BIN = 60
RIDGE = 2.0

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Steps(msgspec.Struct, frozen=True):
    """One fitted ratio: the edges between its bins and the log-odds of failure of each bin, 0 being neutral."""

    edges: Floats
    logits: Floats

    def points(self) -> NDArray[np.int64]:
        """Return the whole points of each bin: what lowers the odds of failure raises the score."""
        return np.rint(-POINTS_PER_LOGIT * self.logits).astype(np.int64)


class Fit(msgspec.Struct, frozen=True):
    """A fitted table: the rate of failure it was fitted at, and the steps of each ratio in order."""

    rate: float
    steps: tuple[Steps, ...]

    def logits(self, values: Floats) -> Floats:
        """Return the log-odds of failure of each row at the rate of the fitting data."""
        parts = [_looked_up(values[:, i], each.edges, each.logits) for i, each in enumerate(self.steps)]
        return np.asarray(_logit(self.rate) + np.sum(parts, axis=0))

    def total_points(self, values: Floats) -> Floats:
        """Return the sum of whole points of each row, as the score adds them up."""
        parts = [_looked_up(values[:, i], each.edges, each.points()) for i, each in enumerate(self.steps)]
        return np.asarray(np.sum(parts, axis=0))


def fit(values: Floats, failed: Flags, directions: Sequence[int], fewest_failures: int = FEWEST_FAILURES) -> Fit:
    """Fit steps to columns of ratios; a direction is 1 where a higher ratio is riskier, -1 where it is safer."""
    edges = [_edges(column, failed, fewest_failures) for column in values.T]
    design = np.hstack([_passed(column, cuts) for column, cuts in zip(values.T, edges, strict=True)])
    signs = np.concatenate([np.full(len(cuts), sign) for cuts, sign in zip(edges, directions, strict=True)])
    intercept, heights = _heights(design, failed, signs)
    parts = np.split(heights, np.cumsum([len(cuts) for cuts in edges])[:-1])
    logits = [np.concatenate([[0.0], np.cumsum(part)]) for part in parts]
    rate = float(failed.mean())
    return Fit(rate, _centred(values, edges, logits, intercept - _logit(rate)))


def _edges(column: Floats, failed: Flags, fewest_failures: int) -> Floats:
    known = ~np.isnan(column)
    tree = DecisionTreeClassifier(
        criterion="log_loss", max_leaf_nodes=MOST_BINS, min_samples_leaf=SMALLEST_BIN, random_state=0
    ).fit(column[known, None], failed[known])
    # A thousandth is finer than accounts are true, and an edge is read by people.
    cuts = sorted(set(np.round(tree.tree_.threshold[tree.tree_.feature == 0], 3)))
    while cuts:
        failures = np.bincount(np.digitize(column[known], cuts), weights=failed[known], minlength=len(cuts) + 1)
        scarce = int(np.argmin(failures))
        if failures[scarce] >= fewest_failures:
            break
        # Join the scarce bin to the scarcer of its neighbours.
        left, right = scarce - 1, scarce
        join_left = right >= len(cuts) or (left >= 0 and failures[scarce - 1] <= failures[scarce + 1])
        cuts.pop(left if join_left else right)
    return np.array(cuts, dtype=np.float64)


def _passed(column: Floats, cuts: Floats) -> Floats:
    """Return one column for each edge: 1 where the value has passed it, the share that has where it is missing."""
    passed = (column[:, None] >= cuts).astype(np.float64)
    known = ~np.isnan(column)
    passed[~known] = passed[known].mean(axis=0)
    return passed


def _heights(design: Floats, failed: Flags, signs: NDArray[np.int64]) -> tuple[float, Floats]:
    count, outcome = len(failed), failed.astype(np.float64)

    def loss(weights: Floats) -> tuple[float, Floats]:
        logits = weights[0] + design @ weights[1:]
        residual = 1 / (1 + np.exp(-logits)) - outcome
        value = np.mean(np.logaddexp(0, logits) - outcome * logits) + RIDGE * np.sum(weights[1:] ** 2) / count
        slope = np.concatenate([[residual.mean()], design.T @ residual / count + 2 * RIDGE * weights[1:] / count])
        return float(value), slope

    bounds = [(None, None), *((0, None) if sign > 0 else (None, 0) for sign in signs)]
    start = np.zeros(design.shape[1] + 1)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 5_000}).x
    return float(found[0]), np.asarray(found[1:])


def _centred(values: Floats, edges: list[Floats], logits: list[Floats], offset: float) -> tuple[Steps, ...]:
    """Move each ratio's steps so that 0 is neutral and all of them together carry the whole intercept.

    A company of which every ratio is known then gets exactly the fitted log-odds, and one of which none is known gets
    the rate of the fitting data. What centring leaves over goes to the ratios in proportion to their variance.
    """
    parts = [_looked_up(values[:, i], cuts, logits[i]) for i, cuts in enumerate(edges)]
    means = np.array([part.mean() for part in parts])
    variances = np.array([part.var() for part in parts])
    left_over = offset + means.sum()
    shifts = means - left_over * variances / variances.sum()
    return tuple(Steps(cuts, each - shift) for cuts, each, shift in zip(edges, logits, shifts, strict=True))


def _looked_up(column: Floats, edges: Floats, worth: NDArray[np.generic]) -> Floats:
    # `digitize` puts NaN behind the last edge; a missing value is neutral.
    return np.where(np.isnan(column), 0.0, worth[np.digitize(column, edges)])


def _logit(rate: float) -> float:
    return float(np.log(rate / (1 - rate)))
