"""Fits the register points on two snapshots of the register a year apart (credit §8.3).

The values come from the earlier snapshot alone. The ranges of each factor stay as they are; ranges with too few failures
are joined. A logistic regression with a ridge penalty fits all ranges at once, with the official rate of the sector as
offset. Companies are counted in cells of equal values, so memory does not grow with the register. Three companies in
ten, chosen by a hash of the number, are kept for the evaluation.
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

from credence.companies.facts.company import Company, Provenance, Sourced
from credence.datasets.sources.register.entry import EntryReader
from credence.datasets.sources.register.snapshot import chunks, table
from credence.datasets.sources.snapshot_files import snapshot_date
from credence.datasets.sources.source import LoadError
from credence.scoring.basis.day import Days
from credence.scoring.basis.scale import POINTS_PER_LOGIT
from credence.scoring.basis.sectors import base_of
from credence.scoring.conduct import CONDUCT
from credence.scoring.eligibility import unscored
from credence.scoring.legal import failure_of
from credence.scoring.model import Model
from credence.scoring.points import Bin, Factor, PointsTable
from training.measures import Measures, measure
from training.outcomes import INSOLVENCY, LaterRegister, Outcome, ReportedOutcomes, read_outcomes

MIN_FAILURES = 20
L2_PENALTY = 2.0
EVALUATED_OF_TEN = 3
"""Companies of ten that are evaluated and not fitted."""

UNKNOWN = -1
"""The range index of an unknown value."""

Cell = tuple[tuple[int, ...], float]
"""The range of each factor, and the sector's probability of failure."""

Floats = NDArray[np.float64]


class Cohort(msgspec.Struct):
    """The companies of the earlier snapshot. Both parts map a cell to [survived, failed]."""

    fitting: dict[Cell, list[int]]
    evaluation: dict[Cell, list[int]]
    outcomes: Counter[str]
    excluded: int = 0
    """Companies that are not scored or had failed before."""


class Evaluation(msgspec.Struct, frozen=True):
    """The measures of one set of points on the companies that were not fitted."""

    points: str
    measures: Measures


class Candidate(msgspec.Struct, frozen=True):
    """A candidate for the register points with its measures. Nothing uses it until a person installs it."""

    earlier: dt.date
    later: dt.date
    event: str
    caveats: tuple[str, ...]
    outcomes: dict[str, int]
    excluded: int
    observed_rate: float
    official_rate: float
    """Of the same companies, by the rates of their sectors; the points apply to this rate."""
    evaluations: tuple[Evaluation, ...]
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
    """Fit and evaluate a candidate.

    `progress` receives the number of rows read. Raises LoadError for files that are not snapshots of two days, and for
    fewer than MIN_FAILURES failures in either part.
    """
    since, until = snapshot_date(earlier), snapshot_date(later)
    if since is None or until is None or since >= until:
        raise LoadError("The names of the snapshots must contain their dates, and the second date must be later.")
    reported = read_outcomes(outcomes, event, model.legal, since, until)
    cohort = _cohort(earlier, LaterRegister(later, model.legal), reported, model, since, event, progress)
    for part in (cohort.fitting, cohort.evaluation):
        if sum(failed for _, failed in part.values()) < MIN_FAILURES:
            raise LoadError(f"Fewer than {MIN_FAILURES} companies failed in one part: too few to fit or to evaluate.")
    source = f"Register snapshots {since} and {until}; outcome: {event}"
    table = _fitted(cohort.fitting, model.conduct, version, source)
    survived, failed, expected = _rates(cohort)
    return Candidate(
        earlier=since,
        later=until,
        event=event,
        caveats=tuple(_caveats(since, until, event, reported)),
        outcomes=dict(cohort.outcomes),
        excluded=cohort.excluded,
        observed_rate=failed / (survived + failed),
        official_rate=expected,
        evaluations=tuple(_evaluations(cohort.evaluation, model.conduct, table)),
        table=table,
    )


def _cohort(
    files: Sequence[Path],
    later: LaterRegister,
    reported: ReportedOutcomes,
    model: Model,
    day: dt.date,
    event: str,
    progress: Callable[[int], None],
) -> Cohort:
    cohort, provenance, rows_read = Cohort({}, {}, Counter()), Provenance("the earlier snapshot", day), 0
    reader = EntryReader(day)
    days = Days(register=day, judgement=day)
    for chunk in chunks(files):
        found = table(chunk)
        rows_read += found.rows
        for entry in reader.read(found.columns).entries:
            company = Company(number=entry.number, register=Sourced(entry, provenance))
            if unscored(company, days) or failure_of(company, model.legal, days):
                cohort.excluded += 1
                continue
            outcome = reported.outcome(entry.number, later.outcome(entry.number), only_reported=event != INSOLVENCY)
            cohort.outcomes[outcome.name.lower()] += 1
            if outcome is not Outcome.CENSORED:
                evaluated = zlib.crc32(entry.number.encode()) % 10 < EVALUATED_OF_TEN
                part = cohort.evaluation if evaluated else cohort.fitting
                part.setdefault(_cell(company, model, days), [0, 0])[outcome is Outcome.FAILED] += 1
        progress(rows_read)
    return cohort


def _cell(company: Company, model: Model, days: Days) -> Cell:
    values = ((factor, CONDUCT[factor.code](company, days)) for factor in model.conduct.factors)
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
    """Return the ranges of a factor in groups of neighbours, each with enough failures if there are enough in all."""
    failures = Counter[int]()
    for (places, _), (_, failed) in cells.items():
        failures[places[place]] += failed
    groups = [[index] for index in range(len(factor.bins))]
    while len(groups) > 1:
        totals = [sum(failures[index] for index in group) for group in groups]
        scarce = totals.index(min(totals))
        if totals[scarce] >= MIN_FAILURES:
            break
        left = scarce > 0 and (scarce == len(groups) - 1 or totals[scarce - 1] <= totals[scarce + 1])
        first = scarce - 1 if left else scarce
        groups[first : first + 2] = [groups[first] + groups[first + 1]]
    return groups


def _group(index: int, groups: list[list[int]]) -> int:
    return next((place for place, group in enumerate(groups) if index in group), UNKNOWN)


def _one_hot(column: NDArray[np.int64], width: int) -> Floats:
    return np.asarray(column[:, None] == np.arange(width), dtype=np.float64)


def _weights(design: Floats, counts: Floats, offset: Floats) -> Floats:
    """Return the log-odds of failure that each range adds; the intercept takes the common level."""
    total, failed = counts.sum(axis=1), counts[:, 1]

    def loss(weights: Floats) -> tuple[float, Floats]:
        logits = offset + weights[0] + design @ weights[1:]
        residual = total / (1 + np.exp(-logits)) - failed
        value = np.sum(total * np.logaddexp(0, logits) - failed * logits) + L2_PENALTY * np.sum(weights[1:] ** 2)
        return float(value), np.concatenate([[residual.sum()], design.T @ residual + 2 * L2_PENALTY * weights[1:]])

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
    # Centred on the companies with a known value: the average company gets the rate of its sector.
    middle = float(companies @ weights / companies.sum())
    points = np.rint(-POINTS_PER_LOGIT * (weights - middle)).astype(int)
    bins = tuple(
        Bin(int(points[place]), factor.bins[group[-1]].below, int(companies[place]), int(failures[place]))
        for place, group in enumerate(groups)
    )
    return msgspec.structs.replace(factor, origin="fitted", source=source, bins=bins)


def _evaluations(cells: dict[Cell, list[int]], present: PointsTable, candidate: PointsTable) -> Iterator[Evaluation]:
    failed = np.concatenate([np.repeat([False, True], count) for count in cells.values()])
    sizes = [sum(count) for count in cells.values()]

    def evaluated(name: str, points: list[int]) -> Evaluation:
        logits = [
            math.log(base / (1 - base)) - each / POINTS_PER_LOGIT for (_, base), each in zip(cells, points, strict=True)
        ]
        return Evaluation(name, measure(np.repeat(1 / (1 + np.exp(-np.array(logits))), sizes), failed))

    yield evaluated("the sector's rate alone", [0] * len(cells))
    yield evaluated("the present points", [_points(places, present, present) for places, _ in cells])
    yield evaluated("the candidate", [_points(places, present, candidate) for places, _ in cells])


def _points(places: tuple[int, ...], present: PointsTable, table: PointsTable) -> int:
    """Return the points that `table` gives for ranges of the present table."""
    total = 0
    for place, old, new in zip(places, present.factors, table.factors, strict=True):
        if place != UNKNOWN:
            edge = old.bins[place].below
            total += next(b.points for b in new.bins if b.below is None or (edge is not None and edge <= b.below))
    return total


def _rates(cohort: Cohort) -> tuple[int, int, float]:
    survived = failed = 0
    expected = 0.0
    for part in (cohort.fitting, cohort.evaluation):
        for (_, base), (good, bad) in part.items():
            survived, failed, expected = survived + good, failed + bad, expected + base * (good + bad)
    return survived, failed, expected / (survived + failed)


def _caveats(since: dt.date, until: dt.date, event: str, reported: ReportedOutcomes) -> Iterator[str]:
    yield "A candidate: nothing uses it until a person has checked it and replaced the present points with it."
    yield "One pair of snapshots: it is evaluated on other companies of the same year, not on another year."
    yield "Factors that are not in the register keep their expert-set points."
    if event != INSOLVENCY:
        yield f"A test of the procedure only: the outcome is {event}, which is not insolvency. Do not use these points."
    elif not reported.failed and not reported.censored:
        yield "Without outcomes, failures that left the register are missed and solvent liquidations count as failures."
    if not 350 <= (until - since).days <= 380:
        yield f"The snapshots are {(until - since).days} days apart, not a year."
