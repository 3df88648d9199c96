"""`Financials.PercentageChange`: the newest year against the one before (docs/report.md).

A change from zero or with a change of sign has no percentage and is left out. Flows such as turnover are compared only
between years of the same length, and all figures only between consecutive years.
"""

from credence.companies.facts.company import Company
from credence.companies.invariants import RESULT
from credence.report.build.accounts import company_class, flag, period_weeks
from credence.report.build.years import Year
from credence.report.schema import percentage_change as wire

_MAX_PERIOD_DAYS = 548
"""The maximum time between the ends of consecutive years; a first period may last eighteen months."""

_LENGTH_TOLERANCE_DAYS = 14
"""The maximum difference in length of two years whose flows are compared."""

_AMOUNTS = {
    "PercentChangeGrossAsset": "total_assets",
    "PercentChangeNetWorth": "tangible_net_assets",
    "PercentChangeFixedAssets": "fixed_assets",
    "PercentChangeCurrentAssets": "current_assets",
    "PercentChangeCurrentLiabilities": "creditors_within_year",
    "PercentChangeWorkingCapital": "net_current_assets",
    "PercentChangeCapitalEmployed": "total_assets_less_current_liabilities",
    "PercentChangeNetAssets": "net_assets",
    "PercentChangeIssuedCapital": "share_capital",
    "PercentChangeRetainedEarnings": "retained_earnings",
    "PercentChangeShareholdersFunds": "equity",
    "PercentChangeNumEmployees": "employees",
}
_FLOWS = {"PercentChangeTotalTurnover": "turnover", "PercentChangePreTaxProfitLoss": "profit_before_tax"}
_RATIOS = {
    "PercentChangeCurrentRatio": "CurrentRatio",
    "PercentChangeEquityGearing": "EquityGearing",
    "PercentChangeDebtGearing": "DebtGearing",
}
_FLOW_RATIOS = {
    "PercentChangeCreditPeriod": "CreditPeriod",
    "PercentChangeReturnOnCapital": "ReturnOnCapital",
    "PercentChangePreTaxProfitMargin": "PreTaxProfitMargin",
    "PercentChangeProfPerEmp": "ProfitPerEmp",
    "PercentChangeTurnoverPerEmp": "TurnoverPerEmp",
}


def percentage_change(company: Company, years: tuple[Year, ...]) -> wire.PercentageChange | None:
    """Return the member; None if no change is known."""
    found = changes(years)
    if not found:
        return None
    newest = years[0]
    return wire.PercentageChange(
        DateOfAccounts=newest.end,
        AccountingPeriod=period_weeks(newest),
        Currency=newest.currency or None,
        CompanyClass=company_class(company, newest),
        ConsAccounts=flag(newest.consolidated),
        **found,
    )


def changes(years: tuple[Year, ...]) -> dict[str, float]:
    """Return field -> percentage change from the second year to the first, to two decimals."""
    if len(years) < 2 or not _comparable(years[0], years[1]):
        return {}
    new, old = years[0], years[1]
    pairs = {name: (new.amount(of), old.amount(of)) for name, of in _AMOUNTS.items()}
    new_ratios, old_ratios = new.ratios, old.ratios
    pairs |= {name: (new_ratios.get(of), old_ratios.get(of)) for name, of in _RATIOS.items()}
    if _same_length(new, old):
        withheld = {"profit_before_tax"} if RESULT in (*new.contradictions, *old.contradictions) else set()
        pairs |= {name: (new.amount(of), old.amount(of)) for name, of in _FLOWS.items() if of not in withheld}
        pairs |= {name: (new_ratios.get(of), old_ratios.get(of)) for name, of in _FLOW_RATIOS.items()}
    return {name: value for name, pair in pairs.items() if (value := change(*pair)) is not None}


def change(new: float | None, old: float | None) -> float | None:
    """Return the change as a percentage of the absolute old amount, positive for growth; None if undefined."""
    if new is None or old is None or old == 0 or ((new > 0) is not (old > 0) and new != 0):
        return None
    return round((new - old) / abs(old) * 100, 2)


def _comparable(new: Year, old: Year) -> bool:
    alike = new.currency == old.currency and bool(new.consolidated) is bool(old.consolidated)
    return alike and (new.end - old.end).days <= _MAX_PERIOD_DAYS


def _same_length(new: Year, old: Year) -> bool:
    return new.days is not None and old.days is not None and abs(new.days - old.days) <= _LENGTH_TOLERANCE_DAYS
