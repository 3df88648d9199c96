"""Fits the points on what became of UK companies, and tries them on companies of a later time (credit §8.3).

The first backtest is fitted, the second one judges: it begins when the first has ended, so nothing of it can have been
known. The design is that of the shipped tables, with the facts of the register as a table of their own: points that add up,
pairs, and directions where finance has a view. What is fitted is what the rate of the sector leaves unexplained.

All failures are fitted, and of the others a fixed share, each of which counts for several: memory does not grow with the
register. Companies whose outcome is not known are not fitted, and the candidate must be better for any outcome of those of
the second backtest.
"""

import math
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np

from credence.backtest.cohort import codes_of, readable
from credence.backtest.measuring import FAILED, SURVIVED
from credence.backtest.plan import Plan
from credence.backtest.run import COHORT, is_finished, plan_of
from credence.datasets.sources.source import LoadError
from credence.scoring.basis.scale import POINTS_PER_LOGIT
from credence.scoring.model import RATIO_TABLES, Model, current_model
from credence.scoring.points import PointsTable
from training.fit import Origin, fit_tables
from training.level import level_of_sum
from training.polish import Flags, Floats
from training.tables import CODES, DESIGNS, Design, Ratio
from training.uk_judging import Verdict, judge
from training.uk_rows import chunks, points_of

MOST_SURVIVED = 300_000
"""Companies that survived and are fitted."""

LEAST_FAILED = 200
"""With fewer failures in either backtest there is nothing to fit or to judge."""

LEAST_SHOWN = 50
"""With fewer failures that show what a table of ratios adds, the present one is kept."""

_DIRECTIONS = {"accounts-overdue": 1, "confirmation-overdue": 1, "charges": 1, "change-in-net-assets": -1}
"""Facts of the register for which finance has a view; the hazard of an age rises and falls."""


class Candidate(msgspec.Struct, frozen=True):
    """The tables that were fitted, and what the second backtest says of them."""

    fitted: str
    judged: str
    """The days of the two backtests."""
    outcomes_fitted: dict[str, int]
    outcomes_judged: dict[str, int]
    """Kind of outcome -> companies, of which those that are not known are in neither fit nor area."""
    verdict: Verdict
    better: bool
    tables: tuple[PointsTable, ...]


def fit(first: Path, second: Path, version: str, model: Model | None = None) -> Candidate:
    """Fit on the backtest in the folder `first` and judge by the one in `second`.

    Raises LoadError if one of them was stopped, if the second begins before the first has ended, and for too few failures.
    """
    model = model or current_model()
    for folder in (first, second):
        if not is_finished(folder):
            raise LoadError(f"The backtest in {folder} was stopped: run its command again, and it goes on.")
    one, other = plan_of(first), plan_of(second)
    if other.at < one.until:
        raise LoadError(f"The second backtest begins on {other.at}, before the first has ended on {one.until}.")
    with readable(first / COHORT) as rows, readable(second / COHORT) as later:
        kinds, then = _kinds(rows), _kinds(later)
        for found in (kinds, then):
            if sum(found[kind] for kind in FAILED) < LEAST_FAILED:
                raise LoadError(f"A backtest has fewer than {LEAST_FAILED} failures: too few to fit or to judge.")
        tables = _fitted(rows, kinds, one, model, version)
        verdict = judge(later, tables, model, other.months)
    return Candidate(
        fitted=f"{one.at} to {one.until}",
        judged=f"{other.at} to {other.until}",
        outcomes_fitted=dict(kinds),
        outcomes_judged=dict(then),
        verdict=verdict,
        better=verdict.better,
        tables=tables,
    )


def write(found: Candidate, folder: Path, version: str) -> list[Path]:
    """Write the measures to a folder, and the tables only if they are better; return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    contents: dict[str, object] = {f"fit-{version}.json": found}
    if found.better:
        names = (f"{name}-points-{version}.json" for name in (*RATIO_TABLES, "conduct"))
        contents |= zip(names, found.tables, strict=True)
    for name, content in contents.items():
        (folder / name).write_bytes(msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n")
    return [folder / name for name in contents]


def facts_of(model: Model) -> Design:
    """Return the design of the facts of the register, with the ranges that its table has."""
    facts = (
        Ratio(
            factor.code,
            _DIRECTIONS.get(factor.code, 0),
            factor.words,
            edges=tuple(each.below for each in factor.bins if each.below is not None),
            unit=factor.unit,
        )
        for factor in model.conduct.factors
    )
    return Design("", 2, tuple(facts))


def _kinds(rows: sqlite3.Connection) -> Counter[str]:
    return Counter(dict(rows.execute("SELECT kind, count(*) FROM member GROUP BY kind").fetchall()))


def _fitted(
    rows: sqlite3.Connection, kinds: Counter[str], plan: Plan, model: Model, version: str
) -> tuple[PointsTable, ...]:
    every = max(1, math.ceil(sum(kinds[kind] for kind in SURVIVED) / MOST_SURVIVED))
    parts = [*chunks(rows, FAILED), *chunks(rows, SURVIVED, every)]
    values, base, failed = (np.concatenate([part[place] for part in parts]) for place in (0, 1, 2))
    weights, codes = np.where(failed, 1.0, float(every)), codes_of(model)
    shown = dict(zip(codes, ~np.isnan(values).T, strict=True))
    fitted = [_shown(design, shown) for design in DESIGNS if _failures_with(design, shown, failed) >= LEAST_SHOWN]
    facts = _shown(facts_of(model), shown)
    kept = model.ratios[len(fitted) :]
    names = [ratio.code for design in (*fitted, facts) for ratio in design.ratios]
    columns = values[:, [codes.index(name) for name in names]]
    typical = {code: float(np.nanmedian(column)) for code, column in zip(names, columns.T, strict=True)}
    origin = Origin(f"UK companies of {plan.at}, their outcomes by {plan.until}", "", {})
    logits = np.log(base / (1 - base)) - points_of(kept, values, codes) / POINTS_PER_LOGIT
    *ratios, conduct = fit_tables(columns, failed, typical, version, (*fitted, facts), origin, weights, logits)
    # A fact that no company shows keeps its points.
    found = {factor.code: factor for factor in conduct.factors}
    factors = tuple(found.get(factor.code, factor) for factor in model.conduct.factors)
    tables = (*ratios, *kept, msgspec.structs.replace(conduct, factors=factors))
    return _levelled(tables, len(ratios), values, codes, base, failed, weights)


def _failures_with(design: Design, shown: Mapping[str, Flags], failed: Flags) -> int:
    return int((failed & np.any([shown[code] for code in design.codes], axis=0)).sum())


def _shown(design: Design, shown: Mapping[str, Flags]) -> Design:
    """Return a design without what no company shows."""
    return design._replace(ratios=tuple(ratio for ratio in design.ratios if shown[ratio.code].any()))


def _levelled(
    tables: Sequence[PointsTable],
    fitted: int,
    values: Floats,
    codes: Sequence[str],
    base: Floats,
    failed: Flags,
    weights: Floats,
) -> tuple[PointsTable, ...]:
    """Return the tables with levels, so that as many companies without and with ratios fail as are expected to.

    The level of all is part of the points of the age, which every company has; `fitted` tables of ratios have the other.
    """
    *ratios, conduct = tables
    has_ratios = ~np.isnan(values[:, [place for place, code in enumerate(codes) if code in CODES]]).all(axis=1)
    points = points_of(tables, values, codes)

    def level(inside: Flags) -> int:
        if not (inside & failed).any():
            return 0
        return level_of_sum(points[inside], base[inside], float(weights[inside] @ failed[inside]), weights[inside])

    common = level(np.asarray(~has_ratios if fitted else np.ones_like(failed)))
    age, *others = conduct.factors
    raised = tuple(msgspec.structs.replace(each, points=each.points + common) for each in age.bins)
    conduct = msgspec.structs.replace(conduct, factors=(msgspec.structs.replace(age, bins=raised), *others))
    if fitted:
        ratios[0] = msgspec.structs.replace(ratios[0], level=level(np.asarray(has_ratios)) - common)
    return (*ratios, conduct)
