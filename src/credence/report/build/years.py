"""Merges the filings of a company into years, newest first (credit §3.2), and derives totals that a filing omits.

A year appears in the filing made up to its last day and, as the comparative column, in the next filing. The newer filing
wins, figure by figure; if the two differ, the year was restated. A year has one currency, that of the newest filing with it;
amounts of filings in another currency are left out. Consolidated figures form separate years; in a filing without figures of
the company itself they are used as the company's.

A filed balance sheet balances and omits lines without an amount, so the total of fixed assets, which clients read as a
number, often follows from the other lines (credit §3.4, report schema §2). Otherwise it stays unknown.
"""

import datetime as dt
from collections.abc import Iterable, Iterator

import msgspec

from credence.companies.balance_sheet import with_totals
from credence.companies.durations import days_of
from credence.companies.facts.accounts import Accounts, Figure, Figures, Method, Period
from credence.companies.invariants import OF_FILING, contradictions
from credence.computed_once import computed_once
from credence.report.build.formulas import ratio_values

MAX_YEARS = 5
"""Years in a report (credit §9)."""

_COUNTS, _LEAST_COUNT = ("employees",), 0.5
"""Figures that count people, which have no currency, and the minimum average over a year that is not zero."""

_ROUNDING_UNITS = 1
"""The difference between two filings of one figure, in units of the rounding, up to which the year is not restated."""


class Year(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One year of one company."""

    end: dt.date
    start: dt.date | None
    currency: str
    figures: Figures
    documents: dict[str, str]
    """Figure -> the document from which it was taken."""
    balanced: bool | None
    contradictions: tuple[str, ...]
    """Codes of the invariants that fail in the merged figures (`companies.invariants`)."""
    consolidated: bool | None
    """None if no filing separates company and group."""
    restated: bool | None
    """None if only one filing contains the year."""
    filing: Accounts
    """The filing made up to the last day of the year, or else the next filing."""
    impossible: dict[str, Figure] = {}
    """Filed figures that cannot be true, which are used nowhere else: a headcount of 0.03, an error of scale."""

    def amount(self, name: str) -> int | float | None:
        """Return the value of a figure; None if it is unknown."""
        figure: Figure | None = getattr(self.figures, name)
        return None if figure is None else figure.value

    @computed_once
    def days(self) -> int | None:
        """The days of the period; None if its first day is unknown."""
        return None if self.start is None else days_of(self.start, self.end)

    @computed_once
    def ratios(self) -> dict[str, float]:
        """The unrounded ratios, by field."""
        return ratio_values(self.figures, self.days, self.contradictions)


class _Column(msgspec.Struct, frozen=True):
    """One period in one filing."""

    filing: Accounts
    period: Period
    consolidated: bool | None


def years(filings: tuple[Accounts, ...]) -> tuple[Year, ...]:
    """Return every year in the filings, newest first; a filing with only group figures gives the group's.

    The members of the report that list years have at most `MAX_YEARS` of them.
    """
    return _merged(column for filing in filings for column in _columns(filing))


def years_of_group(filings: tuple[Accounts, ...]) -> tuple[Year, ...]:
    """Return the newest consolidated years of the filings that also have figures of the company, newest first."""
    return _merged(
        _Column(filing, period, True) for filing in filings if filing.periods for period in filing.group_periods
    )[:MAX_YEARS]


def _merged(found: Iterable[_Column]) -> tuple[Year, ...]:
    columns: dict[dt.date, list[_Column]] = {}
    for column in found:
        columns.setdefault(column.period.end, []).append(column)
    return tuple(_year(columns[end]) for end in sorted(columns, reverse=True))


def _columns(filing: Accounts) -> Iterator[_Column]:
    apart = bool(filing.group_periods)
    if filing.periods:
        yield from (_Column(filing, period, False if apart else None) for period in filing.periods)
    else:
        yield from (_Column(filing, period, True) for period in filing.group_periods)


def _year(columns: list[_Column]) -> Year:
    """Return one year from its columns."""
    oldest_first = sorted(columns, key=_order)
    newest, own = oldest_first[-1], oldest_first[0]
    # Figures of the company and of its group are never mixed, nor amounts of two currencies.
    of_entity = [each for each in oldest_first if bool(each.consolidated) is bool(newest.consolidated)]
    currency = next((each.filing.currency for each in reversed(of_entity) if each.filing.currency), "")
    alike = [each for each in of_entity if each.filing.currency == currency]
    found: dict[str, Figure] = {}
    documents: dict[str, str] = {}
    for column in of_entity:
        for name, figure in known_of(column.period.figures):
            if column.filing.currency != currency and name not in _COUNTS:
                continue
            # An equal derived figure of a newer filing does not replace the figure that an older filing reports.
            if name in found and figure.method is Method.DERIVED and not _differ(found[name], figure):
                continue
            found[name] = figure
            documents[name] = column.filing.document
    start = next((each.period.start for each in reversed(of_entity) if each.period.start), None)
    impossible = {name: found.pop(name) for name in _COUNTS if name in found and 0 < found[name].value < _LEAST_COUNT}
    figures = completed(Figures(**found))
    failed = contradictions(figures, max(each.period.rounding for each in alike))
    return Year(
        end=newest.period.end,
        start=start,
        currency=currency,
        figures=figures,
        documents={name: documents.get(name, newest.filing.document) for name, _ in known_of(figures)},
        balanced=newest.period.balanced,
        contradictions=(*failed, *(code for code in newest.period.contradictions if code in OF_FILING)),
        consolidated=newest.consolidated,
        restated=_restated(alike),
        filing=own.filing,
        impossible=impossible,
    )


def _order(column: _Column) -> tuple[dt.date, dt.date]:
    return column.filing.balance_sheet_date, column.filing.filed or dt.date.min


def _restated(oldest_first: list[_Column]) -> bool | None:
    if len({each.filing.document for each in oldest_first}) == 1:
        return None
    first, last = dict(known_of(oldest_first[0].period.figures)), dict(known_of(oldest_first[-1].period.figures))
    return any(_differ(first[name], last[name]) for name in first.keys() & last.keys())


def _differ(one: Figure, other: Figure) -> bool:
    return abs(one.value - other.value) > _ROUNDING_UNITS


def completed(figures: Figures) -> Figures:
    """Return the figures with derived ones added: net assets or equity, fixed assets, and totals that follow from them."""
    known = dict(known_of(figures))
    for name, other in (("net_assets", "equity"), ("equity", "net_assets")):  # the two sides of a balance sheet
        if name not in known and other in known:
            known[name] = Figure(known[other].value, Method.DERIVED, other)
    if "fixed_assets" not in known and (fixed := _fixed_assets(Figures(**known))):
        known["fixed_assets"] = fixed
    return Figures(**with_totals(known))


def known_of(figures: Figures) -> Iterator[tuple[str, Figure]]:
    """Yield the known figures with their names."""
    for name in figures.__struct_fields__:
        figure: Figure | None = getattr(figures, name)
        if figure is not None:
            yield name, figure


def _fixed_assets(f: Figures) -> Figure | None:
    """Return fixed assets as capital and later liabilities less working capital; None if itemised assets contradict that."""
    whole = _whole(f)
    if whole is None:
        return None
    itemised = _sum(f.intangible_assets, f.tangible_assets, f.investments)
    if f.net_current_assets is not None:
        value = whole - f.net_current_assets.value - _sum(f.unpaid_share_capital)
        if value < itemised - _ROUNDING_UNITS:
            return None  # a liability is not tagged
    else:
        current = _sum(f.current_assets) if f.current_assets else _sum(f.stocks, f.debtors, f.cash)
        value = whole + _sum(f.creditors_within_year) - current - _sum(f.prepayments, f.unpaid_share_capital)
        if abs(value - itemised) > _ROUNDING_UNITS:
            return None  # the difference is unexplained
    value = itemised if abs(value - itemised) <= _ROUNDING_UNITS else value
    return Figure(value, Method.DERIVED, "net assets + later liabilities - working capital")


def _whole(f: Figures) -> int | float | None:
    """Return total assets less current liabilities, or the capital and later liabilities that are equal to it."""
    if f.total_assets_less_current_liabilities is not None:
        return f.total_assets_less_current_liabilities.value
    if f.net_assets is None:
        return None
    return _sum(f.net_assets, f.creditors_after_year, f.provisions, f.accruals)


def _sum(*parts: Figure | None) -> int | float:
    """Return the sum of the known parts."""
    return sum(part.value for part in parts if part is not None)
