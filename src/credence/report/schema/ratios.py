"""Ratios of a year and changes against the year before (report schema, field tables, Ratios and PercentageChange)."""

import datetime as dt

import msgspec


class Ratios(msgspec.Struct, frozen=True, omit_defaults=True):
    """The ratios of one year; build/ratios.py has their definitions."""

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
