"""Measures of predicted failure probabilities (credit §8.3): AUC, Gini, KS, Brier score, calibration by decile."""

import math

import msgspec
import numpy as np
from numpy.typing import NDArray

from credence.backtest.calibration import DECILES, Part
from credence.backtest.discrimination import Cell, auc_of, wilson

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Measures(msgspec.Struct, frozen=True):
    """All measures of one model on one sample."""

    auc: float
    gini: float
    ks: float
    brier: float
    calibration_error: float
    """Mean distance between expected and observed rate over the deciles, weighted by number of companies."""
    deciles: tuple[Part, ...]


def measure(probabilities: Floats, failed: Flags) -> Measures:
    """Compare predicted probabilities with the outcomes. Both arrays have one entry for each company."""
    area = auc(probabilities, failed)
    deciles = calibration(probabilities, failed)
    distances = [each.companies * abs(each.expected - each.observed) for each in deciles]
    return Measures(
        auc=area,
        gini=2 * area - 1,
        ks=kolmogorov_smirnov(probabilities, failed),
        brier=float(np.mean((probabilities - failed) ** 2)),
        calibration_error=sum(distances) / len(failed),
        deciles=deciles,
    )


def auc(risk: Floats, failed: Flags) -> float:
    """Return the area under the ROC curve: P(risk of a failed company > risk of a surviving one), ties count half."""
    risks, places = np.unique(risk, return_inverse=True)
    bad, all_ = np.bincount(places[failed], minlength=len(risks)), np.bincount(places)
    area = auc_of([Cell(*each) for each in zip(risks.tolist(), bad.tolist(), (all_ - bad).tolist(), strict=True)])
    return math.nan if area is None else area


def kolmogorov_smirnov(risk: Floats, failed: Flags) -> float:
    """Return the Kolmogorov-Smirnov statistic between the risks of failed and of surviving companies."""
    points = np.unique(risk)
    bad, good = np.sort(risk[failed]), np.sort(risk[~failed])
    below = np.searchsorted(good, points, side="right") / len(good)
    return float(np.max(np.abs(below - np.searchsorted(bad, points, side="right") / len(bad))))


def calibration(probabilities: Floats, failed: Flags) -> tuple[Part, ...]:
    """Return the deciles of predicted risk, safest first, with Wilson intervals."""
    order = np.argsort(probabilities, kind="stable")
    parts = enumerate(np.array_split(order, DECILES), 1)
    return tuple(_decile(number, probabilities[part], failed[part]) for number, part in parts)


def _decile(number: int, probabilities: Floats, failed: Flags) -> Part:
    count, rate = len(failed), float(failed.mean())
    return Part(f"{number}", count, int(failed.sum()), float(probabilities.mean()), rate, *wilson(rate, count))
