"""Measures the cohort of a backtest. Companies are counted by score, so memory does not grow with the register.

A corporate group has the companies that one company owns by majorities, directly or through others (credit §4.2).
"""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator

from credence.backtest.answer import LEAST_FAILURES, Answer, Drift, Group, Left, Rival
from credence.backtest.calibration import Probability, calibration, part
from credence.backtest.cohort import counts
from credence.backtest.discrimination import (
    Area,
    Cell,
    area,
    bounds,
    capture,
    cells_of,
    difference,
    grouping,
    totals,
)
from credence.backtest.outcomes import DISSOLVED, KINDS, UNKNOWN_LIQUIDATION, UNRESOLVED
from credence.backtest.plan import FILES, Plan
from credence.scoring.basis.scale import probability_of
from credence.scoring.model import Model
from credence.scoring.published.models import OHLSON
from credence.scoring.runs.figures import factors_of, stability_index

WORST = (0.05, 0.10, 0.20)

BREAKDOWNS = {
    "Section": "section",
    "Age of the company": "age",
    "Total assets": "size",
    "Accounts filed, by the register": "form",
    "Age of the figures": "accounts_age",
    "Tables of ratios": "ratios",
}
"""Title -> column."""

_RIVALS = {
    "Altman Z''": "-z",
    "Taffler z-score": "-taffler",
    "Zmijewski X": "zmijewski",
    "Days by which the accounts are overdue": "overdue",
    "Failure rate of the sector": "base",
}
"""Name -> SQL of its risk."""

FAILED = frozenset(kind for kind, class_ in KINDS.items() if class_ == "failed")
SURVIVED = frozenset(kind for kind, class_ in KINDS.items() if class_ == "survived")
OTHER = frozenset(kind for kind, class_ in KINDS.items() if class_ == "other")

_YEAR_MONTHS = 12


def answer(rows: sqlite3.Connection, plan: Plan, model: Model) -> Answer:
    """Return all measures."""
    counted, by_kind = counts(rows), _by_kind(rows)
    main = _cells(by_kind, FAILED, SURVIVED)
    groups = list(members(rows, FAILED, SURVIVED))
    probability = within(plan.months)
    whole = area(main, grouping(main, groups))
    left = _left(by_kind)
    return Answer(
        model=f"{model.version} {model.hash[:12]}",
        at=plan.at,
        until=plan.until,
        months=plan.months,
        files={name: tuple(file.name for file in getattr(plan, name)) for name in FILES},
        companies=counted.companies,
        excluded=dict(sorted(counted.excluded.items())),
        outcomes={kind: sum(by_kind[kind].values()) for kind in KINDS if kind in by_kind},
        failures_by_month=_by_month(rows),
        area=whole,
        area_with_other_ends=area(_cells(by_kind, FAILED, SURVIVED | OTHER)),
        area_of_dissolution=area(_cells(by_kind, frozenset({DISSOLVED}), SURVIVED)),
        groups=len(groups),
        left=left,
        calibration=calibration(main, probability, model.terms),
        captures=tuple(filter(None, (capture(main, worst) for worst in WORST))),
        breakdowns={title: tuple(_breakdown(rows, column, probability)) for title, column in BREAKDOWNS.items()},
        rivals=(
            *(_rival(rows, name, risk) for name, risk in _RIVALS.items()),
            Rival(OHLSON.name, _NOTHING, _NOTHING, None, f"No filing contains: {', '.join(OHLSON.never)}."),
        ),
        drift=tuple(_drift(model, counted.inputs)),
        caveats=tuple(_caveats(plan, whole, left)),
    )


_NOTHING = Area(0, 0, None)


def within(months: int) -> Probability:
    """Return the probability of failure within some months, by a score's risk; the score is of twelve."""
    share = months / _YEAR_MONTHS
    return lambda risk: 1 - (1 - probability_of(-risk)) ** share


def _by_kind(rows: sqlite3.Connection) -> dict[str, dict[float, int]]:
    """Return kind of outcome -> risk -> companies."""
    found: dict[str, dict[float, int]] = defaultdict(dict)
    for kind, score, companies in rows.execute("SELECT kind, score, count(*) FROM member GROUP BY kind, score"):
        found[kind][-score] = companies
    return found


def _cells(by_kind: dict[str, dict[float, int]], failed: frozenset[str], others: frozenset[str]) -> list[Cell]:
    return cells_of(
        (risk, companies * (kind in failed), companies * (kind in others))
        for kind, risks in by_kind.items()
        if kind in failed or kind in others
        for risk, companies in risks.items()
    )


def _by_month(rows: sqlite3.Connection) -> dict[str, int]:
    query = "SELECT kind, substr(day, 1, 7), count(*) FROM member WHERE day IS NOT NULL GROUP BY 1, 2 ORDER BY 2"
    months: dict[str, int] = defaultdict(int)
    for kind, month, companies in rows.execute(query):
        if kind in FAILED:
            months[month] += companies
    return dict(months)


def _left(by_kind: dict[str, dict[float, int]]) -> Left:
    """Return the bounds over every outcome of the companies whose outcome is not known."""
    sure = _cells(by_kind, FAILED - {UNKNOWN_LIQUIDATION}, SURVIVED)
    open_: dict[float, int] = defaultdict(int)
    for kind in (UNRESOLVED, UNKNOWN_LIQUIDATION):
        for risk, companies in by_kind.get(kind, {}).items():
            open_[risk] += companies
    failed, others = totals(sure)
    unknown = sum(open_.values())
    count = max(failed + others + unknown, 1)
    least, greatest = bounds(sure, open_)
    return Left(
        unresolved=sum(by_kind.get(UNRESOLVED, {}).values()),
        unknown_liquidations=sum(by_kind.get(UNKNOWN_LIQUIDATION, {}).values()),
        least_rate=failed / count,
        greatest_rate=(failed + unknown) / count,
        least_auc=least,
        greatest_auc=greatest,
    )


def _breakdown(rows: sqlite3.Connection, column: str, probability: Probability) -> Iterator[Group]:
    query = f"SELECT {column}, kind, score, count(*) FROM member GROUP BY 1, 2, 3"  # noqa: S608 - BREAKDOWNS
    found: dict[str, dict[str, dict[float, int]]] = defaultdict(lambda: defaultdict(dict))
    for name, kind, score, companies in rows.execute(query):
        found[name][kind][-score] = companies
    for name in sorted(found):
        cells = _cells(found[name], FAILED, SURVIVED)
        if cells:
            whole = part(name, cells, probability)
            yield Group(
                name,
                whole.companies,
                whole.failed,
                whole.expected,
                whole.observed,
                whole.low,
                whole.high,
                area(cells),
            )


def _rival(rows: sqlite3.Connection, name: str, risk: str) -> Rival:
    query = (
        f"SELECT -score, {risk}, kind, count(*) FROM member WHERE {risk} IS NOT NULL"  # noqa: S608 - _RIVALS
        " GROUP BY 1, 2, 3"
    )
    pairs: dict[tuple[float, float], list[int]] = {}
    for ours, theirs, kind, companies in rows.execute(query):
        if kind in FAILED or kind in SURVIVED:
            pairs.setdefault((ours, theirs), [0, 0])[kind not in FAILED] += companies
    counted = {risks: (failed, others) for risks, (failed, others) in pairs.items()}
    ours, theirs = (area(cells_of((risks[side], *each) for risks, each in counted.items())) for side in (0, 1))
    why_not = "" if counted else "No company has its inputs."
    return Rival(name, theirs, ours, difference(counted), why_not)


def _drift(model: Model, inputs: dict[str, dict[int, int]]) -> Iterator[Drift]:
    for code, factor in factors_of(model).items():
        then = [each.companies for each in factor.bins if each.companies is not None]
        now = [inputs.get(code, {}).get(place, 0) for place in range(len(factor.bins))]
        if len(then) == len(now) and (index := stability_index(then, now)) is not None:
            yield Drift(code, sum(now), index)


def _caveats(plan: Plan, whole: Area, left: Left) -> Iterable[str]:
    if whole.failed < LEAST_FAILURES:
        yield f"Failures: {whole.failed}. With fewer than {LEAST_FAILURES}, the area shows next to nothing."
    if left.unresolved:
        yield (
            f"{left.unresolved:,} companies left the register for an unknown reason. They are in no figure but the bounds."
        )
    if left.unknown_liquidations:
        yield (
            f"{left.unknown_liquidations:,} companies went into a liquidation of unknown kind and count as failed; some of"
            " them will have been solvent."
        )
    if plan.notices_are_complete:
        yield "The notices are said to be complete: who left without one of insolvency counts as dissolved."
    if not plan.notices and not plan.cases:
        yield "Without notices and cases, failures are known by the later register alone."
    if not plan.accounts:
        yield "No accounts were given, so the score rests on the register alone."
    if not plan.owners:
        yield "No persons with control were given, so the interval takes companies of one group for independent."
    if plan.months != _YEAR_MONTHS:
        yield f"The score is of twelve months, and the horizon has {plan.months}: probabilities are brought to it."


_LONGEST_CHAIN = 50


def tops(parents: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return each company of a group -> the company at its top. A circle of owners has its least number as its top."""
    of = dict(parents)
    found: dict[str, str] = {}
    for number in of:
        chain = [number]
        while (parent := of.get(chain[-1])) is not None and parent not in chain and len(chain) < _LONGEST_CHAIN:
            chain.append(parent)
        top = min(chain[chain.index(parent) :]) if parent in chain else chain[-1]
        found[number] = found[top] = top
    return found


def members(
    rows: sqlite3.Connection, failed: frozenset[str], others: frozenset[str]
) -> Iterator[list[tuple[float, bool]]]:
    """Yield the companies of each group of two or more: risk, and whether it failed. `failed` and `others` are kinds."""
    top = tops(rows.execute("SELECT number, parent FROM parent"))
    if not top:
        return
    groups: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    in_groups = "SELECT number FROM parent UNION SELECT parent FROM parent"
    query = f"SELECT number, score, kind FROM member WHERE number IN ({in_groups})"  # noqa: S608 - constants
    for number, score, kind in rows.execute(query):
        if kind in failed or kind in others:
            groups[top[number]].append((-score, kind in failed))
    yield from (each for each in groups.values() if len(each) > 1)
