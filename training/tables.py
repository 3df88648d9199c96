"""The designs of the two tables of ratio points: their ratios, directions and sentences (credit §7.1, layer b)."""

import math
from itertools import pairwise
from typing import NamedTuple

from credence.scoring.points import Bin, Factor, PointsTable
from training.fit import Fit, Steps, fit
from training.polish import COLUMNS, LICENCE, SOURCE, Floats, Sample


class Ratio(NamedTuple):
    """One ratio of a table. `direction` is 1 where a higher ratio is riskier, -1 where it is safer."""

    code: str
    direction: int
    words: str
    lowers: str
    raises: str


class Design(NamedTuple):
    """One table to be fitted."""

    name: str
    needs: tuple[str, ...]
    ratios: tuple[Ratio, ...]

    @property
    def columns(self) -> tuple[int, ...]:
        """The numbers of these ratios' columns in the Polish data."""
        return tuple(COLUMNS[ratio.code] for ratio in self.ratios)

    @property
    def directions(self) -> tuple[int, ...]:
        """The direction of each ratio."""
        return tuple(ratio.direction for ratio in self.ratios)


FULL = Design(
    "full",
    needs=("quick-ratio", "reserves"),
    ratios=(
        Ratio(
            "quick-ratio",
            -1,
            "Quick assets to short-term creditors",
            "Debtors and cash cover little of what is due within a year.",
            "Debtors and cash cover what is due within a year.",
        ),
        Ratio(
            "cash-ratio",
            -1,
            "Cash to short-term creditors",
            "There is little cash against what is due within a year.",
            "There is cash against what is due within a year.",
        ),
        Ratio(
            "reserves",
            -1,
            "Reserves to total assets",
            "Reserves are thin or negative for the size of the balance sheet.",
            "Reserves carry a good part of the balance sheet.",
        ),
        Ratio(
            "retained-earnings",
            -1,
            "Retained earnings to total assets",
            "Little or no profit has been kept in the company.",
            "Profits have been kept in the company.",
        ),
    ),
)

SHORT = Design(
    "short",
    needs=(),
    ratios=(
        Ratio(
            "working-capital",
            -1,
            "Working capital to total assets",
            "Short-term creditors outweigh current assets.",
            "Current assets outweigh short-term creditors.",
        ),
        Ratio(
            "current-ratio",
            -1,
            "Current assets to short-term creditors",
            "Current assets cover little of what is due within a year.",
            "Current assets cover what is due within a year.",
        ),
        Ratio(
            "equity",
            -1,
            "Net assets to total assets",
            "Net assets are thin or negative for the size of the balance sheet.",
            "Net assets carry a good part of the balance sheet.",
        ),
        Ratio(
            "current-liabilities",
            1,
            "Short-term creditors to total assets",
            "Much of the balance sheet is owed within a year.",
            "Little of the balance sheet is owed within a year.",
        ),
    ),
)

DESIGNS = (FULL, SHORT)


def fit_table(design: Design, sample: Sample, version: str) -> PointsTable:
    """Fit a table on the whole sample and return it in the form that is shipped."""
    values = sample.columns(design.columns)
    fitted = fit(values, sample.failed, design.directions)
    return PointsTable(
        version=version,
        source=SOURCE,
        licence=LICENCE,
        name=design.name,
        needs=design.needs,
        factors=tuple(_factor(ratio, i, fitted, values, sample) for i, ratio in enumerate(design.ratios)),
    )


def _factor(ratio: Ratio, index: int, fitted: Fit, values: Floats, sample: Sample) -> Factor:
    return Factor(
        code=ratio.code,
        words=ratio.words,
        unit="ratio",
        origin="fitted",
        source=f"Column X{COLUMNS[ratio.code]}",
        lowers=ratio.lowers,
        raises=ratio.raises,
        bins=_bins(fitted.steps[index], values[:, index], sample),
    )


def _bins(steps: Steps, column: Floats, sample: Sample) -> tuple[Bin, ...]:
    """Return the bins with whole points; neighbours with equal points become one bin."""
    points = [int(each) for each in steps.points()]
    joined = [
        (float(edge), low) for edge, (low, high) in zip(steps.edges, pairwise(points), strict=True) if low != high
    ]
    bins, lower = [], -math.inf
    for upper, worth in (*joined, (math.inf, points[-1])):
        inside = (column >= lower) & (column < upper)
        below = None if upper == math.inf else upper
        bins.append(Bin(worth, below, companies=int(inside.sum()), failures=int(sample.failed[inside].sum())))
        lower = upper
    return tuple(bins)
