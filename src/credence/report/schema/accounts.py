"""One year of accounts (report schema, field tables, Accounts). Each *Details model contains only its total."""

import datetime as dt

import msgspec

Amount = int | float
"""Units of the currency, with decimals if the filing has them."""


class TangibleAssets(msgspec.Struct, frozen=True, omit_defaults=True):
    """`TangibleAssetsDetails`."""

    TangibleAssets: Amount


class InvestmentAssets(msgspec.Struct, frozen=True, omit_defaults=True):
    """`InvestmentAssetsDetails`."""

    InvestmentAssets: Amount


class Inventories(msgspec.Struct, frozen=True, omit_defaults=True):
    """`InventoriesDetails`."""

    Inventories: Amount


class Debtors(msgspec.Struct, frozen=True, omit_defaults=True):
    """`DebtorsDetails`."""

    Debtors: Amount


class TotalCash(msgspec.Struct, frozen=True, omit_defaults=True):
    """`TotalCashDetails`."""

    TotalCash: Amount


class Provisions(msgspec.Struct, frozen=True, omit_defaults=True):
    """`ProvisionsDetails`."""

    Provisions: Amount


class IssuedCapital(msgspec.Struct, frozen=True, omit_defaults=True):
    """`IssuedCapitalDetails`."""

    IssuedCapital: Amount


class Turnover(msgspec.Struct, frozen=True, omit_defaults=True):
    """`TurnOverSalesDetails`."""

    TurnoverSales: Amount


class InterestPayable(msgspec.Struct, frozen=True, omit_defaults=True):
    """`InterestPayableDetails`."""

    InterestPayable: Amount


class Sheet(msgspec.Struct, frozen=True, omit_defaults=True):
    """`BalanceSheet`. Clients read the total of fixed assets as a number, so without it there is no sheet."""

    TotalFixedNonCurrentAssets: Amount
    TangibleAssetsDetails: TangibleAssets | None = None
    IntangibleAssets: Amount | None = None
    InvestmentAssetsDetails: InvestmentAssets | None = None
    InventoriesDetails: Inventories | None = None
    DebtorsDetails: Debtors | None = None
    TotalCashDetails: TotalCash | None = None
    TotalCurrentAssets: Amount | None = None
    TotalCurrentLiabilities: Amount | None = None
    WorkingCapital: Amount | None = None
    CapitalEmployed: Amount | None = None
    TotalNonCurrentLiabilities: Amount | None = None
    ProvisionsDetails: Provisions | None = None
    NetAssets: Amount | None = None
    IssuedCapitalDetails: IssuedCapital | None = None
    RetainedEarnings: Amount | None = None
    TotalShareholdersFunds: Amount | None = None
    NetWorth: Amount | None = None


class ProfitAndLoss(msgspec.Struct, frozen=True, omit_defaults=True):
    """`ProfitLoss`; most small companies file none."""

    TurnoverSalesDetails: Turnover | None = None
    CostOfSales: Amount | None = None
    GrossProfit: Amount | None = None
    OperatingProfit: Amount | None = None
    InterestPayableDetails: InterestPayable | None = None
    PreTaxProfitLoss: Amount | None = None
    Taxation: Amount | None = None
    Dividends: Amount | None = None
    NetProfitLoss: Amount | None = None


class Disclosures(msgspec.Struct, frozen=True, omit_defaults=True):
    """`DisclosureItems`."""

    NumberEmployees: Amount | None = None
    DepreciationCharges: Amount | None = None


class Accounts(msgspec.Struct, frozen=True, omit_defaults=True):
    """One year. `AccountingPeriod` is in weeks; flags are Y or N, absent if unknown."""

    DateOfAccounts: dt.date
    AccountingPeriod: int | None = None
    Currency: str | None = None
    CurrencyMultiplier: str | None = None
    CompanyClass: str | None = None
    ConsolidatedAccounts: str | None = None
    LatestAccountsType: str | None = None
    RestatedAccounts: str | None = None
    BalanceSheet: Sheet | None = None
    ProfitLoss: ProfitAndLoss | None = None
    DisclosureItems: Disclosures | None = None
