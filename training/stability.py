"""How the tables do on UK filings, of which no outcome is known: their level, their agreement, and how the inputs differ."""

from collections.abc import Iterator, Sequence

import msgspec
import numpy as np

from credence.scoring.basis.scale import POINTS_PER_LOGIT, score_of
from credence.scoring.points import PointsTable
from credence.scoring.runs.figures import stability_index
from training.filings import Filings
from training.level import points_of_filings, probabilities
from training.polish import Floats
from training.tables import CODES

BINS = 10

SIZES = ((0, 50_000), (50_000, 500_000), (500_000, np.inf))
"""Ranges of total assets in pounds."""


class Level(msgspec.Struct, frozen=True):
    """The mean probability by one table and those before it over the filings, as a multiple of the official rate."""

    name: str
    filings: int
    all_filings: float
    own_filings: float
    """Of the filings that show what the table adds."""


class Gap(msgspec.Struct, frozen=True):
    """Points by which a table moves the score of the same sheet, over the filings that show what it adds."""

    name: str
    filings: int
    median: float
    """Of the sizes of the gaps."""
    lower: float
    upper: float
    """The quartiles of the gaps, with their sign."""


class Group(msgspec.Struct, frozen=True):
    """The filings of one segment, scored over the national base."""

    name: str
    filings: int
    median_score: float
    mean_probability: float


class Shift(msgspec.Struct, frozen=True):
    """The population stability index of one input between the fitting data and the filings that show it."""

    code: str
    filings: int
    index: float


class Abroad(msgspec.Struct, frozen=True):
    """All measures on the UK filings."""

    filings: int
    levels: tuple[Level, ...]
    gaps: tuple[Gap, ...]
    groups: tuple[Group, ...]
    shifts: tuple[Shift, ...]


def measure_filings(tables: Sequence[PointsTable], filings: Filings, fitting: Floats, rate: float) -> Abroad:
    """Measure the tables; `fitting` has the inputs of the fitting data, `rate` is that of all companies."""
    points = [points_of_filings(tables[: number + 1], filings) for number in range(len(tables))]
    chances = [probabilities(each, rate) for each in points]
    shown = [filings.has(number) for number in range(len(tables))]
    levels = tuple(
        Level(table.name, int(has.sum()), float(chance.mean() / rate), float(chance[has].mean() / rate))
        for table, chance, has in zip(tables, chances, shown, strict=True)
    )
    gaps = []
    for number in range(1, len(tables)):
        gap = (points[number] - points[number - 1])[shown[number]]
        lower, upper = np.quantile(gap, (0.25, 0.75))
        gaps.append(Gap(tables[number].name, len(gap), float(np.median(np.abs(gap))), float(lower), float(upper)))
    return Abroad(
        len(filings.values),
        levels,
        tuple(gaps),
        tuple(_groups(filings, chances[-1], rate)),
        tuple(_shift(code, fitting[:, i], filings.values[:, i]) for i, code in enumerate(CODES)),
    )


def _groups(filings: Filings, chances: Floats, rate: float) -> Iterator[Group]:
    scores = score_of(rate) - POINTS_PER_LOGIT * (np.log(chances / (1 - chances)) - np.log(rate / (1 - rate)))
    standards = np.array(filings.standards)
    named = {f"form of filing: {name}": standards == name for name in sorted(set(filings.standards))}
    for low, high in SIZES:
        words = f"total assets of {low:,} and more" if high == np.inf else f"total assets of {low:,} to {high:,}"
        named[words] = (filings.total_assets >= low) & (filings.total_assets < high)
    for name, inside in named.items():
        if inside.any():
            yield Group(name, int(inside.sum()), float(np.median(scores[inside])), float(chances[inside].mean()))


def _shift(code: str, fitting: Floats, filings: Floats) -> Shift:
    """Return the index over tenths of the fitting data."""
    known, found = fitting[~np.isnan(fitting)], filings[~np.isnan(filings)]
    edges = np.unique(np.quantile(known, np.arange(1, BINS) / BINS))
    there, here = (np.bincount(np.digitize(each, edges), minlength=len(edges) + 1) for each in (known, found))
    return Shift(code, len(found), stability_index(there.tolist(), here.tolist()) or 0.0)
