"""The years of accounts of a report, each with its figures by name."""

from collections.abc import Callable, Iterator, Sequence

from credence.report.schema import accounts as wire
from credence.report.schema.assessment import FigureOrigin, YearFigures
from credence.report.schema.report import LtdCompanyData

MOST_YEARS = 5

WORDS = {"Creditors within year": "Creditors due within a year", "Creditors after year": "Creditors due later"}
"""Figures that are named otherwise on a page."""


def years_of(report: LtdCompanyData) -> tuple[YearFigures, ...]:
    """Return the newest years; those of a report that does not say where figures come from are read from its accounts."""
    if report.Assessment and report.Assessment.AccountsFigures:
        return report.Assessment.AccountsFigures[:MOST_YEARS]
    told = report.Financials.Accounts[:MOST_YEARS] if report.Financials else ()
    return tuple(YearFigures(year.DateOfAccounts, (), Figures=tuple(_told(year))) for year in told)


def currency_of(report: LtdCompanyData) -> str:
    """Return the currency of the newest year that names one."""
    told = report.Financials.Accounts if report.Financials else ()
    return next((year.Currency for year in told if year.Currency), "GBP")


def amounts_of(year: YearFigures) -> dict[str, float]:
    """Return the figures of a year by their names."""
    return {each.Figure: each.Value for each in year.Figures}


def first_known(found: dict[str, float], *names: str) -> float | None:
    """Return the first of these figures that is known."""
    return next((found[name] for name in names if name in found), None)


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
