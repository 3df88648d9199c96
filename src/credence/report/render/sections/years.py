"""The years of accounts in a report, each with its figures by name."""

from collections.abc import Iterator

from credence.companies.durations import is_year
from credence.report.schema import accounts as wire
from credence.report.schema.assessment import FigureOrigin, YearFigures
from credence.report.schema.report import LtdCompanyData

MAX_YEARS = 5
MAX_YEARS_OF_GROUP = 2

_TRUTH = {"Y": True, "N": False}

WORDS = {"Creditors within year": "Creditors due within a year", "Creditors after year": "Creditors due later"}
"""Figures that have another name on the page."""


def years_of(report: LtdCompanyData) -> tuple[YearFigures, ...]:
    """Return the company's newest years with their figures, or the group's if there are no others.

    Without `AccountsFigures` they are taken from `Financials`.
    """
    return all_years_of(report)[:MAX_YEARS]


def all_years_of(report: LtdCompanyData) -> tuple[YearFigures, ...]:
    """Return every filed year of the company, or of the group if there are no others, the newest first."""
    found = _all_years(report)
    return tuple(year for year in found if bool(year.Consolidated) is bool(found[0].Consolidated))


def years_of_group(report: LtdCompanyData) -> tuple[YearFigures, ...]:
    """Return the group's newest years that correspond to those of the company."""
    found = _all_years(report)
    return tuple(year for year in found if year.Consolidated and not found[0].Consolidated)[:MAX_YEARS_OF_GROUP]


def _all_years(report: LtdCompanyData) -> tuple[YearFigures, ...]:
    if report.Assessment and report.Assessment.AccountsFigures:
        return report.Assessment.AccountsFigures
    accounts = report.Financials.Accounts if report.Financials else ()
    return tuple(
        YearFigures(year.DateOfAccounts, (), _TRUTH.get(year.ConsolidatedAccounts or ""), Figures=tuple(_figures(year)))
        for year in accounts
    )


def head_of(year: YearFigures) -> str:
    """Return the head of a year's column: its last day, and the length of a period that is no year."""
    day = f"{year.DateOfAccounts:%d.%m.%Y}"
    return day if is_year(year.Days) else f"{day}, {year.Days} days"


def currency_of(report: LtdCompanyData) -> str:
    """Return the currency of the newest year that states one."""
    accounts = report.Financials.Accounts if report.Financials else ()
    return next((year.Currency for year in accounts if year.Currency), "GBP")


def amounts_of(year: YearFigures) -> dict[str, float]:
    """Return the figures of a year by their names."""
    return {each.Figure: each.Value for each in year.Figures}


def first_known(found: dict[str, float], *names: str) -> float | None:
    """Return the first known value among the figures with these names; None if all are unknown."""
    return next((found[name] for name in names if name in found), None)


def _figures(year: wire.Accounts) -> Iterator[FigureOrigin]:
    for name, path in _IN_ACCOUNTS.items():
        value = _at(year, path)
        if value is not None:
            yield FigureOrigin(name, value, "", "")


def _at(value: object, path: str) -> wire.Amount | None:
    for name in path.split("."):
        value = getattr(value, name, None)
    return value if isinstance(value, int | float) else None


_IN_ACCOUNTS = {
    "Fixed assets": "BalanceSheet.TotalFixedNonCurrentAssets",
    "Intangible assets": "BalanceSheet.IntangibleAssets",
    "Tangible assets": "BalanceSheet.TangibleAssetsDetails.TangibleAssets",
    "Investments": "BalanceSheet.InvestmentAssetsDetails.InvestmentAssets",
    "Current assets": "BalanceSheet.TotalCurrentAssets",
    "Stocks": "BalanceSheet.InventoriesDetails.Inventories",
    "Debtors": "BalanceSheet.DebtorsDetails.Debtors",
    "Cash": "BalanceSheet.TotalCashDetails.TotalCash",
    "Creditors within year": "BalanceSheet.TotalCurrentLiabilities",
    "Net current assets": "BalanceSheet.WorkingCapital",
    "Total assets less current liabilities": "BalanceSheet.CapitalEmployed",
    "Creditors after year": "BalanceSheet.TotalNonCurrentLiabilities",
    "Provisions": "BalanceSheet.ProvisionsDetails.Provisions",
    "Net assets": "BalanceSheet.NetAssets",
    "Equity": "BalanceSheet.TotalShareholdersFunds",
    "Turnover": "ProfitLoss.TurnoverSalesDetails.TurnoverSales",
    "Profit before tax": "ProfitLoss.PreTaxProfitLoss",
    "Profit": "ProfitLoss.NetProfitLoss",
}
"""Figure -> its path in a year of the report."""
