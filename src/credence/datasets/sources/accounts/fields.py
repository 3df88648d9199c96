"""The tags of each field, by tag generation (credit §3.3). The namespace and its year are ignored.

If a field has several forms, the first that a filing uses for a period is read. A fact with a further dimension is a part
or a note, not the line of the balance sheet.

The profit and loss account and the headcount of the UK GAAP 2009 taxonomies are missing: no filing of the sample has them.
"""

from typing import NamedTuple

from credence.datasets.sources.accounts.contexts import Dimensions

GROUP = ("GroupCompanyDataDimension", "Consolidated")
"""The dimension and member of consolidated figures.

Figures without it, or with the member `Company`, are the legal entity's.
"""
COMPANY = ("GroupCompanyDataDimension", "Company")

_TERM = "FinancialInstrumentCurrentNon-currentDimension"
_MATURITY = "MaturitiesOrExpirationPeriodsDimension"
_CLASS = "EquityClassesDimension"


class Form(NamedTuple):
    """One way to tag a field: local name of the tag, and the dimensions of its context except group or company."""

    tag: str
    dimensions: Dimensions = ()


def _within_year(tag: str) -> tuple[Form, ...]:
    term, maturity = (_TERM, "CurrentFinancialInstruments"), (_MATURITY, "WithinOneYear")
    return Form(tag, (term,)), Form(tag, (maturity,)), Form(tag, (term, maturity))


def _after_year(tag: str) -> tuple[Form, ...]:
    term, maturity = (_TERM, "Non-currentFinancialInstruments"), (_MATURITY, "AfterOneYear")
    return Form(tag, (term,)), Form(tag, (maturity,)), Form(tag, (term, maturity))


def _reserve(member: str) -> Form:
    return Form("Equity", ((_CLASS, member),))


FRC: dict[str, tuple[Form, ...]] = {
    "fixed_assets": (Form("FixedAssets"),),
    "intangible_assets": (Form("IntangibleAssets"),),
    "tangible_assets": (Form("PropertyPlantEquipment"),),
    "investments": (Form("InvestmentsFixedAssets"),),
    "current_assets": (Form("CurrentAssets"),),
    "stocks": (Form("TotalInventories"),),
    "debtors": (Form("Debtors"), *_within_year("Debtors")),
    "cash": (Form("CashBankOnHand"),),
    "prepayments": (Form("PrepaymentsAccruedIncomeNotExpressedWithinCurrentAssetSubtotal"),),
    "unpaid_share_capital": (Form("CalledUpShareCapitalNotPaidNotExpressedAsCurrentAsset"),),
    "creditors_within_year": _within_year("Creditors"),
    "net_current_assets": (Form("NetCurrentAssetsLiabilities"),),
    "total_assets_less_current_liabilities": (Form("TotalAssetsLessCurrentLiabilities"),),
    "creditors_after_year": _after_year("Creditors"),
    "provisions": (
        Form("ProvisionsForLiabilitiesBalanceSheetSubtotal"),
        Form("TaxationIncludingDeferredTaxationBalanceSheetSubtotal"),
    ),
    "accruals": (
        Form("AccruedLiabilitiesNotExpressedWithinCreditorsSubtotal"),
        Form("AccruedLiabilitiesDeferredIncome"),
        Form("DeferredIncome"),
    ),
    "net_assets": (Form("NetAssetsLiabilities"),),
    "equity": (Form("Equity"),),
    "share_capital": (_reserve("ShareCapital"), _reserve("ShareCapitalOrdinaryShares")),
    "retained_earnings": (_reserve("RetainedEarningsAccumulatedLosses"),),
    "turnover": (Form("TurnoverRevenue"),),
    "cost_of_sales": (Form("CostSales"),),
    "gross_profit": (Form("GrossProfitLoss"),),
    "operating_profit": (Form("OperatingProfitLoss"),),
    "depreciation": (
        Form("DepreciationAmortisationImpairmentExpense"),
        Form("DepreciationAmortisationExpense"),
        Form("DepreciationExpensePropertyPlantEquipment"),
        Form("IncreaseFromDepreciationChargeForYearPropertyPlantEquipment"),
    ),
    "interest_payable": (Form("InterestPayableSimilarChargesFinanceCosts"),),
    "profit_before_tax": (Form("ProfitLossOnOrdinaryActivitiesBeforeTax"),),
    "tax": (Form("TaxTaxCreditOnProfitOrLossOnOrdinaryActivities"),),
    "profit": (Form("ProfitLoss"), Form("ProfitLoss", ((_CLASS, "RetainedEarningsAccumulatedLosses"),))),
    "dividends": (Form("DividendsPaid"), Form("DividendsPaid", ((_CLASS, "RetainedEarningsAccumulatedLosses"),))),
    "employees": (Form("AverageNumberEmployeesDuringPeriod"),),
}
"""FRC taxonomies since 2014."""

UK_GAAP: dict[str, tuple[Form, ...]] = {
    "fixed_assets": (Form("FixedAssets"),),
    "intangible_assets": (Form("IntangibleFixedAssets"),),
    "tangible_assets": (Form("TangibleFixedAssets"),),
    "investments": (Form("TotalInvestmentsFixedAssets"),),
    "current_assets": (Form("CurrentAssets"),),
    "stocks": (Form("StocksInventory"),),
    "debtors": (Form("Debtors"),),
    "cash": (Form("CashBankInHand"),),
    "prepayments": (Form("PrepaymentsAccruedIncomeNotExpressedWithinCurrentAssetSubtotal"),),
    "unpaid_share_capital": (Form("CalledUpShareCapitalNotPaidNotExpressedAsCurrentAsset"),),
    "creditors_within_year": (
        Form("CreditorsDueWithinOneYear"),
        Form("CreditorsDueWithinOneYearTotalCurrentLiabilities"),
    ),
    "net_current_assets": (Form("NetCurrentAssetsLiabilities"),),
    "total_assets_less_current_liabilities": (Form("TotalAssetsLessCurrentLiabilities"),),
    "creditors_after_year": (
        Form("CreditorsDueAfterOneYear"),
        Form("CreditorsDueAfterOneYearTotalNoncurrentLiabilities"),
    ),
    "provisions": (Form("ProvisionsForLiabilitiesCharges"),),
    "accruals": (Form("AccrualsDeferredIncome"),),
    "net_assets": (Form("NetAssetsLiabilitiesIncludingPensionAssetLiability"),),
    "equity": (Form("ShareholderFunds"),),
    "share_capital": (Form("CalledUpShareCapital"),),
    "retained_earnings": (Form("ProfitLossAccountReserve"),),
}
"""UK GAAP 2009 iXBRL, and the plain XBRL of abbreviated accounts; no filing uses both."""

FLOWS = frozenset(
    {
        *("turnover", "cost_of_sales", "gross_profit", "operating_profit", "depreciation", "interest_payable"),
        *("profit_before_tax", "tax", "profit", "dividends", "employees"),
    }
)
"""Fields of a period; all others belong to the balance sheet at its end."""
WITHOUT_UNIT = frozenset({"employees"})
"""Fields without a currency."""
LINES_OR_NOTES = frozenset({"DeferredIncome", "TaxationIncludingDeferredTaxationBalanceSheetSubtotal"})
"""Tags of either a balance sheet line or a note: treated as a line only if the balance sheet adds up with it."""

_CLASSES_WITH_FIELDS = frozenset({"ShareCapital", "ShareCapitalOrdinaryShares", "RetainedEarningsAccumulatedLosses"})
_OTHER_EQUITY_UK_GAAP = frozenset(
    {
        "SharePremiumAccount",
        "RevaluationReserve",
        "OtherAggregateReserves",
        "OtherReserves",
        "CapitalRedemptionReserve",
        "OtherReservesTotal",
    }
)


def is_other_equity(tag: str, dimensions: Dimensions) -> bool:
    """Return whether a fact is a class of equity other than share capital and retained earnings, such as a share premium."""
    if tag == "Equity":
        return bool(dict(dimensions).keys() == {_CLASS}) and dict(dimensions)[_CLASS] not in _CLASSES_WITH_FIELDS
    return tag in _OTHER_EQUITY_UK_GAAP and not dimensions


def by_form(table: dict[str, tuple[Form, ...]]) -> dict[Form, tuple[str, int]]:
    """Return form -> field and rank; the form with the lowest rank is read."""
    return {form: (field, rank) for field, forms in table.items() for rank, form in enumerate(forms)}
