"""Counts the results of a scoring run, company by company: bands, ranges of the inputs, changes since earlier runs.

A worker counts its share; the counts of all shares become the figures of the run (`datasets.score_reader`).

Drift is how much the scored companies differ from those of another run, or of the fitting data. The population stability
index of an input is the sum over its ranges of (share now - share then) x ln(share now / share then): Siddiqi, N. (2006),
Credit Risk Scorecards, chapter 9; its distribution: Yurdakul, B. and Naranjo, J. (2020), Journal of Risk Model Validation
14(4). By convention it is small below 0.1, and above 0.25 the population counts as a different one.
"""

import math
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from credence.datasets.score_reader import InputFigures, Moves, RunFigures, StoredScore
from credence.scoring.limit import band_of
from credence.scoring.model import Model
from credence.scoring.points import Factor
from credence.scoring.score import Score

COMPARED_RUNS = 12
"""The number of earlier runs with which each run is compared: a year of monthly runs."""

DIFFERENCES = (
    "-20 or less",
    "-19 to -10",
    "-9 to -5",
    "-4 to -1",
    "0",
    "+1 to +4",
    "+5 to +9",
    "+10 to +19",
    "+20 or more",
)
_LOWEST = (-19, -9, -4, 0, 1, 5, 10, 20)
"""The lowest difference of each range except the first."""

_FIRST, _ENDED, _UNKNOWN = "first", "ended", "unknown"

Row = tuple[str, int, str, str, int, int]
"""Kind of count, run or range, earlier band or code, band now, range of the difference, number of companies."""


class FigureCounts:
    """The counts of one share, or of all shares."""

    def __init__(self, model: Model, earlier: Iterable[int], stored: int) -> None:
        """`earlier` are the ids of the runs to compare with; a company has at most `stored` scores."""
        self._terms = model.terms
        self._factors = factors_of(model)
        self._earlier = sorted(earlier, reverse=True)[:COMPARED_RUNS]
        self._stored = stored
        self._counts: Counter[tuple[str, int, str, str, int]] = Counter()
        self._band_of = {score: band_of(score, model.terms).band for score in range(101)}

    def count(self, outcome: Score | None, past: Sequence[StoredScore]) -> None:
        """Count one company: its score now, None if it has none, and its scores by earlier runs, newest first."""
        if outcome is not None:
            self._counts["band", 0, outcome.band.band, "", 0] += 1
            for line in outcome.lines:
                if line.value is not None and (factor := self._factors.get(line.code)) is not None:
                    self._counts["input", range_of(factor, line.value), line.code, "", 0] += 1
        place = 0
        for run in self._earlier:
            while place < len(past) and past[place].run > run:
                place += 1
            if place == len(past):
                if outcome is not None:
                    what = _UNKNOWN if len(past) >= self._stored else _FIRST
                    self._counts[what, run, "", "", 0] += 1
            elif outcome is None:
                self._counts[_ENDED, run, "", "", 0] += 1
            else:
                then = past[place].score
                difference = bisect_right(_LOWEST, outcome.score - then)
                self._counts["move", run, self._band_of[then], outcome.band.band, difference] += 1

    def rows(self) -> list[Row]:
        """Return the counts in a form for another process."""
        return [(*key, companies) for key, companies in self._counts.items()]

    def add(self, rows: Iterable[Row]) -> None:
        """Add the counts of a share."""
        for *key, companies in rows:
            self._counts[tuple(key)] += companies  # type: ignore[index]  # five members, which the star hides

    def figures(self, companies: int, unscored: dict[str, int]) -> RunFigures:
        """Return the figures of the run."""
        bands, inputs = Counter[str](), defaultdict[str, Counter[int]](Counter)
        for (what, place, text, _, _), number in self._counts.items():
            if what == "band":
                bands[text] += number
            elif what == "input":
                inputs[text][place] += number
        return RunFigures(
            companies=companies,
            scored=bands.total(),
            unscored=unscored,
            bands=dict(sorted(bands.items())),
            inputs={code: _input(self._factors[code], found) for code, found in sorted(inputs.items())},
            moves={run: self._moves(run) for run in self._earlier},
        )

    def _moves(self, run: int) -> Moves:
        bands, differences, others = Counter[tuple[str, str]](), Counter[int](), Counter[str]()
        for (what, of, then, now, difference), number in self._counts.items():
            if of == run and what == "move":
                bands[then, now] += number
                differences[difference] += number
            elif of == run and what in {_FIRST, _ENDED, _UNKNOWN}:
                others[what] += number
        return Moves(
            tuple((*pair, number) for pair, number in sorted(bands.items())),
            tuple(differences[place] for place in range(len(DIFFERENCES))),
            others[_FIRST],
            others[_ENDED],
            others[_UNKNOWN],
        )


def factors_of(model: Model) -> dict[str, Factor]:
    """Return the factors of the model's tables by their codes."""
    return {factor.code: factor for table in (*model.ratios, model.conduct) for factor in table.factors}


def edges_of(factor: Factor) -> tuple[float, ...]:
    """Return the edges between the ranges of a factor."""
    return tuple(each.below for each in factor.bins if each.below is not None)


def range_of(factor: Factor, value: float) -> int:
    """Return the index of the range that contains a value."""
    return factor.bins.index(factor.bin_of(value))


def _input(factor: Factor, found: Counter[int]) -> InputFigures:
    return InputFigures(edges_of(factor), tuple(found[place] for place in range(len(factor.bins))))


SMALL, LARGE = 0.1, 0.25


def stability_index(then: Sequence[int], now: Sequence[int]) -> float | None:
    """Return the index of two populations, given the companies in each range; None if one of them is empty.

    An empty range counts as half a company, which keeps the logarithm finite. Raises ValueError if the numbers of ranges
    differ.
    """
    if not sum(then) or not sum(now):
        return None
    before, after = ([max(each, 0.5) / sum(counts) for each in counts] for counts in (then, now))
    return sum((there - here) * math.log(there / here) for here, there in zip(before, after, strict=True))
