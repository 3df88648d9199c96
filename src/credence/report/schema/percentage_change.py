"""Changes against the year before (report schema, field tables, PercentageChange)."""

import datetime as dt
from typing import Annotated

import msgspec

from credence.meanings import PER_CENT, YES_NO, meaning
from credence.report.schema.codes import COMPANY_CLASS


class PercentageChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """Per cent by which the newest year differs from the one before; build/percentage_change.py has the rules."""

    DateOfAccounts: Annotated[dt.date, meaning("Balance sheet date of the newest year.")]
    AccountingPeriod: Annotated[int | None, meaning("Length of the newest year.", unit="weeks")] = None
    Currency: Annotated[str | None, meaning("Currency of both years (ISO 4217).")] = None
    CompanyClass: Annotated[str | None, meaning("Size of the company.", values=COMPANY_CLASS)] = None
    ConsAccounts: Annotated[str | None, meaning("Whether both years are of the group.", values=YES_NO)] = None
    PercentChangeNumEmployees: Annotated[float | None, meaning("Change of the number of employees.", unit=PER_CENT)] = (
        None
    )
    PercentChangeGrossAsset: Annotated[float | None, meaning("Change of total assets.", unit=PER_CENT)] = None
    PercentChangeNetWorth: Annotated[float | None, meaning("Change of net worth.", unit=PER_CENT)] = None
    PercentChangeFixedAssets: Annotated[float | None, meaning("Change of fixed assets.", unit=PER_CENT)] = None
    PercentChangeCurrentAssets: Annotated[float | None, meaning("Change of current assets.", unit=PER_CENT)] = None
    PercentChangeCurrentLiabilities: Annotated[
        float | None, meaning("Change of creditors due within one year.", unit=PER_CENT)
    ] = None
    PercentChangeWorkingCapital: Annotated[float | None, meaning("Change of net current assets.", unit=PER_CENT)] = None
    PercentChangeCapitalEmployed: Annotated[float | None, meaning("Change of capital employed.", unit=PER_CENT)] = None
    PercentChangeNetAssets: Annotated[float | None, meaning("Change of net assets.", unit=PER_CENT)] = None
    PercentChangeIssuedCapital: Annotated[float | None, meaning("Change of share capital.", unit=PER_CENT)] = None
    PercentChangeRetainedEarnings: Annotated[
        float | None, meaning("Change of the profit and loss reserve.", unit=PER_CENT)
    ] = None
    PercentChangeShareholdersFunds: Annotated[float | None, meaning("Change of equity.", unit=PER_CENT)] = None
    PercentChangeTotalTurnover: Annotated[float | None, meaning("Change of turnover.", unit=PER_CENT)] = None
    PercentChangePreTaxProfitLoss: Annotated[float | None, meaning("Change of profit before tax.", unit=PER_CENT)] = (
        None
    )
    PercentChangeCurrentRatio: Annotated[float | None, meaning("Change of the current ratio.", unit=PER_CENT)] = None
    PercentChangeCreditPeriod: Annotated[
        float | None, meaning("Change of the time that customers take to pay.", unit=PER_CENT)
    ] = None
    PercentChangeReturnOnCapital: Annotated[
        float | None, meaning("Change of the return on capital employed.", unit=PER_CENT)
    ] = None
    PercentChangePreTaxProfitMargin: Annotated[
        float | None, meaning("Change of the margin before tax.", unit=PER_CENT)
    ] = None
    PercentChangeEquityGearing: Annotated[float | None, meaning("Change of equity gearing.", unit=PER_CENT)] = None
    PercentChangeDebtGearing: Annotated[float | None, meaning("Change of debt gearing.", unit=PER_CENT)] = None
    PercentChangeProfPerEmp: Annotated[float | None, meaning("Change of the profit per employee.", unit=PER_CENT)] = (
        None
    )
    PercentChangeTurnoverPerEmp: Annotated[
        float | None, meaning("Change of the turnover per employee.", unit=PER_CENT)
    ] = None
