"""Sections on the accounts: charts, figures and ratios of the years side by side, and where each is from (credit §3.4)."""

from collections.abc import Iterator, Sequence

import msgspec

from credence.blocks.text import NONE, day, decimal, plain
from credence.blocks.values import Beside, Block, Chart, Note, Section, Table, capped
from credence.report.render.charts.years import Trend, trends_chart, years_chart
from credence.report.render.sections.balance_sheet import balance_sheet
from credence.report.render.sections.years import (
    MAX_YEARS,
    WORDS,
    all_years_of,
    amounts_of,
    currency_of,
    first_known,
    head_of,
    years_of,
    years_of_group,
)
from credence.report.schema.assessment import FigureOrigin, YearFigures
from credence.report.schema.report import LtdCompanyData

_MARKS = {"derived": "d", "repaired": "r"}

FIGURES = (
    "Fixed assets",
    "Intangible assets",
    "Tangible assets",
    "Investments",
    "Current assets",
    "Stocks",
    "Debtors",
    "Trade debtors",
    "Owed by group",
    "Owed by participating interests",
    "Owed by directors",
    "Owed by related parties",
    "Cash",
    "Creditors within year",
    "Trade creditors",
    "Owed to group",
    "Owed to participating interests",
    "Owed to directors",
    "Owed to related parties",
    "Net current assets",
    "Net current assets without related parties",
    "Total assets less current liabilities",
    "Creditors after year",
    "Provisions",
    "Net assets",
    "Owed to members",
    "Net assets without related parties",
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
"""The figures of the table, first those of a balance sheet, then those of a profit and loss account."""

_SUMS = frozenset(
    {"Fixed assets", "Current assets", "Net current assets", "Net assets", "Equity", "Turnover", "Profit"}
)


def accounts_sections(report: LtdCompanyData) -> Iterator[Section]:
    """Yield the sections of the accounts, the ratios and the origins, if the report has accounts."""
    years = years_of(report)
    if not years:
        return
    yield Section("accounts", "Accounts", tuple(_blocks(report, years)))
    yield from _text(report)
    yield from ratios_sections(report)
    yield Section("figures", "Where the figures come from", (_origins(years[0]),))


_KINDS = {
    "going-concern": "Material uncertainty about going concern",
    "adverse-opinion": "Adverse opinion",
    "disclaimer-of-opinion": "Disclaimer of opinion",
    "qualified-opinion": "Qualified opinion",
    "emphasis-of-matter": "Emphasis of matter",
    "events-after-the-year": "Events after the year",
    "audit-exempt": "Exempt from audit",
}


def _text(report: LtdCompanyData) -> Iterator[Section]:
    """Yield the sentences of the accounts on going concern, the audit and later events."""
    rows, more = capped(
        report.Assessment.AccountsText if report.Assessment else (),
        lambda each: (f"{each.DateOfAccounts:%d.%m.%Y}", _KINDS.get(each.Kind, each.Kind), each.Sentence, each.Where),
    )
    if rows:
        heads = ("Accounts of", "On", "As filed", "Where")
        table = Table("Sentences of the accounts, the newest first", heads, rows, more=more)
        yield Section("accounts-text", "What the accounts say", (table,))


def _blocks(report: LtdCompanyData, years: Sequence[YearFigures]) -> Iterator[Block]:
    of_group, currency = years_of_group(report), currency_of(report)
    worth, sheet = _worth(years, currency), balance_sheet(years[0], currency)
    if worth is not None and sheet is not None:
        yield Beside((worth,), (sheet,))
    elif worth is not None:
        yield worth
    trends = _trends(report, currency)
    if trends is not None:
        yield trends
    yield _table(years, of_group, currency)
    yield from _remarks(years)
    if of_group:
        yield Note(
            "The company is scored; the columns of the group are those of the company and its subsidiaries together."
        )
        yield from _remarks(of_group, "of the group ")


_TRENDS = (
    "Turnover",
    "Profit before tax",
    "Cash",
    "Debtors",
    "Creditors within year",
    "Creditors after year",
    "Employees",
)

_TRENDS_OF_RATIOS = (("CurrentRatio", "Current ratio", "x"), ("EquityGearing", "Equity of total assets", "%"))


def _trends(report: LtdCompanyData, currency: str) -> Chart | None:
    """Return the drawing of amounts and ratios over all filed years; years with a contradiction are left out."""
    filed = [year for year in reversed(all_years_of(report)) if not year.Contradictions]
    by_year = [amounts_of(year) for year in filed]
    amounts = [Trend(WORDS.get(name, name), tuple(found.get(name) for found in by_year)) for name in _TRENDS]
    of_group = bool(filed) and bool(filed[0].Consolidated)
    ratios = {
        each.DateOfAccounts: each
        for each in (report.Financials.Ratios if report.Financials else ())
        if (each.ConsAccounts == "Y") is of_group
    }
    shares = [
        Trend(words, tuple(getattr(ratios.get(year.DateOfAccounts), name, None) for year in filed), unit)
        for name, words, unit in _TRENDS_OF_RATIOS
    ]
    return trends_chart([year.DateOfAccounts for year in filed], [*amounts, *shares], currency)


def _worth(years: Sequence[YearFigures], currency: str) -> Chart | None:
    rows = [
        (year.DateOfAccounts, first_known(found, "Net assets", "Equity"), found.get("Net current assets"))
        for year in reversed(years)
        for found in (amounts_of(year),)
    ]
    return years_chart(rows, currency)


def _table(years: Sequence[YearFigures], of_group: Sequence[YearFigures], currency: str) -> Table:
    by_year = [{each.Figure: each for each in year.Figures} for year in (*years, *of_group)]
    named = [name for name in FIGURES if any(name in found for found in by_year)]
    rows = tuple((WORDS.get(name, name), *(_cell(found.get(name)) for found in by_year)) for name in named)
    return Table(
        f"Accounts, {currency}: d is derived from other figures, r has its sign repaired",
        (
            "Year to",
            *map(head_of, years),
            *(f"Group {head_of(year)}" for year in of_group),
        ),
        rows,
        numbers=range(1, len(by_year) + 1),
        sums=tuple(i for i, name in enumerate(named) if name in _SUMS),
    )


def _cell(figure: FigureOrigin | None) -> str:
    if figure is None:
        return NONE
    if figure.Method == "impossible":
        return f"{figure.Value:g} impossible"
    mark = _MARKS.get(figure.Method, "")
    return f"{plain(figure.Value)} {mark}".rstrip()


def _remarks(years: Sequence[YearFigures], whose: str = "") -> Iterator[Block]:
    for year in years:
        if year.Contradictions or year.Balanced is False:
            failed = f": it does not hold that {'; '.join(year.Contradictions)}" if year.Contradictions else ""
            yield Note(f"The figures {whose}of {day(year.DateOfAccounts)} fail a check{failed}.")
    dormant = [day(year.DateOfAccounts) for year in years if year.Dormant]
    if dormant:
        yield Note(f"The company says it was dormant in the year to {', '.join(dormant)}.")


def _origins(year: YearFigures) -> Table | Note:
    rows, more = capped(
        [each for each in year.Figures if each.Method],
        lambda each: (WORDS.get(each.Figure, each.Figure), plain(each.Value), _method(each), each.Tag or each.Document),
    )
    if not rows:
        return Note("This report does not say where its figures come from.")
    when = day(year.DateOfAccounts)
    return Table(
        f"Figures of the year to {when}",
        ("Figure", "Amount", "Method", "Tag or arithmetic"),
        rows,
        numbers=(1,),
        more=more,
    )


def _method(figure: FigureOrigin) -> str:
    return f"{figure.Method}, filed as {plain(figure.Filed)}" if figure.Filed is not None else figure.Method


_CREDITOR_DAYS = "CreditorDays"
_OWED_TO_HMRC = "OwedToHmrc"
"""A member of the figures of a year, because `Financials.Ratios` has none for it."""

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
    (_CREDITOR_DAYS, "Days suppliers wait", ""),
    (_OWED_TO_HMRC, "Owed to HMRC", ""),
    ("BorrowingRatio", "Borrowings of tangible net assets", "%"),
    ("AvgRemPerEmp", "Staff costs for each employee", ""),
    ("EmpRemunerationSales", "Staff costs of turnover", "%"),
    ("DirRemuneration", "Total pay of the directors", ""),
    ("TradeCredrsDebtrs", "Trade creditors to trade debtors", ""),
)
"""Member of the report, its name on the page, and its unit."""


def ratios_sections(report: LtdCompanyData) -> Iterator[Section]:
    """Yield the section of the ratios, if the report has any."""
    found = report.Financials.Ratios if report.Financials else ()
    of_group = bool(found) and found[0].ConsAccounts == "Y"
    years = [year for year in found if (year.ConsAccounts == "Y") is of_group][:MAX_YEARS]
    ratios = [msgspec.to_builtins(year) for year in years]
    figures = {(each.DateOfAccounts, bool(each.Consolidated)): each for each in all_years_of(report)}
    of_years = [figures.get((year.DateOfAccounts, of_group), YearFigures(year.DateOfAccounts, ())) for year in years]
    for found_of, year in zip(ratios, of_years, strict=True):
        if year.CreditorDays is not None:
            found_of[_CREDITOR_DAYS] = year.CreditorDays
        if year.OwedToHmrc is not None:
            found_of[_OWED_TO_HMRC] = year.OwedToHmrc
    rows = tuple(
        (words, *(_ratio(year.get(name), unit) for year in ratios))
        for name, words, unit in RATIOS
        if any(name in year for year in ratios)
    )
    if not rows:
        return
    heads = ("Year to", *map(head_of, of_years))
    table = Table("Ratios, where their inputs are known", heads, rows, numbers=range(1, len(years) + 1))
    yield Section("ratios", "Ratios", (table,))


def _ratio(value: float | None, unit: str) -> str:
    return NONE if value is None else f"{decimal(value)}{unit}"
