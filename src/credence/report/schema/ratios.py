"""Ratios of a year and changes against the year before (report schema, field tables, Ratios and PercentageChange)."""

import datetime as dt

import msgspec


class Ratios(msgspec.Struct, frozen=True, omit_defaults=True):
    """One year's ratios; their definitions stand in `report/ratios.py`."""

    DateOfAccounts: dt.date
    Currency: str | None = None
    CompanyClass: str | None = None
    ConsAccounts: str | None = None
    CurrentRatio: float | None = None
    AcidTest: float | None = None
    StockTurnover: float | None = None
    CreditPeriod: float | None = None
    WorkingCapSales: float | None = None
    ReturnOnCapital: float | None = None
    ReturnOnAssets: float | None = None
    PreTaxProfitMargin: float | None = None
    ReturnOnShareholdersFunds: float | None = None
    EquityGearing: float | None = None
    DebtGearing: float | None = None
    InterestCover: float | None = None
    SalesTangAssets: float | None = None
    ProfitPerEmp: float | None = None
    TurnoverPerEmp: float | None = None
    CapEmployedPerEmp: float | None = None
    TangAssetsPerEmp: float | None = None
    TotAssetsPerEmp: float | None = None
    NumEmployees: int | float | None = None


class PercentageChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """Per cent by which the newest year differs from the one before; the rules stand in `report/changes.py`."""

    DateOfAccounts: dt.date
    AccountingPeriod: int | None = None
    Currency: str | None = None
    CompanyClass: str | None = None
    ConsAccounts: str | None = None
    PercentChangeNumEmployees: float | None = None
    PercentChangeGrossAsset: float | None = None
    PercentChangeNetWorth: float | None = None
    PercentChangeFixedAssets: float | None = None
    PercentChangeCurrentAssets: float | None = None
    PercentChangeCurrentLiabilities: float | None = None
    PercentChangeWorkingCapital: float | None = None
    PercentChangeCapitalEmployed: float | None = None
    PercentChangeNetAssets: float | None = None
    PercentChangeIssuedCapital: float | None = None
    PercentChangeRetainedEarnings: float | None = None
    PercentChangeShareholdersFunds: float | None = None
    PercentChangeTotalTurnover: float | None = None
    PercentChangePreTaxProfitLoss: float | None = None
    PercentChangeCurrentRatio: float | None = None
    PercentChangeCreditPeriod: float | None = None
    PercentChangeReturnOnCapital: float | None = None
    PercentChangePreTaxProfitMargin: float | None = None
    PercentChangeEquityGearing: float | None = None
    PercentChangeDebtGearing: float | None = None
    PercentChangeProfPerEmp: float | None = None
    PercentChangeTurnoverPerEmp: float | None = None
