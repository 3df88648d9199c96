"""The ratios of `Financials.Ratios`, defined in one table (docs/report.md).

Flows are those of a year: of a shorter or longer period they are brought to one (`companies.durations`). A ratio is left out
unless its denominator is positive: a loss over negative equity would otherwise read as a profit.
"""

from collections.abc import Mapping

import msgspec

from credence.companies.durations import YEAR_DAYS, annualised, is_year
from credence.companies.facts.accounts import Figures
from credence.companies.invariants import RESULT

Amount = int | float
Amounts = Mapping[str, Amount]
"""Figure -> amount, for each known one."""

PER_CENT = 100

_QUICK, _PRE_TAX, _EQUITY, _TOTAL = "quick_assets", "profit_before_tax", "equity", "total_assets"
_CUSTOMERS = "customers"
_CREDITORS, _TURNOVER, _STAFF = "creditors_within_year", "turnover", "employees"
_CAPITAL, _TANGIBLE = "total_assets_less_current_liabilities", "tangible_assets"


class Formula(msgspec.Struct, frozen=True):
    """A ratio: one figure over another, times a factor; `words` is its definition in docs/report.md."""

    over: str
    under: str
    words: str
    factor: int = 1
    days: bool = False
    """Whether the factor is the days of the year."""


FORMULAS: Mapping[str, Formula] = {
    "CurrentRatio": Formula("current_assets", _CREDITORS, "current assets / current liabilities"),
    "AcidTest": Formula(_QUICK, _CREDITORS, "(current assets - stocks) / current liabilities"),
    "StockTurnover": Formula(_TURNOVER, "stocks", "turnover / stocks"),
    "CreditPeriod": Formula(
        _CUSTOMERS, _TURNOVER, "trade debtors, or else debtors / turnover x days of the year", days=True
    ),
    "WorkingCapSales": Formula("net_current_assets", _TURNOVER, "net current assets / turnover x 100", PER_CENT),
    "TradeCredrsDebtrs": Formula("trade_creditors", "trade_debtors", "trade creditors / trade debtors"),
    "ReturnOnCapital": Formula(_PRE_TAX, _CAPITAL, "profit before tax / capital employed x 100", PER_CENT),
    "ReturnOnAssets": Formula(_PRE_TAX, _TOTAL, "profit before tax / total assets x 100", PER_CENT),
    "PreTaxProfitMargin": Formula(_PRE_TAX, _TURNOVER, "profit before tax / turnover x 100", PER_CENT),
    "ReturnOnShareholdersFunds": Formula(_PRE_TAX, _EQUITY, "profit before tax / equity x 100", PER_CENT),
    "BorrowingRatio": Formula("borrowings", "tangible_net_assets", "borrowings / tangible net assets x 100", PER_CENT),
    "EquityGearing": Formula(_EQUITY, _TOTAL, "equity / total assets x 100", PER_CENT),
    "DebtGearing": Formula("creditors_after_year", _EQUITY, "creditors due after one year / equity x 100", PER_CENT),
    "InterestCover": Formula("operating_profit", "interest_payable", "operating profit / interest payable"),
    "SalesTangAssets": Formula(_TURNOVER, _TANGIBLE, "turnover / tangible fixed assets"),
    "AvgRemPerEmp": Formula("staff_costs", _STAFF, "staff costs / average number of employees"),
    "ProfitPerEmp": Formula(_PRE_TAX, _STAFF, "profit before tax / average number of employees"),
    "TurnoverPerEmp": Formula(_TURNOVER, _STAFF, "turnover / average number of employees"),
    "CapEmployedPerEmp": Formula(_CAPITAL, _STAFF, "capital employed / average number of employees"),
    "TangAssetsPerEmp": Formula(_TANGIBLE, _STAFF, "tangible fixed assets / average number of employees"),
    "TotAssetsPerEmp": Formula(_TOTAL, _STAFF, "total assets / average number of employees"),
    "EmpRemunerationSales": Formula("staff_costs", _TURNOVER, "staff costs / turnover x 100", PER_CENT),
}
"""Field -> formula."""

_ALL_TAXES = "TaxationSocialSecurityPayable"
"""The tag of one amount for corporation tax, other taxes and social security."""


def ratio_values(figures: Figures, days: int | None, contradictions: tuple[str, ...]) -> dict[str, float]:
    """Return the unrounded ratios of a period of `days`, by field.

    A profit that is not profit before tax less tax may be another company's: ratios of it are withheld.
    """
    known = _amounts(annualised(figures, days))
    if RESULT in contradictions:
        known.pop(_PRE_TAX, None)
    found = {}
    for name, formula in FORMULAS.items():
        over, under = known.get(formula.over), known.get(formula.under)
        if over is None or under is None or under <= 0:
            continue
        if not formula.days:
            found[name] = over / under * formula.factor
        elif days is not None:
            found[name] = over / under * (days if is_year(days) else YEAR_DAYS)
    return found


def creditor_days(figures: Figures, days: int | None) -> float | None:
    """Return how many days of the year's cost of sales the trade creditors were; None if one of them is unknown."""
    cost = annualised(figures, days).cost_of_sales
    owed = figures.trade_creditors
    return quotient(owed.value if owed else None, cost.value if cost else None, YEAR_DAYS)


def owed_to_hmrc(figures: Figures) -> Amount | None:
    """Return the corporation tax, other taxes and social security owed, as far as notes give them; None if none does."""
    corporation, others = figures.corporation_tax_owed, figures.taxes_owed
    if corporation is None or others is None:
        known = corporation or others
        return None if known is None else known.value
    return others.value if others.tag.startswith(_ALL_TAXES) else corporation.value + others.value


def _amounts(figures: Figures) -> dict[str, Amount]:
    known = {name: figure.value for name in figures.__struct_fields__ if (figure := getattr(figures, name)) is not None}
    if "current_assets" in known and "stocks" in known:
        known[_QUICK] = known["current_assets"] - known["stocks"]
    if (customers := known.get("trade_debtors", known.get("debtors"))) is not None:
        known[_CUSTOMERS] = customers
    return known


def quotient(over: Amount | None, under: Amount | None, factor: Amount = 1) -> float | None:
    """Return over / under x factor; None if one is unknown or `under` is not positive."""
    return None if over is None or under is None or under <= 0 else over / under * factor


def rounded(value: float | None) -> float | None:
    """Return a ratio or percentage rounded to two decimals."""
    return None if value is None else round(value, 2)
