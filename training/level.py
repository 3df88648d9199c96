"""The levels of the tables: the points of a typical company, so that UK companies together fail at the official rate.

Most companies are safer than the average, because the weakest carry most of the failures. So the first table lifts a
typical company above the base. Each later table gets the level at which it moves half of the UK filings up, half down.
"""

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from credence.scoring.basis.scale import POINTS_PER_LOGIT
from credence.scoring.points import PointsTable
from training.filings import Filings
from training.fit import total_points
from training.polish import Floats
from training.tables import CODES

Points = NDArray[np.int64]


def probabilities(points: Points, rate: float) -> Floats:
    """Return the probabilities of failure of companies with these points over a base of `rate`."""
    return np.asarray(1 / (1 + np.exp(points / POINTS_PER_LOGIT - np.log(rate / (1 - rate)))))


def level_of(points: Points, rate: float) -> int:
    """Return the whole level at which the mean probability of failure is nearest to `rate`."""
    level: float = brentq(lambda level: probabilities(points + level, rate).mean() - rate, -100, 100)
    return round(level)


def level_of_sum(points: Points, base: Floats, failures: float, weights: Floats) -> int:
    """Return the whole level at which companies of sectors with these rates have as many failures as there were."""
    logits = np.log(base / (1 - base)) - points / POINTS_PER_LOGIT

    def excess(level: float) -> float:
        return float(weights @ (1 / (1 + np.exp(level / POINTS_PER_LOGIT - logits)))) - failures

    found: float = brentq(excess, -200, 200)
    return round(found)


def with_levels(tables: Sequence[PointsTable], filings: Filings, rate: float) -> tuple[PointsTable, ...]:
    """Return the tables with their levels; `rate` is the failure rate of all companies, a share."""
    levels = [0]
    for number in range(1, len(tables)):
        added = total_points(tables[number : number + 1], filings.values, CODES)
        levels.append(-round(float(np.median(added[filings.has(number)]))))
    later = [msgspec.structs.replace(table, level=level) for table, level in zip(tables, levels, strict=True)]
    first = msgspec.structs.replace(tables[0], level=level_of(points_of_filings(later, filings), rate))
    return (first, *later[1:])


def points_of_filings(tables: Sequence[PointsTable], filings: Filings) -> Points:
    """Return the points of each filing by the tables that apply to it, with their levels."""
    total = np.full(len(filings.values), tables[0].level, dtype=np.int64)
    for number, table in enumerate(tables[1:], 1):
        total += np.where(filings.has(number), table.level, 0)
    return np.asarray(total + total_points(tables, filings.values, CODES))
