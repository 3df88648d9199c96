"""Judges points that were fitted on one backtest by the companies of a later one, beside the present points."""

import math
import sqlite3
from collections import Counter
from collections.abc import Sequence

import msgspec
import numpy as np

from credence.backtest.cohort import codes_of
from credence.backtest.discrimination import Area, Difference, area, cells_of, difference
from credence.backtest.measuring import FAILED, SURVIVED, within
from credence.backtest.outcomes import UNRESOLVED
from credence.datasets.sources.source import LoadError
from credence.scoring.basis.scale import POINTS_PER_LOGIT, score_of
from credence.scoring.model import Model
from credence.scoring.points import PointsTable
from training.polish import Floats
from training.uk_rows import chunks, points_of


class Measured(msgspec.Struct, frozen=True):
    """One set of points on the companies of the second backtest."""

    area: Area
    log_score: float


class Verdict(msgspec.Struct, frozen=True):
    """What the second backtest says of a candidate."""

    present: Measured
    candidate: Measured
    difference: Difference
    """The area of the candidate less that of the present points."""
    if_unknown_survived: float
    if_unknown_failed: float
    """The same difference if all companies whose outcome is not known did."""

    @property
    def better(self) -> bool:
        """Whether it ranks better beyond chance for any outcome of the unknown ones, and expects failures no worse."""
        low = self.difference.low
        extremes = min(self.if_unknown_survived, self.if_unknown_failed)
        return low is not None and low > 0 and extremes > 0 and self.candidate.log_score <= self.present.log_score


def judge(rows: sqlite3.Connection, tables: Sequence[PointsTable], model: Model, months: int) -> Verdict:
    """Compare the points of `tables` with those of the model on a backtest with a horizon of `months`.

    Raises LoadError if none of its companies failed.
    """
    codes = codes_of(model)
    known: Counter[tuple[int, int, bool]] = Counter()
    unknown: Counter[tuple[int, int]] = Counter()
    unresolved = frozenset({UNRESOLVED})
    for class_ in (FAILED, SURVIVED, unresolved):
        for values, base, failed, points in chunks(rows, class_):
            ours = points_of(tables, values, codes) + np.rint(_score_of(base)).astype(np.int64)
            pairs = zip((-ours).tolist(), (-points).tolist(), failed.tolist(), strict=True)
            if class_ == unresolved:
                unknown.update((risk, now) for risk, now, _ in pairs)
            else:
                known.update(pairs)
    counts = _counts(known)
    found = difference(counts)
    if found is None:
        raise LoadError("The second backtest has no failure that could judge.")
    survived, gone = (_with(counts, unknown, failed=failed) for failed in (False, True))
    candidate, present = (_measured(counts, place, months) for place in (0, 1))
    return Verdict(present, candidate, found, survived, gone)


Pairs = dict[tuple[float, float], tuple[int, int]]


def _counts(known: Counter[tuple[int, int, bool]]) -> Pairs:
    risks = {key[:2] for key in known}
    return {(one, other): (known[one, other, True], known[one, other, False]) for one, other in risks}


def _with(counts: Pairs, unknown: Counter[tuple[int, int]], *, failed: bool) -> float:
    """Return the difference if all unknown companies have failed, or have survived."""
    both = dict(counts)
    for risks, companies in unknown.items():
        bad, good = both.get(risks, (0, 0))
        both[risks] = (bad + companies, good) if failed else (bad, good + companies)
    found = difference(both)
    return found.difference if found else 0.0


def _measured(counts: Pairs, place: int, months: int) -> Measured:
    cells = cells_of((risks[place], *each) for risks, each in counts.items())
    probability, loss, companies = within(months), 0.0, 0
    for risk, failed, others in cells:
        chance = min(max(probability(risk), 1e-9), 1 - 1e-9)
        loss -= failed * math.log(chance) + others * math.log(1 - chance)
        companies += failed + others
    return Measured(area(cells), loss / companies)


def _score_of(base: Floats) -> Floats:
    """Return the score of the rate of each company's sector."""
    return np.asarray(score_of(0.5) - POINTS_PER_LOGIT * np.log(base / (1 - base)))
