"""`Financials.Ratios`: the ratios with known inputs, defined in one table (docs/report.md).

Ratios are rounded to two decimals. A ratio is left out unless its denominator is positive: a loss over negative equity
would otherwise read as a profit.
"""

from collections.abc import Callable, Mapping

import msgspec

from credence.companies.facts.company import Company
from credence.companies.invariants import RESULT
from credence.report.build.accounts import company_class, flag
from credence.report.build.durations import days_of
from credence.report.build.years import Year
from credence.report.schema import ratios as wire

Amount = int | float


class Formula(msgspec.Struct, frozen=True):
    """A ratio: numerator over denominator, times a factor; `words` is its definition in docs/report.md."""

    over: Callable[[Year], Amount | None]
    under: Callable[[Year], Amount | None]
    words: str
    factor: Callable[[Year], Amount | None] = lambda _: 1


def _of(name: str) -> Callable[[Year], Amount | None]:
    return lambda year: year.amount(name)


def _per_cent(_: Year) -> Amount | None:
    return 100


def _days(year: Year) -> Amount | None:
    return None if year.start is None else days_of(year.start, year.end)


def _quick(year: Year) -> Amount | None:
    current, stocks = year.amount("current_assets"), year.amount("stocks")
    return None if current is None or stocks is None else current - stocks


_CREDITORS, _TURNOVER, _STAFF = _of("creditors_within_year"), _of("turnover"), _of("employees")
_PRE_TAX, _EQUITY, _TOTAL = _of("profit_before_tax"), _of("equity"), _of("total_assets")
_CAPITAL, _TANGIBLE = _of("total_assets_less_current_liabilities"), _of("tangible_assets")

FORMULAS: Mapping[str, Formula] = {
    "CurrentRatio": Formula(_of("current_assets"), _CREDITORS, "current assets / current liabilities"),
    "AcidTest": Formula(_quick, _CREDITORS, "(current assets - stocks) / current liabilities"),
    "StockTurnover": Formula(_TURNOVER, _of("stocks"), "turnover / stocks"),
    "CreditPeriod": Formula(_of("debtors"), _TURNOVER, "debtors / turnover x days of the period", _days),
    "WorkingCapSales": Formula(_of("net_current_assets"), _TURNOVER, "net current assets / turnover x 100", _per_cent),
    "ReturnOnCapital": Formula(_PRE_TAX, _CAPITAL, "profit before tax / capital employed x 100", _per_cent),
    "ReturnOnAssets": Formula(_PRE_TAX, _TOTAL, "profit before tax / total assets x 100", _per_cent),
    "PreTaxProfitMargin": Formula(_PRE_TAX, _TURNOVER, "profit before tax / turnover x 100", _per_cent),
    "ReturnOnShareholdersFunds": Formula(_PRE_TAX, _EQUITY, "profit before tax / equity x 100", _per_cent),
    "EquityGearing": Formula(_EQUITY, _TOTAL, "equity / total assets x 100", _per_cent),
    "DebtGearing": Formula(
        _of("creditors_after_year"), _EQUITY, "creditors due after one year / equity x 100", _per_cent
    ),
    "InterestCover": Formula(_of("operating_profit"), _of("interest_payable"), "operating profit / interest payable"),
    "SalesTangAssets": Formula(_TURNOVER, _TANGIBLE, "turnover / tangible fixed assets"),
    "ProfitPerEmp": Formula(_PRE_TAX, _STAFF, "profit before tax / average number of employees"),
    "TurnoverPerEmp": Formula(_TURNOVER, _STAFF, "turnover / average number of employees"),
    "CapEmployedPerEmp": Formula(_CAPITAL, _STAFF, "capital employed / average number of employees"),
    "TangAssetsPerEmp": Formula(_TANGIBLE, _STAFF, "tangible fixed assets / average number of employees"),
    "TotAssetsPerEmp": Formula(_TOTAL, _STAFF, "total assets / average number of employees"),
}
"""Field -> formula. The schema's other ratios need facts that filings do not tag: borrowings, trade creditors, pay."""


def ratios(company: Company, year: Year) -> wire.Ratios | None:
    """Return the ratios of one year; None without any."""
    found = ratio_values(year)
    if not found:
        return None
    return wire.Ratios(
        DateOfAccounts=year.end,
        Currency=year.currency or None,
        CompanyClass=company_class(company, year),
        ConsAccounts=flag(year.consolidated),
        NumEmployees=year.amount("employees"),
        **{name: rounded(value) for name, value in found.items()},
    )


def ratio_values(year: Year) -> dict[str, float]:
    """Return the unrounded ratios of a year, by field.

    A profit that is not profit before tax less tax may be another company's: ratios of it are withheld.
    """
    kept = {
        name: formula
        for name, formula in FORMULAS.items()
        if formula.over is not _PRE_TAX or RESULT not in year.contradictions
    }
    return {name: value for name, formula in kept.items() if (value := _value(formula, year)) is not None}


def quotient(over: Amount | None, under: Amount | None, factor: Amount = 1) -> float | None:
    """Return over / under x factor; None if one is unknown or `under` is not positive."""
    return None if over is None or under is None or under <= 0 else over / under * factor


def rounded(value: float | None) -> float | None:
    """Return a ratio or percentage rounded to two decimals."""
    return None if value is None else round(value, 2)


def _value(formula: Formula, year: Year) -> float | None:
    factor = formula.factor(year)
    return None if factor is None else quotient(formula.over(year), formula.under(year), factor)
