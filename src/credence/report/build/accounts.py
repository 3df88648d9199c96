"""`Financials.Accounts` and `Ratios`: one year of accounts, and its ratios with known inputs (report schema §9).

Liabilities are positive. Clients read `TotalFixedNonCurrentAssets` as a number, so a balance sheet without this total is
left out as a whole; `Assessment.AccountsFigures` has its figures.
"""

from credence.companies.durations import weeks_of
from credence.companies.facts.company import Company
from credence.report.build.formulas import rounded
from credence.report.build.years import Year
from credence.report.schema import accounts as wire
from credence.report.schema.accounts import Ratios

_UNITS = "N"
_SMALL_STANDARDS = frozenset({"Micro-entities", "SmallEntities"})
_CLASSES = {
    "SMALL": "S",
    "MICRO ENTITY": "S",
    "TOTAL EXEMPTION FULL": "S",
    "TOTAL EXEMPTION SMALL": "S",
    "MEDIUM": "M",
}
"""Accounts category of the register -> `CompanyClass`; other categories apply to companies of any size."""


def accounts(company: Company, year: Year) -> wire.Accounts:
    """Return one year of accounts."""
    return wire.Accounts(
        DateOfAccounts=year.end,
        AccountingPeriod=period_weeks(year),
        Currency=year.currency or None,
        CurrencyMultiplier=_UNITS,
        CompanyClass=company_class(company, year),
        ConsolidatedAccounts=flag(year.consolidated),
        LatestAccountsType=method(year),
        RestatedAccounts=flag(year.restated),
        BalanceSheet=_sheet(year),
        ProfitLoss=_profit_and_loss(year),
        DisclosureItems=_disclosures(year),
    )


def period_weeks(year: Year) -> int | None:
    """Return the length of the year in weeks; None if its first day is unknown."""
    return None if year.start is None else weeks_of(year.start, year.end)


def flag(known: bool | None) -> str | None:
    """Return Y or N; None if unknown."""
    return None if known is None else "Y" if known else "N"


def company_class(company: Company, year: Year) -> str | None:
    """Return S (small), M (medium) or None, by the accounting standard or, for the newest accounts, the register's word."""
    if year.filing.standard in _SMALL_STANDARDS:
        return "S"
    entry = company.register.value if company.register else None
    if entry is None or entry.accounts.last_made_up != year.end:
        return None
    return _CLASSES.get(entry.accounts.category.upper())


def method(year: Year) -> str | None:
    """Return I for international standards, G for those of the United Kingdom, None if unknown."""
    standard = f"{year.filing.standard} {year.filing.taxonomy}".upper()
    if "IFRS" in standard or "INTERNATIONALFINANCIALREPORTING" in standard:
        return "I"
    if year.filing.standard in _SMALL_STANDARDS or "FRS" in standard or year.filing.layout != "frc":
        return "G"
    return None


def _sheet(year: Year) -> wire.Sheet | None:
    amount = year.amount
    fixed = amount("fixed_assets")
    if fixed is None:
        return None
    tangible, investments = amount("tangible_assets"), amount("investments")
    stocks, debtors, cash = amount("stocks"), amount("debtors"), amount("cash")
    provisions, capital = amount("provisions"), amount("share_capital")
    return wire.Sheet(
        TotalFixedNonCurrentAssets=fixed,
        TangibleAssetsDetails=None if tangible is None else wire.TangibleAssets(tangible),
        IntangibleAssets=amount("intangible_assets"),
        InvestmentAssetsDetails=None if investments is None else wire.InvestmentAssets(investments),
        InventoriesDetails=None if stocks is None else wire.Inventories(stocks),
        DebtorsDetails=None if debtors is None else wire.Debtors(debtors),
        TotalCashDetails=None if cash is None else wire.TotalCash(cash),
        TotalCurrentAssets=amount("current_assets"),
        TotalCurrentLiabilities=amount("creditors_within_year"),
        WorkingCapital=amount("net_current_assets"),
        CapitalEmployed=amount("total_assets_less_current_liabilities"),
        TotalNonCurrentLiabilities=amount("creditors_after_year"),
        ProvisionsDetails=None if provisions is None else wire.Provisions(provisions),
        NetAssets=amount("net_assets"),
        IssuedCapitalDetails=None if capital is None else wire.IssuedCapital(capital),
        RetainedEarnings=amount("retained_earnings"),
        TotalShareholdersFunds=amount("equity"),
        NetWorth=amount("tangible_net_assets"),
    )


def _profit_and_loss(year: Year) -> wire.ProfitAndLoss | None:
    amount = year.amount
    turnover, interest = amount("turnover"), amount("interest_payable")
    found = wire.ProfitAndLoss(
        TurnoverSalesDetails=None if turnover is None else wire.Turnover(turnover),
        CostOfSales=amount("cost_of_sales"),
        GrossProfit=amount("gross_profit"),
        OperatingProfit=amount("operating_profit"),
        InterestPayableDetails=None if interest is None else wire.InterestPayable(interest),
        PreTaxProfitLoss=amount("profit_before_tax"),
        Taxation=amount("tax"),
        Dividends=amount("dividends"),
        NetProfitLoss=amount("profit"),
    )
    return found if found != wire.ProfitAndLoss() else None


def _disclosures(year: Year) -> wire.Disclosures | None:
    found = wire.Disclosures(NumberEmployees=year.amount("employees"), DepreciationCharges=year.amount("depreciation"))
    return found if found != wire.Disclosures() else None


def ratios(company: Company, year: Year) -> Ratios | None:
    """Return the ratios of one year; None without any."""
    if not year.ratios:
        return None
    return Ratios(
        DateOfAccounts=year.end,
        Currency=year.currency or None,
        CompanyClass=company_class(company, year),
        ConsAccounts=flag(year.consolidated),
        EmpRemuneration=year.amount("staff_costs"),
        DirRemuneration=year.amount("directors_pay"),
        NumEmployees=year.amount("employees"),
        **{name: rounded(value) for name, value in year.ratios.items()},
    )
