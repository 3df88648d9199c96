"""Fits points to ratios: an additive logistic model of monotonic step functions (credit §7.2).

A small decision tree finds the bin edges of each ratio; every bin keeps enough failures. A logistic regression then fits
all step heights at once. The sign of each step is fixed by the direction that theory gives the ratio, and a ridge penalty
on the steps makes the problem strictly convex. A missing value counts as the neutral 0 and does not influence the fit.
"""

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.tree import DecisionTreeClassifier

from credence.scoring.scale import POINTS_PER_LOGIT

MIN_FAILURES_PER_BIN = 20
MIN_COMPANIES_PER_BIN = 60
MAX_BINS = 8
L2_PENALTY = 2.0

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Steps(msgspec.Struct, frozen=True):
    """One fitted ratio: the edges between its bins, and the log-odds of failure of each bin (0 is neutral)."""

    edges: Floats
    logits: Floats

    def points(self) -> NDArray[np.int64]:
        """Return the whole points of each bin; lower odds of failure give more points."""
        return np.rint(-POINTS_PER_LOGIT * self.logits).astype(np.int64)


class Fit(msgspec.Struct, frozen=True):
    """A fitted table: the failure rate of the fitting data, and the steps of each ratio in order."""

    rate: float
    steps: tuple[Steps, ...]

    def logits(self, values: Floats) -> Floats:
        """Return the log-odds of failure of each row at the failure rate of the fitting data."""
        parts = [_values_at(values[:, i], each.edges, each.logits) for i, each in enumerate(self.steps)]
        return np.asarray(_logit(self.rate) + np.sum(parts, axis=0))

    def total_points(self, values: Floats) -> Floats:
        """Return the sum of the whole points of each row, computed as the score does."""
        parts = [_values_at(values[:, i], each.edges, each.points()) for i, each in enumerate(self.steps)]
        return np.asarray(np.sum(parts, axis=0))


def fit(values: Floats, failed: Flags, directions: Sequence[int]) -> Fit:
    """Fit steps to columns of ratios; a direction is 1 where a higher ratio is riskier, -1 where it is safer."""
    edges = [_edges(column, failed) for column in values.T]
    design = np.hstack([_passed_edges(column, cuts) for column, cuts in zip(values.T, edges, strict=True)])
    signs = np.concatenate([np.full(len(cuts), sign) for cuts, sign in zip(edges, directions, strict=True)])
    intercept, heights = _heights(design, failed, signs)
    parts = np.split(heights, np.cumsum([len(cuts) for cuts in edges])[:-1])
    logits = [np.concatenate([[0.0], np.cumsum(part)]) for part in parts]
    rate = float(failed.mean())
    return Fit(rate, _centred(values, edges, logits, intercept - _logit(rate)))


def _edges(column: Floats, failed: Flags) -> Floats:
    known = ~np.isnan(column)
    tree = DecisionTreeClassifier(
        criterion="log_loss", max_leaf_nodes=MAX_BINS, min_samples_leaf=MIN_COMPANIES_PER_BIN, random_state=0
    ).fit(column[known, None], failed[known])
    # Three decimals: accounts are not more exact, and people read the edges.
    cuts = sorted(set(np.round(tree.tree_.threshold[tree.tree_.feature == 0], 3)))
    while cuts:
        failures = np.bincount(np.digitize(column[known], cuts), weights=failed[known], minlength=len(cuts) + 1)
        scarce = int(np.argmin(failures))
        if failures[scarce] >= MIN_FAILURES_PER_BIN:
            break
        # Join the scarce bin to the neighbour with fewer failures.
        left, right = scarce - 1, scarce
        join_left = right >= len(cuts) or (left >= 0 and failures[scarce - 1] <= failures[scarce + 1])
        cuts.pop(left if join_left else right)
    return np.array(cuts, dtype=np.float64)


def _passed_edges(column: Floats, cuts: Floats) -> Floats:
    """Return one column for each edge: 1 where the value is at or above it, the mean of the column where it is missing."""
    passed = (column[:, None] >= cuts).astype(np.float64)
    known = ~np.isnan(column)
    passed[~known] = passed[known].mean(axis=0)
    return passed


def _heights(design: Floats, failed: Flags, signs: NDArray[np.int64]) -> tuple[float, Floats]:
    count, outcome = len(failed), failed.astype(np.float64)

    def loss(weights: Floats) -> tuple[float, Floats]:
        logits = weights[0] + design @ weights[1:]
        residual = 1 / (1 + np.exp(-logits)) - outcome
        value = np.mean(np.logaddexp(0, logits) - outcome * logits) + L2_PENALTY * np.sum(weights[1:] ** 2) / count
        slope = np.concatenate([[residual.mean()], design.T @ residual / count + 2 * L2_PENALTY * weights[1:] / count])
        return float(value), slope

    bounds = [(None, None), *((0, None) if sign > 0 else (None, 0) for sign in signs)]
    start = np.zeros(design.shape[1] + 1)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 5_000}).x
    return float(found[0]), np.asarray(found[1:])


def _centred(values: Floats, edges: list[Floats], logits: list[Floats], offset: float) -> tuple[Steps, ...]:
    """Shift the steps of each ratio so that 0 is neutral and all ratios together carry the intercept.

    A company with every ratio known then gets exactly the fitted log-odds; a company with none known gets the failure
    rate of the fitting data. The remainder of the centring is distributed over the ratios in proportion to their variance.
    """
    parts = [_values_at(values[:, i], cuts, logits[i]) for i, cuts in enumerate(edges)]
    means = np.array([part.mean() for part in parts])
    variances = np.array([part.var() for part in parts])
    remainder = offset + means.sum()
    shifts = means - remainder * variances / variances.sum()
    return tuple(Steps(cuts, each - shift) for cuts, each, shift in zip(edges, logits, shifts, strict=True))


def _values_at(column: Floats, edges: Floats, heights: NDArray[np.generic]) -> Floats:
    # `digitize` puts NaN after the last edge; a missing value is neutral.
    return np.where(np.isnan(column), 0.0, heights[np.digitize(column, edges)])


def _logit(rate: float) -> float:
    return float(np.log(rate / (1 - rate)))
