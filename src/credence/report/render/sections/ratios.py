"""The ratios of the years side by side; `build/formulas.py` defines them."""

from collections.abc import Iterator

import msgspec

from credence.blocks.text import NONE, decimal
from credence.blocks.values import Section, Table
from credence.report.render.sections.years import MAX_YEARS, all_years_of, head_of
from credence.report.schema.assessment import YearFigures
from credence.report.schema.report import LtdCompanyData

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
