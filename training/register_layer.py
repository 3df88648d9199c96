"""Fits the register points on two snapshots of the register a year apart (credit §8.3).

Values are those of the earlier snapshot alone. The ranges of each factor stay as they are, joined where too few failed;
a logistic regression finds what each is worth on top of the official rate of the sector, all of them at once, with a
ridge. Companies are counted in cells of equal values, so memory does not grow with the register. Three in ten
companies, by a hash of the number, are only judged.
"""

import datetime as dt
import math
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from credence.companies.facts.company import Company, Sourced
from credence.companies.facts.provenance import Provenance
from credence.datasets.sources import LoadError
from credence.datasets.sources.register.entry import RowError, read_entry
from credence.datasets.sources.register.snapshot import chunks, rows, snapshot_date
from credence.scoring.conduct import CONDUCT
from credence.scoring.day import Days
from credence.scoring.eligibility import unscored
from credence.scoring.legal import failure_of
from credence.scoring.model import Model
from credence.scoring.points import Bin, Factor, PointsTable
from credence.scoring.scale import POINTS_PER_LOGIT
from credence.scoring.sectors import base_of
from training.measures import Measures, measure
from training.outcomes import INSOLVENCY, LaterRegister, Outcome, Told, read_told

FEWEST_FAILURES = 20
RIDGE = 2.0
HELD_OUT = 3
"""Companies of ten that are judged and not fitted."""

UNKNOWN = -1
"""Stands for the range of a value that is not known."""

Cell = tuple[tuple[int, ...], float]
"""The range of each factor, and the sector's probability of failure."""

Floats = NDArray[np.float64]
Counts = dict[Outcome, int]


class Counted(msgspec.Struct):
    """The companies of the earlier snapshot."""

    fitting: dict[Cell, list[int]] = {}
    """Cell -> survived, failed."""
    judging: dict[Cell, list[int]] = {}
    outcomes: Counter[str] = Counter()
    left_out: int = 0
    """Not scored, or failed already."""


class Judged(msgspec.Struct, frozen=True):
    """How one set of points does on the companies that were not fitted."""

    points: str
    measures: Measures


class Candidate(msgspec.Struct, frozen=True):
    """A candidate for the register points, and how it does; nothing uses it before a person decides so."""

    earlier: dt.date
    later: dt.date
    event: str
    caveats: tuple[str, ...]
    outcomes: dict[str, int]
    left_out: int
    observed_rate: float
    official_rate: float
    """Of the same companies, by the rates of their sectors; the points are for this one."""
    judged: tuple[Judged, ...]
    table: PointsTable


def train(
    earlier: Sequence[Path],
    later: Sequence[Path],
    outcomes: Sequence[Path],
    model: Model,
    version: str,
    event: str = INSOLVENCY,
    progress: Callable[[int], None] = lambda _: None,
) -> Candidate:
    """Fit and judge. Raises LoadError for files that are no snapshots of two days or hold too few failures."""
    since, until = snapshot_date(earlier), snapshot_date(later)
    if since is None or until is None or since >= until:
        raise LoadError("The names of the snapshots must give their days, and the second a later one.")
    told = read_told(outcomes, event, model.legal, since, until)
    counted = _count(earlier, LaterRegister(later, model.legal), told, model, since, event, progress)
    for part in (counted.fitting, counted.judging):
        if sum(failed for _, failed in part.values()) < FEWEST_FAILURES:
            raise LoadError(f"Fewer than {FEWEST_FAILURES} companies failed in a part: too few to fit or to judge.")
    source = f"Register snapshots {since} and {until}; outcome: {event}"
    table = _fitted(counted.fitting, model.conduct, version, source)
    survived, failed, expected = _rates(counted)
    return Candidate(
        earlier=since,
        later=until,
        event=event,
        caveats=tuple(_caveats(since, until, event, told)),
        outcomes=dict(counted.outcomes),
        left_out=counted.left_out,
        observed_rate=failed / (survived + failed),
        official_rate=expected,
        judged=tuple(_judged(counted.judging, model.conduct, table)),
        table=table,
    )


def _count(
    files: Sequence[Path],
    later: LaterRegister,
    told: Told,
    model: Model,
    day: dt.date,
    event: str,
    progress: Callable[[int], None],
) -> Counted:
    counted, said, read = Counted({}, {}, Counter()), Provenance("the earlier snapshot", day), 0
    days = Days(register=day, judgement=day)
    for chunk in chunks(files):
        for cells in rows(chunk):
            read += 1
            try:
                entry = read_entry(cells, Counter(), day) if cells else None
            except RowError:
                entry = None
            if entry is None:
                continue
            company = Company(number=entry.number, register=Sourced(entry, said))
            if unscored(company, days) or failure_of(company, model.legal, days):
                counted.left_out += 1
                continue
            outcome = told.outcome(entry.number, later.outcome(entry.number), only_told=event != INSOLVENCY)
            counted.outcomes[outcome.name.lower()] += 1
            if outcome is not Outcome.CENSORED:
                judging = zlib.crc32(entry.number.encode()) % 10 < HELD_OUT
                part = counted.judging if judging else counted.fitting
                part.setdefault(_cell(company, model, day), [0, 0])[outcome is Outcome.FAILED] += 1
        progress(read)
    return counted


def _cell(company: Company, model: Model, day: dt.date) -> Cell:
    values = ((factor, CONDUCT[factor.code](company, day)) for factor in model.conduct.factors)
    places = tuple(UNKNOWN if value is None else factor.bins.index(factor.bin_of(value)) for factor, value in values)
    return places, base_of(company, model.sectors).probability


def _fitted(cells: dict[Cell, list[int]], table: PointsTable, version: str, source: str) -> PointsTable:
    joined = [_joined(cells, place, factor) for place, factor in enumerate(table.factors)]
    columns = [np.array([_group(cell[0][place], groups) for cell in cells]) for place, groups in enumerate(joined)]
    design = np.hstack([_one_hot(column, len(groups)) for column, groups in zip(columns, joined, strict=True)])
    counts = np.array(list(cells.values()), dtype=np.float64)
    offset = np.array([math.log(base / (1 - base)) for _, base in cells])
    weights = np.split(_weights(design, counts, offset), np.cumsum([len(groups) for groups in joined])[:-1])
    factors = zip(table.factors, joined, columns, weights, strict=True)
    return PointsTable(
        version=version, source=source, factors=tuple(_factor(*each, counts, source) for each in factors)
    )


def _joined(cells: dict[Cell, list[int]], place: int, factor: Factor) -> list[list[int]]:
    """Return the ranges of a factor in groups of neighbours, each with enough failures where there are enough."""
    failures = Counter[int]()
    for (places, _), (_, failed) in cells.items():
        failures[places[place]] += failed
    groups = [[index] for index in range(len(factor.bins))]
    while len(groups) > 1:
        held = [sum(failures[index] for index in group) for group in groups]
        scarce = held.index(min(held))
        if held[scarce] >= FEWEST_FAILURES:
            break
        left = scarce > 0 and (scarce == len(groups) - 1 or held[scarce - 1] <= held[scarce + 1])
        first = scarce - 1 if left else scarce
        groups[first : first + 2] = [groups[first] + groups[first + 1]]
    return groups


def _group(index: int, groups: list[list[int]]) -> int:
    return next((place for place, group in enumerate(groups) if index in group), UNKNOWN)


def _one_hot(column: NDArray[np.int64], width: int) -> Floats:
    return np.asarray(column[:, None] == np.arange(width), dtype=np.float64)


def _weights(design: Floats, counts: Floats, offset: Floats) -> Floats:
    """Return what each range adds to the log-odds of failure; the level that is left over is the intercept's."""
    total, failed = counts.sum(axis=1), counts[:, 1]

    def loss(weights: Floats) -> tuple[float, Floats]:
        logits = offset + weights[0] + design @ weights[1:]
        residual = total / (1 + np.exp(-logits)) - failed
        value = np.sum(total * np.logaddexp(0, logits) - failed * logits) + RIDGE * np.sum(weights[1:] ** 2)
        return float(value), np.concatenate([[residual.sum()], design.T @ residual + 2 * RIDGE * weights[1:]])

    start = np.zeros(design.shape[1] + 1)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 5_000})
    return np.asarray(found.x[1:])


def _factor(
    factor: Factor, groups: list[list[int]], column: NDArray[np.int64], weights: Floats, counts: Floats, source: str
) -> Factor:
    companies = np.array([counts[column == place].sum() for place in range(len(groups))])
    failures = np.array([counts[column == place, 1].sum() for place in range(len(groups))])
    if not companies.sum():
        return factor
    # Centred on the companies of which it is known: a company like the average gets the rate of its sector.
    middle = float(companies @ weights / companies.sum())
    points = np.rint(-POINTS_PER_LOGIT * (weights - middle)).astype(int)
    bins = tuple(
        Bin(int(points[place]), factor.bins[group[-1]].below, int(companies[place]), int(failures[place]))
        for place, group in enumerate(groups)
    )
    return msgspec.structs.replace(factor, origin="fitted", source=source, bins=bins)


def _judged(cells: dict[Cell, list[int]], present: PointsTable, candidate: PointsTable) -> Iterator[Judged]:
    failed = np.concatenate([np.repeat([False, True], count) for count in cells.values()])
    sizes = [sum(count) for count in cells.values()]

    def judged(name: str, points: list[int]) -> Judged:
        logits = [
            math.log(base / (1 - base)) - each / POINTS_PER_LOGIT for (_, base), each in zip(cells, points, strict=True)
        ]
        return Judged(name, measure(np.repeat(1 / (1 + np.exp(-np.array(logits))), sizes), failed))

    yield judged("the sector's rate alone", [0] * len(cells))
    yield judged("the present points", [_points(places, present, present) for places, _ in cells])
    yield judged("the candidate", [_points(places, present, candidate) for places, _ in cells])


def _points(places: tuple[int, ...], present: PointsTable, table: PointsTable) -> int:
    """Return what a table gives for ranges of the present one."""
    total = 0
    for place, old, new in zip(places, present.factors, table.factors, strict=True):
        if place != UNKNOWN:
            edge = old.bins[place].below
            total += next(b.points for b in new.bins if b.below is None or (edge is not None and edge <= b.below))
    return total


def _rates(counted: Counted) -> tuple[int, int, float]:
    survived = failed = 0
    expected = 0.0
    for part in (counted.fitting, counted.judging):
        for (_, base), (good, bad) in part.items():
            survived, failed, expected = survived + good, failed + bad, expected + base * (good + bad)
    return survived, failed, expected / (survived + failed)


def _caveats(since: dt.date, until: dt.date, event: str, told: Told) -> Iterator[str]:
    yield "A candidate: nothing uses it before a person has looked at it and put it in the place of the present points."
    yield "One pair of snapshots: it is judged on other companies of the same year, not on another year."
    yield "Factors that the register alone does not tell keep their expert-set points."
    if event != INSOLVENCY:
        yield f"For the mechanics only: the outcome is {event}, which is not insolvency. These points must not be used."
    elif not told.failed and not told.censored:
        yield "No outcomes are given: failures that left the register are missed, solvent liquidations count as failures."
    if not 350 <= (until - since).days <= 380:
        yield f"The snapshots are {(until - since).days} days apart, not a year."
