"""One year of accounts, its ratios and changes against the year before (report schema, field tables, Accounts and Ratios).

Each *Details model contains only its total.
"""

import datetime as dt
from typing import Annotated

import msgspec

from credence.meanings import CURRENCY, PER_CENT, YES_NO, meaning
from credence.report.schema.codes import COMPANY_CLASS, MULTIPLIER, STANDARDS


class Ratios(msgspec.Struct, frozen=True, omit_defaults=True):
    """The ratios of one year; build/formulas.py has their definitions."""

    DateOfAccounts: Annotated[dt.date, meaning("The balance sheet date.")]
    Currency: Annotated[str | None, meaning("Currency of the amounts (ISO 4217).")] = None
    CompanyClass: Annotated[str | None, meaning("Size of the company.", values=COMPANY_CLASS)] = None
    ConsAccounts: Annotated[str | None, meaning("Whether the figures are of the group.", values=YES_NO)] = None
    CurrentRatio: Annotated[float | None, meaning("Current assets / creditors due within one year.", unit="times")] = (
        None
    )
    AcidTest: Annotated[
        float | None, meaning("(Current assets - stocks) / creditors due within one year.", unit="times")
    ] = None
    StockTurnover: Annotated[float | None, meaning("Turnover / stocks.", unit="times")] = None
    CreditPeriod: Annotated[
        float | None,
        meaning(
            "Trade debtors, or else debtors / turnover x days of the period: the time that customers take to pay.",
            unit="days",
        ),
    ] = None
    WorkingCapSales: Annotated[float | None, meaning("Net current assets / turnover x 100.", unit=PER_CENT)] = None
    TradeCredrsDebtrs: Annotated[
        float | None, meaning("Trade creditors / trade debtors.", unit="times", example=0.8)
    ] = None
    ReturnOnCapital: Annotated[float | None, meaning("Profit before tax / capital employed x 100.", unit=PER_CENT)] = (
        None
    )
    ReturnOnAssets: Annotated[float | None, meaning("Profit before tax / total assets x 100.", unit=PER_CENT)] = None
    PreTaxProfitMargin: Annotated[float | None, meaning("Profit before tax / turnover x 100.", unit=PER_CENT)] = None
    ReturnOnShareholdersFunds: Annotated[float | None, meaning("Profit before tax / equity x 100.", unit=PER_CENT)] = (
        None
    )
    BorrowingRatio: Annotated[
        float | None, meaning("Borrowings / tangible net assets x 100.", unit=PER_CENT, example=11.32)
    ] = None
    EquityGearing: Annotated[float | None, meaning("Equity / total assets x 100.", unit=PER_CENT)] = None
    DebtGearing: Annotated[float | None, meaning("Creditors due after one year / equity x 100.", unit=PER_CENT)] = None
    InterestCover: Annotated[float | None, meaning("Operating profit / interest payable.", unit="times")] = None
    SalesTangAssets: Annotated[float | None, meaning("Turnover / tangible fixed assets.", unit="times")] = None
    AvgRemPerEmp: Annotated[
        float | None, meaning("Staff costs / average number of employees.", unit=CURRENCY, example=24815.28)
    ] = None
    ProfitPerEmp: Annotated[
        float | None, meaning("Profit before tax / average number of employees.", unit=CURRENCY)
    ] = None
    TurnoverPerEmp: Annotated[float | None, meaning("Turnover / average number of employees.", unit=CURRENCY)] = None
    CapEmployedPerEmp: Annotated[
        float | None, meaning("Capital employed / average number of employees.", unit=CURRENCY)
    ] = None
    TangAssetsPerEmp: Annotated[
        float | None, meaning("Tangible fixed assets / average number of employees.", unit=CURRENCY)
    ] = None
    TotAssetsPerEmp: Annotated[float | None, meaning("Total assets / average number of employees.", unit=CURRENCY)] = (
        None
    )
    EmpRemuneration: Annotated[int | float | None, meaning("Staff costs of the period.", unit=CURRENCY)] = None
    EmpRemunerationSales: Annotated[
        float | None, meaning("Staff costs / turnover x 100.", unit=PER_CENT, example=29.64)
    ] = None
    DirRemuneration: Annotated[
        int | float | None, meaning("What the directors together were paid in the period.", unit=CURRENCY)
    ] = None
    NumEmployees: Annotated[int | float | None, meaning("Average number of employees.", unit="employees")] = None


Amount = int | float
"""An amount in units of the currency, with decimals if the filing has them; JSON Schema calls it a number."""


class TangibleAssets(msgspec.Struct, frozen=True, omit_defaults=True):
    """`TangibleAssetsDetails`."""

    TangibleAssets: Annotated[
        Amount, meaning("Land, buildings, plant, vehicles and other things that the company keeps.", unit=CURRENCY)
    ]


class InvestmentAssets(msgspec.Struct, frozen=True, omit_defaults=True):
    """`InvestmentAssetsDetails`."""

    InvestmentAssets: Annotated[
        Amount, meaning("Shares and other investments that the company keeps.", unit=CURRENCY, example=25000)
    ]


class Inventories(msgspec.Struct, frozen=True, omit_defaults=True):
    """`InventoriesDetails`."""

    Inventories: Annotated[Amount, meaning("Stocks and work in progress.", unit=CURRENCY)]


class Debtors(msgspec.Struct, frozen=True, omit_defaults=True):
    """`DebtorsDetails`."""

    Debtors: Annotated[Amount, meaning("What customers and others owe to the company.", unit=CURRENCY)]


class TotalCash(msgspec.Struct, frozen=True, omit_defaults=True):
    """`TotalCashDetails`."""

    TotalCash: Annotated[Amount, meaning("Cash at bank and in hand.", unit=CURRENCY)]


class Provisions(msgspec.Struct, frozen=True, omit_defaults=True):
    """`ProvisionsDetails`."""

    Provisions: Annotated[Amount, meaning("Provisions for liabilities, such as deferred tax.", unit=CURRENCY)]


class IssuedCapital(msgspec.Struct, frozen=True, omit_defaults=True):
    """`IssuedCapitalDetails`."""

    IssuedCapital: Annotated[Amount, meaning("Called up share capital.", unit=CURRENCY)]


class Turnover(msgspec.Struct, frozen=True, omit_defaults=True):
    """`TurnOverSalesDetails`."""

    TurnoverSales: Annotated[Amount, meaning("Sales of the period without VAT.", unit=CURRENCY)]


class InterestPayable(msgspec.Struct, frozen=True, omit_defaults=True):
    """`InterestPayableDetails`."""

    InterestPayable: Annotated[Amount, meaning("Interest payable in the period.", unit=CURRENCY)]


class Sheet(msgspec.Struct, frozen=True, omit_defaults=True):
    """`BalanceSheet`. Clients read the total of fixed assets as a number, so without it there is no sheet."""

    TotalFixedNonCurrentAssets: Annotated[
        Amount,
        meaning(
            "Fixed assets: tangible, intangible and investments. Never absent from a balance sheet.", unit=CURRENCY
        ),
    ]
    TangibleAssetsDetails: Annotated[TangibleAssets | None, meaning("Tangible fixed assets.")] = None
    IntangibleAssets: Annotated[
        Amount | None, meaning("Goodwill, licences and other assets that cannot be touched.", unit=CURRENCY)
    ] = None
    InvestmentAssetsDetails: Annotated[InvestmentAssets | None, meaning("Fixed asset investments.")] = None
    InventoriesDetails: Annotated[Inventories | None, meaning("Stocks.")] = None
    DebtorsDetails: Annotated[Debtors | None, meaning("Debtors.")] = None
    TotalCashDetails: Annotated[TotalCash | None, meaning("Cash.")] = None
    TotalCurrentAssets: Annotated[
        Amount | None, meaning("Stocks, debtors, cash and current investments.", unit=CURRENCY)
    ] = None
    TotalCurrentLiabilities: Annotated[
        Amount | None, meaning("Creditors due within one year; a positive amount.", unit=CURRENCY)
    ] = None
    WorkingCapital: Annotated[
        Amount | None,
        meaning(
            "Net current assets: current assets less creditors due within one year. May be negative.", unit=CURRENCY
        ),
    ] = None
    CapitalEmployed: Annotated[Amount | None, meaning("Total assets less current liabilities.", unit=CURRENCY)] = None
    TotalNonCurrentLiabilities: Annotated[
        Amount | None, meaning("Creditors due after more than one year; a positive amount.", unit=CURRENCY)
    ] = None
    ProvisionsDetails: Annotated[Provisions | None, meaning("Provisions.")] = None
    NetAssets: Annotated[
        Amount | None,
        meaning("Total assets less all liabilities. Negative if the company owes more than it has.", unit=CURRENCY),
    ] = None
    IssuedCapitalDetails: Annotated[IssuedCapital | None, meaning("Share capital.")] = None
    RetainedEarnings: Annotated[
        Amount | None, meaning("Profit and loss reserve: profits kept, less losses.", unit=CURRENCY)
    ] = None
    TotalShareholdersFunds: Annotated[Amount | None, meaning("Equity: share capital and reserves.", unit=CURRENCY)] = (
        None
    )
    NetWorth: Annotated[
        Amount | None,
        meaning("Equity less intangible assets; absent if a total may include intangible assets.", unit=CURRENCY),
    ] = None


class ProfitAndLoss(msgspec.Struct, frozen=True, omit_defaults=True):
    """`ProfitLoss`; most small companies file none."""

    TurnoverSalesDetails: Annotated[Turnover | None, meaning("Turnover.")] = None
    CostOfSales: Annotated[Amount | None, meaning("Cost of sales; a positive amount.", unit=CURRENCY)] = None
    GrossProfit: Annotated[Amount | None, meaning("Turnover less cost of sales.", unit=CURRENCY)] = None
    OperatingProfit: Annotated[
        Amount | None, meaning("Profit before interest and tax; a loss is negative.", unit=CURRENCY)
    ] = None
    InterestPayableDetails: Annotated[InterestPayable | None, meaning("Interest.")] = None
    PreTaxProfitLoss: Annotated[Amount | None, meaning("Profit before tax; a loss is negative.", unit=CURRENCY)] = None
    Taxation: Annotated[Amount | None, meaning("Tax on the profit.", unit=CURRENCY)] = None
    Dividends: Annotated[Amount | None, meaning("Dividends paid; a positive amount.", unit=CURRENCY)] = None
    NetProfitLoss: Annotated[Amount | None, meaning("Profit after tax; a loss is negative.", unit=CURRENCY)] = None


class Disclosures(msgspec.Struct, frozen=True, omit_defaults=True):
    """`DisclosureItems`."""

    NumberEmployees: Annotated[
        Amount | None, meaning("Average number of employees during the period.", unit="employees")
    ] = None
    DepreciationCharges: Annotated[
        Amount | None, meaning("Depreciation of tangible assets charged in the period.", unit=CURRENCY)
    ] = None


class Accounts(msgspec.Struct, frozen=True, omit_defaults=True):
    """One year. `AccountingPeriod` is in weeks; flags are Y or N, absent if unknown."""

    DateOfAccounts: Annotated[dt.date, meaning("The balance sheet date, which is the last day of the period.")]
    AccountingPeriod: Annotated[int | None, meaning("Length of the period.", unit="weeks")] = None
    Currency: Annotated[str | None, meaning("Currency of every amount of this year (ISO 4217).")] = None
    CurrencyMultiplier: Annotated[str | None, meaning("What one unit of an amount stands for.", values=MULTIPLIER)] = (
        None
    )
    CompanyClass: Annotated[
        str | None, meaning("Size by the accounting standard or the register's category.", values=COMPANY_CLASS)
    ] = None
    ConsolidatedAccounts: Annotated[
        str | None,
        meaning(
            "Whether the figures are of the group, not of the company alone; absent if the filing does not say.",
            values=YES_NO,
        ),
    ] = None
    LatestAccountsType: Annotated[str | None, meaning("Accounting standards of the filing.", values=STANDARDS)] = None
    RestatedAccounts: Annotated[
        str | None,
        meaning(
            "Whether the next filing shows other figures for this year; absent with one filing only.", values=YES_NO
        ),
    ] = None
    BalanceSheet: Annotated[Sheet | None, meaning("The balance sheet; absent if its fixed assets are unknown.")] = None
    ProfitLoss: Annotated[
        ProfitAndLoss | None, meaning("The profit and loss account; most small companies file none.")
    ] = None
    DisclosureItems: Annotated[Disclosures | None, meaning("Employees and depreciation.")] = None
