"""Changes against the year before (report schema, field tables, PercentageChange)."""

import datetime as dt

import msgspec


class PercentageChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """Per cent by which the newest year differs from the one before; build/percentage_change.py has the rules."""

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
