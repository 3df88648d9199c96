"""Measures of predicted failure probabilities (credit §8.3): AUC, Gini, KS, Brier score, calibration by decile."""

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

DECILES = 10
Z_95 = 1.959964
"""Quantile of the normal distribution for 95 % intervals."""


class Decile(msgspec.Struct, frozen=True):
    """One tenth of the companies by predicted risk: mean predicted rate, observed rate and its 95 % interval."""

    companies: int
    expected: float
    observed: float
    low: float
    high: float


class Measures(msgspec.Struct, frozen=True):
    """All measures of one model on one sample."""

    auc: float
    gini: float
    ks: float
    brier: float
    calibration_error: float
    """Mean distance between expected and observed rate over the deciles, weighted by number of companies."""
    deciles: tuple[Decile, ...]


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
    ranks, bad = rankdata(risk), int(failed.sum())
    good = len(failed) - bad
    return float((ranks[failed].sum() - bad * (bad + 1) / 2) / (bad * good))


def kolmogorov_smirnov(risk: Floats, failed: Flags) -> float:
    """Return the Kolmogorov-Smirnov statistic between the risks of failed and of surviving companies."""
    points = np.unique(risk)
    bad, good = np.sort(risk[failed]), np.sort(risk[~failed])
    below = np.searchsorted(good, points, side="right") / len(good)
    return float(np.max(np.abs(below - np.searchsorted(bad, points, side="right") / len(bad))))


def calibration(probabilities: Floats, failed: Flags) -> tuple[Decile, ...]:
    """Return the deciles of predicted risk, safest first, with Wilson intervals."""
    order = np.argsort(probabilities, kind="stable")
    return tuple(_decile(probabilities[part], failed[part]) for part in np.array_split(order, DECILES))


def wilson(rate: float, count: int) -> tuple[float, float]:
    """Return the 95 % interval of a rate that was observed in `count` companies (Wilson 1927)."""
    middle = (rate + Z_95**2 / (2 * count)) / (1 + Z_95**2 / count)
    spread = Z_95 / (1 + Z_95**2 / count) * float(np.sqrt(rate * (1 - rate) / count + Z_95**2 / (4 * count**2)))
    return max(middle - spread, 0.0), middle + spread


def _decile(probabilities: Floats, failed: Flags) -> Decile:
    count, rate = len(failed), float(failed.mean())
    return Decile(count, float(probabilities.mean()), rate, *wilson(rate, count))
