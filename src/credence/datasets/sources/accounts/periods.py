"""Arranges facts in the columns of a filing: one figure for each field, entity and period, as filed (credit §3.2)."""

import datetime as dt
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from typing import NamedTuple

from credence.companies.facts.accounts import Figure, Method
from credence.datasets.sources.accounts.contexts import Dimensions
from credence.datasets.sources.accounts.document import Fact
from credence.datasets.sources.accounts.fields import (
    COMPANY,
    FLOWS,
    FRC,
    GROUP,
    LATER,
    NOTES,
    UK_GAAP,
    WITHOUT_UNIT,
    by_form,
    is_other_equity,
)

_MONEY = re.compile(r"iso4217:([A-Z]{3})")
_STATEMENT_OF_EQUITY = {"equity", "share_capital", "retained_earnings"}
_STATEMENTS_OF_GROUP = _STATEMENT_OF_EQUITY | {"cash"}
"""Statements with an opening column. A group also files one of cash flows; a dormant company may have nothing but cash."""
_MAX_PERIOD = dt.timedelta(days=556)
"""The longest accounting period.

It is eighteen months, and the seven days by which a year may end earlier or later (Companies Act 2006, s. 390 and 392).
"""
_FORMS = {True: by_form(FRC), False: by_form(UK_GAAP)}


class Column(NamedTuple):
    """The figures of one entity for one period, as filed."""

    end: dt.date
    start: dt.date | None
    figures: dict[str, Figure]
    rounding: int
    """The coarsest unit to which its figures are rounded."""
    other_equity: bool = False
    """Whether a class of equity other than share capital and retained earnings is filed, such as a share premium."""


class _FieldFact(NamedTuple):
    fact: Fact
    field: str
    rank: int


_Starts = Mapping[dt.date, Counter[dt.date]]
"""Last day of a period -> first days, with the number of facts of each."""


def currency_of(facts: Iterable[Fact]) -> str:
    """Return the currency of most amounts of a filing as an ISO 4217 code; empty for a filing without amounts."""
    of_unit = cache(_currency)
    counts = Counter(found for fact in facts if fact.unit and (found := of_unit(fact.unit)))
    return counts.most_common(1)[0][0] if counts else ""


def columns(
    facts: Sequence[Fact], *, frc: bool, currency: str, balance_sheet: dt.date
) -> tuple[list[Column], list[Column]]:
    """Return the columns of the legal entity and those of the group, each newest first."""
    forms, of_unit = _FORMS[frc], cache(_currency)
    found: dict[bool, list[_FieldFact]] = {False: [], True: []}
    """Whether the facts are the group's -> facts."""
    other_equity: set[tuple[bool, dt.date]] = set()
    for fact in facts:
        if fact.value is None or fact.context.end > balance_sheet:
            continue
        of_group, dimensions = GROUP in fact.context.dimensions, _without_entity(fact.context.dimensions)
        place = forms.get((fact.name, dimensions))
        if place and (place[0] in WITHOUT_UNIT or of_unit(fact.unit) == currency != ""):
            found[of_group].append(_FieldFact(fact, *place))
        elif fact.value and is_other_equity(fact.name, dimensions):
            other_equity.add((of_group, fact.context.end))
    starts = _starts(facts)
    own = _columns(found[False], starts, balance_sheet, _STATEMENT_OF_EQUITY)
    group = _columns(found[True], starts, balance_sheet, _STATEMENTS_OF_GROUP)
    own = [column._replace(other_equity=(False, column.end) in other_equity) for column in own]
    group = [column._replace(other_equity=(True, column.end) in other_equity) for column in group]
    return own, group


def _currency(unit: str) -> str:
    """Return the currency of a unit; empty for other units, and for those that are not an ISO 4217 code."""
    form = _MONEY.fullmatch(unit)
    return form[1] if form else ""


def _without_entity(dimensions: Dimensions) -> Dimensions:
    return tuple(each for each in dimensions if each not in (GROUP, COMPANY)) if dimensions else ()


def _columns(
    found: list[_FieldFact], starts: _Starts, balance_sheet: dt.date, opening: AbstractSet[str]
) -> list[Column]:
    by_end: dict[dt.date, list[_FieldFact]] = defaultdict(list)
    for each in found:
        by_end[each.fact.context.end].append(each)
    made = [_column(end, by_end[end], starts.get(end, Counter())) for end in sorted(by_end, reverse=True)]
    # The opening balance in a statement of changes in equity, in cash flows or in a note is no column of the balance sheet.
    return [
        column
        for column in made
        if column.end == balance_sheet or not column.figures.keys() <= opening | NOTES or len(made) == 1
    ]


def _column(end: dt.date, found: list[_FieldFact], starts: Counter[dt.date]) -> Column:
    flows = Counter(each.fact.context.start for each in found if each.fact.context.start)
    start = _start(flows or starts)
    by_field: dict[str, list[_FieldFact]] = defaultdict(list)
    for each in found:
        if each.field not in FLOWS or each.fact.context.start in (start, None):
            by_field[each.field].append(each)
    chosen = {field: _choose(candidates) for field, candidates in by_field.items()}
    figures = {
        field: Figure(fact.value, Method.REPORTED, fact.name, fact.context.dimensions)
        for field, fact in chosen.items()
        if fact.value is not None
    }
    lines = [fact.rounding for field, fact in chosen.items() if field not in NOTES and field not in LATER]
    rounding = max(lines or [fact.rounding for fact in chosen.values()])
    return Column(end, start, _with_later(figures), rounding)


def _with_later(figures: dict[str, Figure]) -> dict[str, Figure]:
    """Return the figures with what is due after a year added to what is due within one, unless a note says both in one."""
    for later, field in LATER.items():
        if (due := figures.pop(later, None)) is None:
            continue
        within = figures.get(field)
        if within is None:
            figures[field] = due
        elif within.dimensions:
            figures[field] = Figure(within.value + due.value, Method.DERIVED, f"{within.tag}, within a year + later")
    return figures


def _starts(facts: Iterable[Fact]) -> _Starts:
    """Return the accounting periods of a filing, from facts of every kind.

    Most small filings have no profit and loss account, but other facts of the year, such as that the company traded.
    """
    starts: dict[dt.date, Counter[dt.date]] = defaultdict(Counter)
    for (end, start), number in Counter([(fact.context.end, fact.context.start) for fact in facts]).items():
        if start and dt.timedelta(0) < end - start <= _MAX_PERIOD:
            starts[end][start] = number
    return starts


def _start(starts: Mapping[dt.date, int]) -> dt.date | None:
    """Return the first day of the period with the most facts; the longer period if two have equally many."""
    return min(starts, key=lambda start: (-starts[start], start), default=None)


def _choose(candidates: list[_FieldFact]) -> Fact:
    """Return the fact to use: of the first form that occurs, the most frequent value, or else the first."""
    rank = min(each.rank for each in candidates)
    facts = [each.fact for each in candidates if each.rank == rank]
    counts = Counter(fact.value for fact in facts)
    return max(facts, key=lambda fact: counts[fact.value])
