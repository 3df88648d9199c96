"""The ratios of the years, side by side; `report/ratios.py` defines them."""

import msgspec

from credence.report.render.page.blocks import Section, Table
from credence.report.render.page.text import NONE, decimal
from credence.report.render.sections.years import MOST_YEARS
from credence.report.schema.report import LtdCompanyData

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
"""Member of the report, its name in words, and its unit."""


def ratios_section(report: LtdCompanyData) -> Section | None:
    """Return the section; None when no ratio is known."""
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
    table = Table("Ratios, where their inputs are known", heads, "l" + "r" * len(years), rows)
    return Section("ratios", "Ratios", (table,))


def _ratio(value: float | None, unit: str) -> str:
    return NONE if value is None else f"{decimal(value)}{unit}"
