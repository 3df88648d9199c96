"""Ratios of a year and changes against the year before (report schema, field tables, Ratios and PercentageChange)."""

import datetime as dt
from typing import Annotated

import msgspec

from credence.meanings import CURRENCY, PER_CENT, YES_NO, meaning
from credence.report.schema.codes import COMPANY_CLASS


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
