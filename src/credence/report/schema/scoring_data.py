"""The known inputs of a score (report schema, field tables, LtdScoringData).

A missing input is absent; the schema's sentinels for "missing" are never sent. Durations are in whole months.
"""

import datetime as dt

import msgspec

from credence.report.schema.accounts import Amount


class ActivityCode(msgspec.Struct, frozen=True):
    """`SICInfo1992`: the first activity's code."""

    Code: str


class ScoringData(msgspec.Struct, frozen=True, omit_defaults=True):
    """Known facts about the company that could be scored; none about people."""

    AccountingPeriod: int | None = None
    AcidTest: float | None = None
    CapitalEmployed: Amount | None = None
    CapitalEmployedPercentTotalAssets: float | None = None
    CompanyAge: str | None = None
    CompanyClass: str | None = None
    ConsAccounts: str | None = None
    CreditPeriod: float | None = None
    CurrAccsAvailabe: str | None = None
    Currency: str | None = None
    CurrentLiabilitiesPercentTotalAssets: float | None = None
    Currentratio: float | None = None
    DateOfAccounts: dt.date | None = None
    DebtGearing: float | None = None
    Dividends: Amount | None = None
    EquityGearing: float | None = None
    FiledAccsType: str | None = None
    FixedAssets: Amount | None = None
    GrossAssets: Amount | None = None
    HasSubsidiaries: str | None = None
    IntangibleAssets: Amount | None = None
    IsSubsidiary: str | None = None
    IssuedCapital: Amount | None = None
    LatestAccountsType: str | None = None
    LegalStatus: str | None = None
    NetWorth: Amount | None = None
    NumAppointmentsLast12: int | None = None
    NumApprovalVolArrangement: int | None = None
    NumApptAdministrator: int | None = None
    NumApptCompLiquidator: int | None = None
    NumApptReceiver: int | None = None
    NumApptVolLiquidator: int | None = None
    NumCompanyDissolved: int | None = None
    NumCompanyReinstated: int | None = None
    NumCompletionsVolArrangement: int | None = None
    NumCurrDirs: int | None = None
    NumDischargeAdministrator: int | None = None
    NumEmployees: Amount | None = None
    NumIntentionToDissolve: int | None = None
    NumPetitionCompWindUp: int | None = None
    NumReceiverCeasing: int | None = None
    NumResolutionWindUp: int | None = None
    NumSatMortgages: int | None = None
    NumUnsatPartSatMortgages: int | None = None
    NumWindUpOrders: int | None = None
    NumYearsAccosAvailable: int | None = None
    NumYearsPreTaxProfitLessThan0Last4Years: int | None = None
    NumberDaysToFile: int | None = None
    PercentChangeCapitalEmployed: float | None = None
    PercentChangeCurrentRatio: float | None = None
    PercentChangePreTaxProfitLoss: float | None = None
    PercentChangeShareholdersFunds: float | None = None
    PercentChangeTotalAssets: float | None = None
    PreTaxProfitLoss: Amount | None = None
    PreTaxProfitMargin: float | None = None
    PrevAccsAvailabile: str | None = None
    PrevAccsConsAccounts: str | None = None
    PrevAccsCurrency: str | None = None
    RetainedEarnings: Amount | None = None
    ReturnOnAssets: float | None = None
    ReturnOnCapital: float | None = None
    SICInformation1992: ActivityCode | None = None
    ShareholdersFunds: Amount | None = None
    StocksWorkInProgressPercentCurrentAssets: float | None = None
    TimeSinceLastAccsSubmitted: int | None = None
    TimeSinceLastApprovalVolArrangement: int | None = None
    TimeSinceLastApptAdministrator: int | None = None
    TimeSinceLastApptCompLiquidator: int | None = None
    TimeSinceLastApptReceiver: int | None = None
    TimeSinceLastApptVolLiquidator: int | None = None
    TimeSinceLastCompanyDissolved: int | None = None
    TimeSinceLastCompanyReinstated: int | None = None
    TimeSinceLastCompletionVolArrangement: int | None = None
    TimeSinceLastDirAppt: int | None = None
    TimeSinceLastDischargeAdministrator: int | None = None
    TimeSinceLastIntentionToDissolve: int | None = None
    TimeSinceLastPetitionCompWindUp: int | None = None
    TimeSinceLastReceiverCeasing: int | None = None
    TimeSinceLastResolutionWindUp: int | None = None
    TimeSinceLastRetsSubmitted: int | None = None
    TimeSinceLastWindUpOrder: int | None = None
    TotAssetsEmp: float | None = None
    TotalAssets: Amount | None = None
    TotalCurrentAssets: Amount | None = None
    TotalCurrentLiabilities: Amount | None = None
    TotalFixedAssetsPercentTotalAssets: float | None = None
    TotalLongTermLiabilities: Amount | None = None
    TotalTurnover: Amount | None = None
    TurnoverPerEmp: float | None = None
    WorkingCapital: Amount | None = None
    WorkingCapitalPercentCurrentPlusFixedAssets: float | None = None
