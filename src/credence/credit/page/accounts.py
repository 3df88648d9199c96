"""Years of accounts: drawings, the figures side by side, the ratios, and where each figure comes from."""

from collections.abc import Callable, Iterator, Sequence

import msgspec

from credence.credit.page.amounts import NONE, day, decimal, plain
from credence.credit.page.blocks import Beside, Block, Chart, Section, Table, Words, capped
from credence.credit.page.charts.sheet import Part, sheet_chart
from credence.credit.page.charts.years import years_chart
from credence.credit.wire import accounts as wire
from credence.credit.wire.assessment import FigureOrigin, YearFigures
from credence.credit.wire.report import LtdCompanyData

MOST_YEARS = 5

_MARKS = {"derived": "d", "repaired": "r"}

SHEET = (
    "Fixed assets",
    "Intangible assets",
    "Tangible assets",
    "Investments",
    "Current assets",
    "Stocks",
    "Debtors",
    "Cash",
    "Creditors within year",
    "Net current assets",
    "Total assets less current liabilities",
    "Creditors after year",
    "Provisions",
    "Net assets",
    "Share capital",
    "Retained earnings",
    "Equity",
    "Turnover",
    "Gross profit",
    "Operating profit",
    "Profit before tax",
    "Tax",
    "Profit",
    "Employees",
)
"""Figures of the table in the order of a balance sheet and then a profit and loss account; others follow them."""

_SUMS = frozenset(
    {"Fixed assets", "Current assets", "Net current assets", "Net assets", "Equity", "Turnover", "Profit"}
)
_WORDS = {"Creditors within year": "Creditors due within a year", "Creditors after year": "Creditors due later"}

RATIOS: tuple[tuple[str, str, str], ...] = (
    ("CurrentRatio", "Current ratio", ""),
    ("AcidTest", "Acid test", ""),
    ("EquityGearing", "Equity of total assets", "%"),
    ("DebtGearing", "Debt gearing", "%"),
    ("ReturnOnCapital", "Return on capital employed", "%"),
    ("ReturnOnAssets", "Return on assets", "%"),
    ("ReturnOnShareholdersFunds", "Return on equity", "%"),
    ("PreTaxProfitMargin", "Profit before tax of turnover", "%"),
    ("InterestCover", "Interest cover", ""),
    ("StockTurnover", "Stock turnover", ""),
    ("CreditPeriod", "Days debtors take", ""),
)


def accounts_sections(report: LtdCompanyData) -> Iterator[Section]:
    """Yield what there is to show of the accounts."""
    years = _years(report)
    if not years:
        return
    currency = _currency(report)
    charts = tuple(each for each in (_worth(years, currency), _sheet(years[0], currency)) if each is not None)
    blocks: list[Block] = [Beside(charts[:1], charts[1:])] if len(charts) == 2 else list(charts)
    blocks.append(_table(years, currency))
    blocks.extend(_remarks(years))
    yield Section("accounts", "Accounts", tuple(blocks))
    ratios = _ratios(report)
    if ratios is not None:
        yield Section("ratios", "Ratios", (ratios,))
    yield Section("figures", "Where the figures come from", (_origins(years),))


def _years(report: LtdCompanyData) -> tuple[YearFigures, ...]:
    """Return the newest years; those of a report that does not say where figures come from are read from its accounts."""
    if report.Assessment and report.Assessment.AccountsFigures:
        return report.Assessment.AccountsFigures[:MOST_YEARS]
    told = report.Financials.Accounts[:MOST_YEARS] if report.Financials else ()
    return tuple(YearFigures(year.DateOfAccounts, (), Figures=tuple(_told(year))) for year in told)


def _told(year: wire.Accounts) -> Iterator[FigureOrigin]:
    for name, read in _IN_ACCOUNTS.items():
        value = read(year)
        if value is not None:
            yield FigureOrigin(name, value, "", "")


def _in_sheet(*path: str) -> Callable[[wire.Accounts], wire.Amount | None]:
    return lambda year: _at(year.BalanceSheet, path)


def _in_profit(*path: str) -> Callable[[wire.Accounts], wire.Amount | None]:
    return lambda year: _at(year.ProfitLoss, path)


def _at(value: object, path: Sequence[str]) -> wire.Amount | None:
    for name in path:
        value = getattr(value, name, None)
    return value if isinstance(value, int | float) else None


_IN_ACCOUNTS: dict[str, Callable[[wire.Accounts], wire.Amount | None]] = {
    "Fixed assets": _in_sheet("TotalFixedNonCurrentAssets"),
    "Intangible assets": _in_sheet("IntangibleAssets"),
    "Tangible assets": _in_sheet("TangibleAssetsDetails", "TangibleAssets"),
    "Investments": _in_sheet("InvestmentAssetsDetails", "InvestmentAssets"),
    "Current assets": _in_sheet("TotalCurrentAssets"),
    "Stocks": _in_sheet("InventoriesDetails", "Inventories"),
    "Debtors": _in_sheet("DebtorsDetails", "Debtors"),
    "Cash": _in_sheet("TotalCashDetails", "TotalCash"),
    "Creditors within year": _in_sheet("TotalCurrentLiabilities"),
    "Net current assets": _in_sheet("WorkingCapital"),
    "Total assets less current liabilities": _in_sheet("CapitalEmployed"),
    "Creditors after year": _in_sheet("TotalNonCurrentLiabilities"),
    "Provisions": _in_sheet("ProvisionsDetails", "Provisions"),
    "Net assets": _in_sheet("NetAssets"),
    "Equity": _in_sheet("TotalShareholdersFunds"),
    "Turnover": _in_profit("TurnoverSalesDetails", "TurnoverSales"),
    "Profit before tax": _in_profit("PreTaxProfitLoss"),
    "Profit": _in_profit("NetProfitLoss"),
}
"""Figure -> where it stands in a year of the report."""


def _currency(report: LtdCompanyData) -> str:
    told = report.Financials.Accounts if report.Financials else ()
    return next((year.Currency for year in told if year.Currency), "GBP")


def _amounts(year: YearFigures) -> dict[str, float]:
    return {each.Figure: each.Value for each in year.Figures}


def _worth(years: Sequence[YearFigures], currency: str) -> Chart | None:
    rows = [
        (year.DateOfAccounts, _first(found, "Net assets", "Equity"), found.get("Net current assets"))
        for year in reversed(years)
        for found in (_amounts(year),)
    ]
    return years_chart(rows, currency)


def _first(found: dict[str, float], *names: str) -> float | None:
    return next((found[name] for name in names if name in found), None)


def _sheet(year: YearFigures, currency: str) -> Chart | None:
    """Return the drawing of a balance sheet; None when its sides cannot be told, or would not meet."""
    found = _amounts(year)
    fixed, current, worth = (
        found.get("Fixed assets"),
        found.get("Current assets"),
        _first(found, "Net assets", "Equity"),
    )
    if fixed is None or current is None or worth is None or min(fixed, current) < 0 or fixed + current <= 0:
        return None
    owns = [("Fixed assets", fixed), *_named(found, ("Stocks", "Debtors", "Cash"))]
    owns.append(("Other current assets", fixed + current - _sum(owns)))
    owes = [
        *(
            (_WORDS.get(name, name), amount)
            for name, amount in _named(found, ("Creditors within year", "Creditors after year"))
        ),
        *_named(found, ("Provisions",)),
    ]
    if worth < 0:
        owns.append(("Shortfall: net liabilities", -worth))
    owes.append(("Liabilities not itemised", fixed + current - worth - _sum(owes)))
    owes.append(("Net assets", max(0, worth)))
    if min(amount for _, amount in (*owns, *owes)) < -1:
        return None
    return sheet_chart(_shown(owns), _shown(owes), day(year.DateOfAccounts), currency)


def _named(found: dict[str, float], names: Sequence[str]) -> list[Part]:
    return [(name, found[name]) for name in names if name in found]


def _sum(parts: Sequence[Part]) -> float:
    return sum(amount for _, amount in parts)


def _shown(parts: Sequence[Part]) -> list[Part]:
    return [(words, amount) for words, amount in parts if amount >= 1]


def _table(years: Sequence[YearFigures], currency: str) -> Table:
    by_year = [{each.Figure: each for each in year.Figures} for year in years]
    named = [name for name in SHEET if any(name in found for found in by_year)]
    rows = tuple((_WORDS.get(name, name), *(_cell(found.get(name)) for found in by_year)) for name in named)
    return Table(
        f"Accounts, {currency}: d is derived from other figures, r has its sign repaired",
        ("Year to", *(f"{year.DateOfAccounts:%d.%m.%Y}" for year in years)),
        "l" + "r" * len(years),
        rows,
        strong=tuple(i for i, name in enumerate(named) if name in _SUMS),
    )


def _cell(figure: FigureOrigin | None) -> str:
    if figure is None:
        return NONE
    mark = _MARKS.get(figure.Method, "")
    return f"{plain(figure.Value)} {mark}".rstrip()


def _remarks(years: Sequence[YearFigures]) -> Iterator[Block]:
    unbalanced = [day(year.DateOfAccounts) for year in years if year.Balanced is False]
    if unbalanced:
        yield Words(f"As filed, these accounts contradict themselves: {', '.join(unbalanced)}.")
    dormant = [day(year.DateOfAccounts) for year in years if year.Dormant]
    if dormant:
        yield Words(f"The company says it was dormant in the year to {', '.join(dormant)}.")


def _ratios(report: LtdCompanyData) -> Table | None:
    years = report.Financials.Ratios[:MOST_YEARS] if report.Financials else ()
    held = [msgspec.to_builtins(year) for year in years]
    rows = tuple(
        (words, *(_ratio(year.get(name), unit) for year in held))
        for name, words, unit in RATIOS
        if any(name in year for year in held)
    )
    if not rows:
        return None
    heads = ("Year to", *(f"{year.DateOfAccounts:%d.%m.%Y}" for year in years))
    return Table("Ratios, where their inputs are known", heads, "l" + "r" * len(years), rows)


def _ratio(value: float | None, unit: str) -> str:
    return NONE if value is None else f"{decimal(value)}{unit}"


def _origins(years: Sequence[YearFigures]) -> Block:
    rows, more = capped(
        tuple(
            (_WORDS.get(each.Figure, each.Figure), plain(each.Value), _method(each), _source(each))
            for each in years[0].Figures
            if each.Method
        )
    )
    if not rows:
        return Words("This report does not say where its figures come from.")
    when = day(years[0].DateOfAccounts)
    return Table(
        f"Figures of the year to {when}", ("Figure", "Amount", "Method", "Tag or arithmetic"), "lrll", rows, more
    )


def _method(figure: FigureOrigin) -> str:
    return f"{figure.Method}, filed as {plain(figure.Filed)}" if figure.Filed is not None else figure.Method


def _source(figure: FigureOrigin) -> str:
    return figure.Tag or figure.Document
