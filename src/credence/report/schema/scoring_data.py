"""The known inputs of a score (report schema, field tables, LtdScoringData).

A missing input is absent; the schema's sentinels for "missing" are never sent. Durations are in whole months.
"""

import datetime as dt
from typing import Annotated

import msgspec

from credence.meanings import CURRENCY, MONTHS, PER_CENT, YES_NO, meaning
from credence.report.schema.accounts import Amount
from credence.report.schema.codes import COMPANY_CLASS, FILED_ACCOUNTS, LEGAL_STATUS, STANDARDS


class ActivityCode(msgspec.Struct, frozen=True):
    """`SICInfo1992`: the first activity's code."""

    Code: Annotated[str, meaning("Code of the first activity (SIC 2007).")]


class ScoringData(msgspec.Struct, frozen=True, omit_defaults=True):
    """Known facts about the company that could be scored; none about people."""

    AccountingPeriod: Annotated[int | None, meaning("Length of the newest year of accounts.", unit="weeks")] = None
    AcidTest: Annotated[
        float | None, meaning("(Current assets - stocks) / creditors due within one year.", unit="times")
    ] = None
    CapitalEmployed: Annotated[Amount | None, meaning("Total assets less current liabilities.", unit=CURRENCY)] = None
    CapitalEmployedPercentTotalAssets: Annotated[
        float | None, meaning("Capital employed / total assets x 100.", unit=PER_CENT)
    ] = None
    CompanyAge: Annotated[
        str | None, meaning("Age of the company since incorporation, as text.", unit="whole years")
    ] = None
    CompanyClass: Annotated[str | None, meaning("Size of the company.", values=COMPANY_CLASS)] = None
    ConsAccounts: Annotated[str | None, meaning("Whether the newest accounts are of the group.", values=YES_NO)] = None
    CreditPeriod: Annotated[float | None, meaning("Debtors / turnover x days of the period.", unit="days")] = None
    CurrAccsAvailabe: Annotated[str | None, meaning("Whether accounts are on record.", values=YES_NO)] = None
    Currency: Annotated[str | None, meaning("Currency of the newest accounts (ISO 4217).")] = None
    CurrentLiabilitiesPercentTotalAssets: Annotated[
        float | None, meaning("Creditors due within one year / total assets x 100.", unit=PER_CENT)
    ] = None
    Currentratio: Annotated[float | None, meaning("Current assets / creditors due within one year.", unit="times")] = (
        None
    )
    DateOfAccounts: Annotated[dt.date | None, meaning("Balance sheet date of the newest accounts.")] = None
    DebtGearing: Annotated[float | None, meaning("Creditors due after one year / equity x 100.", unit=PER_CENT)] = None
    Dividends: Annotated[Amount | None, meaning("Dividends paid.", unit=CURRENCY, example=30000)] = None
    EquityGearing: Annotated[float | None, meaning("Equity / total assets x 100.", unit=PER_CENT)] = None
    FiledAccsType: Annotated[str | None, meaning("Kind of the newest accounts.", values=FILED_ACCOUNTS)] = None
    FixedAssets: Annotated[Amount | None, meaning("Fixed assets.", unit=CURRENCY)] = None
    GrossAssets: Annotated[Amount | None, meaning("Total assets.", unit=CURRENCY)] = None
    HasSubsidiaries: Annotated[str | None, meaning("Whether the company has subsidiaries.", values=YES_NO)] = None
    IntangibleAssets: Annotated[Amount | None, meaning("Intangible assets.", unit=CURRENCY)] = None
    IsSubsidiary: Annotated[str | None, meaning("Whether the company has a parent.", values=YES_NO)] = None
    IssuedCapital: Annotated[Amount | None, meaning("Called up share capital.", unit=CURRENCY)] = None
    LatestAccountsType: Annotated[
        str | None, meaning("Accounting standards of the newest accounts.", values=STANDARDS)
    ] = None
    LegalStatus: Annotated[str | None, meaning("Legal form.", values=LEGAL_STATUS)] = None
    NetWorth: Annotated[Amount | None, meaning("Equity less intangible assets.", unit=CURRENCY)] = None
    NumAppointmentsLast12: Annotated[
        int | None, meaning("Directors appointed in the last 12 months.", unit="directors")
    ] = None
    NumApprovalVolArrangement: Annotated[int | None, meaning("Voluntary arrangements approved.", unit="events")] = None
    NumApptAdministrator: Annotated[int | None, meaning("Administrators appointed.", unit="events")] = None
    NumApptCompLiquidator: Annotated[
        int | None, meaning("Liquidators appointed in a compulsory liquidation.", unit="events")
    ] = None
    NumApptReceiver: Annotated[int | None, meaning("Receivers appointed.", unit="events")] = None
    NumApptVolLiquidator: Annotated[
        int | None, meaning("Liquidators appointed in a voluntary liquidation.", unit="events")
    ] = None
    NumCompanyDissolved: Annotated[int | None, meaning("Dissolutions.", unit="events")] = None
    NumCompanyReinstated: Annotated[int | None, meaning("Restorations to the register.", unit="events")] = None
    NumCompletionsVolArrangement: Annotated[int | None, meaning("Voluntary arrangements completed.", unit="events")] = (
        None
    )
    NumCurrDirs: Annotated[int | None, meaning("Directors in office.", unit="directors")] = None
    NumDischargeAdministrator: Annotated[int | None, meaning("Administrations ended.", unit="events")] = None
    NumDismissedPetition: Annotated[
        int | None, meaning("Petitions to wind the company up that were dismissed or withdrawn.", unit="events")
    ] = None
    NumEmployees: Annotated[Amount | None, meaning("Average number of employees.", unit="employees")] = None
    NumIntentionToDissolve: Annotated[int | None, meaning("Proposals to strike the company off.", unit="events")] = None
    NumPetitionCompWindUp: Annotated[int | None, meaning("Petitions to wind the company up.", unit="events")] = None
    NumReceiverCeasing: Annotated[int | None, meaning("Receivers who ceased to act.", unit="events")] = None
    NumResolutionWindUp: Annotated[int | None, meaning("Resolutions to wind the company up.", unit="events")] = None
    NumSatMortgages: Annotated[int | None, meaning("Charges fully satisfied.", unit="charges")] = None
    NumUnsatPartSatMortgages: Annotated[
        int | None, meaning("Charges outstanding or satisfied in part.", unit="charges")
    ] = None
    NumWindUpOrders: Annotated[int | None, meaning("Winding-up orders.", unit="events")] = None
    NumYearsAccosAvailable: Annotated[int | None, meaning("Years of accounts on record.", unit="years")] = None
    NumYearsPreTaxProfitLessThan0Last4Years: Annotated[
        int | None, meaning("Years with a loss before tax among the last four.", unit="years")
    ] = None
    NumberDaysToFile: Annotated[
        int | None, meaning("From the end of the year to the receipt of its accounts.", unit="days")
    ] = None
    PercentChangeCapitalEmployed: Annotated[
        float | None, meaning("Change of capital employed against the year before.", unit=PER_CENT)
    ] = None
    PercentChangeCurrentRatio: Annotated[
        float | None, meaning("Change of the current ratio against the year before.", unit=PER_CENT)
    ] = None
    PercentChangePreTaxProfitLoss: Annotated[
        float | None, meaning("Change of profit before tax against the year before.", unit=PER_CENT)
    ] = None
    PercentChangeShareholdersFunds: Annotated[
        float | None, meaning("Change of equity against the year before.", unit=PER_CENT)
    ] = None
    PercentChangeTotalAssets: Annotated[
        float | None, meaning("Change of total assets against the year before.", unit=PER_CENT)
    ] = None
    PreTaxProfitLoss: Annotated[Amount | None, meaning("Profit before tax; a loss is negative.", unit=CURRENCY)] = None
    PreTaxProfitMargin: Annotated[float | None, meaning("Profit before tax / turnover x 100.", unit=PER_CENT)] = None
    PrevAccsAvailabile: Annotated[
        str | None, meaning("Whether accounts of the year before are on record.", values=YES_NO)
    ] = None
    PrevAccsConsAccounts: Annotated[
        str | None, meaning("Whether the accounts of the year before are of the group.", values=YES_NO)
    ] = None
    PrevAccsCurrency: Annotated[str | None, meaning("Currency of the year before (ISO 4217).")] = None
    RetainedEarnings: Annotated[Amount | None, meaning("Profit and loss reserve.", unit=CURRENCY)] = None
    ReturnOnAssets: Annotated[float | None, meaning("Profit before tax / total assets x 100.", unit=PER_CENT)] = None
    ReturnOnCapital: Annotated[float | None, meaning("Profit before tax / capital employed x 100.", unit=PER_CENT)] = (
        None
    )
    SICInformation1992: Annotated[ActivityCode | None, meaning("The first activity.")] = None
    ShareholdersFunds: Annotated[Amount | None, meaning("Equity.", unit=CURRENCY)] = None
    StocksWorkInProgressPercentCurrentAssets: Annotated[
        float | None, meaning("Stocks / current assets x 100.", unit=PER_CENT)
    ] = None
    TimeSinceLastAccsSubmitted: Annotated[
        int | None, meaning("Time since the register last received accounts.", unit=MONTHS)
    ] = None
    TimeSinceLastApprovalVolArrangement: Annotated[
        int | None, meaning("Time since a voluntary arrangement was last approved.", unit=MONTHS, example=14)
    ] = None
    TimeSinceLastApptAdministrator: Annotated[
        int | None, meaning("Time since an administrator was last appointed.", unit=MONTHS, example=3)
    ] = None
    TimeSinceLastApptCompLiquidator: Annotated[
        int | None,
        meaning("Time since a liquidator was last appointed in a compulsory liquidation.", unit=MONTHS, example=2),
    ] = None
    TimeSinceLastApptReceiver: Annotated[
        int | None, meaning("Time since a receiver was last appointed.", unit=MONTHS, example=9)
    ] = None
    TimeSinceLastApptVolLiquidator: Annotated[
        int | None, meaning("Time since a liquidator was last appointed in a voluntary liquidation.", unit=MONTHS)
    ] = None
    TimeSinceLastCompanyDissolved: Annotated[int | None, meaning("Time since the last dissolution.", unit=MONTHS)] = (
        None
    )
    TimeSinceLastCompanyReinstated: Annotated[
        int | None, meaning("Time since the last restoration to the register.", unit=MONTHS, example=30)
    ] = None
    TimeSinceLastCompletionVolArrangement: Annotated[
        int | None, meaning("Time since a voluntary arrangement was last completed.", unit=MONTHS, example=7)
    ] = None
    TimeSinceLastDirAppt: Annotated[int | None, meaning("Time since a director was last appointed.", unit=MONTHS)] = (
        None
    )
    TimeSinceLastDischargeAdministrator: Annotated[
        int | None, meaning("Time since an administration last ended.", unit=MONTHS, example=11)
    ] = None
    TimeSinceLastDismissedPetition: Annotated[
        int | None,
        meaning(
            "Time since a petition to wind the company up was last dismissed or withdrawn.", unit=MONTHS, example=4
        ),
    ] = None
    TimeSinceLastIntentionToDissolve: Annotated[
        int | None, meaning("Time since striking off was last proposed.", unit=MONTHS)
    ] = None
    TimeSinceLastPetitionCompWindUp: Annotated[
        int | None, meaning("Time since the last petition to wind the company up.", unit=MONTHS)
    ] = None
    TimeSinceLastReceiverCeasing: Annotated[
        int | None, meaning("Time since a receiver last ceased to act.", unit=MONTHS, example=5)
    ] = None
    TimeSinceLastResolutionWindUp: Annotated[
        int | None, meaning("Time since the last resolution to wind the company up.", unit=MONTHS)
    ] = None
    TimeSinceLastRetsSubmitted: Annotated[
        int | None, meaning("Time since the register last received a confirmation statement.", unit=MONTHS, example=4)
    ] = None
    TimeSinceLastWindUpOrder: Annotated[
        int | None, meaning("Time since the last winding-up order.", unit=MONTHS, example=1)
    ] = None
    TotAssetsEmp: Annotated[float | None, meaning("Total assets / average number of employees.", unit=CURRENCY)] = None
    TotalAssets: Annotated[Amount | None, meaning("Total assets.", unit=CURRENCY)] = None
    TotalCurrentAssets: Annotated[Amount | None, meaning("Current assets.", unit=CURRENCY)] = None
    TotalCurrentLiabilities: Annotated[
        Amount | None, meaning("Creditors due within one year; a positive amount.", unit=CURRENCY)
    ] = None
    TotalFixedAssetsPercentTotalAssets: Annotated[
        float | None, meaning("Fixed assets / total assets x 100.", unit=PER_CENT)
    ] = None
    TotalLongTermLiabilities: Annotated[
        Amount | None, meaning("Creditors due after more than one year; a positive amount.", unit=CURRENCY)
    ] = None
    TotalTurnover: Annotated[Amount | None, meaning("Turnover.", unit=CURRENCY)] = None
    TurnoverPerEmp: Annotated[float | None, meaning("Turnover / average number of employees.", unit=CURRENCY)] = None
    WorkingCapital: Annotated[Amount | None, meaning("Net current assets; may be negative.", unit=CURRENCY)] = None
    WorkingCapitalPercentCurrentPlusFixedAssets: Annotated[
        float | None, meaning("Net current assets / (current assets + fixed assets) x 100.", unit=PER_CENT)
    ] = None
