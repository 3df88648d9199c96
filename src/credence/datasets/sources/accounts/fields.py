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


class Tagging(NamedTuple):
    """One way to tag a field: local name of the tag, and the dimensions of its context except group or company."""

    tag: str
    dimensions: Dimensions = ()


def _within_year(tag: str) -> tuple[Tagging, ...]:
    term, maturity = (_TERM, "CurrentFinancialInstruments"), (_MATURITY, "WithinOneYear")
    return Tagging(tag, (term,)), Tagging(tag, (maturity,)), Tagging(tag, (term, maturity))


def _after_year(tag: str) -> tuple[Tagging, ...]:
    term, maturity = (_TERM, "Non-currentFinancialInstruments"), (_MATURITY, "AfterOneYear")
    return Tagging(tag, (term,)), Tagging(tag, (maturity,)), Tagging(tag, (term, maturity))


def _note(*tags: str) -> tuple[Tagging, ...]:
    """Return the forms of an amount of a note: in all, or what is due within a year."""
    return tuple(form for tag in tags for form in (Tagging(tag), *_within_year(tag)))


def _note_later(*tags: str) -> tuple[Tagging, ...]:
    return tuple(form for tag in tags for form in _after_year(tag))


def _reserve(member: str) -> Tagging:
    return Tagging("Equity", ((_CLASS, member),))


_OF_NOTES: dict[str, tuple[str, ...]] = {
    "trade_debtors": ("TradeDebtorsTradeReceivables",),
    "owed_by_group": ("AmountsOwedByGroupUndertakings", "AmountsOwedByGroupUndertakingsParticipatingInterests"),
    "owed_by_participating_interests": (
        "AmountsOwedByAssociatesJointVenturesParticipatingInterests",
        "AmountsOwedByAssociates",
        "AmountsOwedByJointVentures",
    ),
    "owed_by_directors": ("AmountsOwedByDirectors",),
    "owed_by_related_parties": ("AmountsOwedByRelatedParties",),
    "trade_creditors": ("TradeCreditorsTradePayables",),
    "owed_to_group": ("AmountsOwedToGroupUndertakings", "AmountsOwedToGroupUndertakingsParticipatingInterests"),
    "owed_to_participating_interests": ("AmountsOwedToAssociatesJointVenturesParticipatingInterests",),
    "owed_to_directors": ("AmountsOwedToDirectors", "LoansFromDirectors"),
    "owed_to_related_parties": ("AmountsOwedToRelatedParties",),
    "corporation_tax_owed": ("CorporationTaxPayable",),
    "taxes_owed": ("OtherTaxationSocialSecurityPayable", "TaxationSocialSecurityPayable"),
    "borrowings": ("TotalBorrowings", "BankBorrowingsOverdrafts", "BankBorrowings", "BankOverdrafts"),
}
NOTES = frozenset(_OF_NOTES)
"""Fields of notes: parts of debtors and creditors, those due within a year and later ones together."""
LATER = {f"{name}_later": name for name in _OF_NOTES if not name.startswith("trade")}
"""What is due after a year, where a note says it apart -> the field to which it is added."""

FRC: dict[str, tuple[Tagging, ...]] = {
    "fixed_assets": (Tagging("FixedAssets"),),
    "intangible_assets": (Tagging("IntangibleAssets"),),
    "tangible_assets": (Tagging("PropertyPlantEquipment"),),
    "investments": (Tagging("InvestmentsFixedAssets"),),
    "current_assets": (Tagging("CurrentAssets"),),
    "stocks": (Tagging("TotalInventories"),),
    "debtors": (Tagging("Debtors"), *_within_year("Debtors")),
    "cash": (Tagging("CashBankOnHand"),),
    "prepayments": (Tagging("PrepaymentsAccruedIncomeNotExpressedWithinCurrentAssetSubtotal"),),
    "unpaid_share_capital": (Tagging("CalledUpShareCapitalNotPaidNotExpressedAsCurrentAsset"),),
    "creditors_within_year": _within_year("Creditors"),
    "net_current_assets": (Tagging("NetCurrentAssetsLiabilities"),),
    "total_assets_less_current_liabilities": (Tagging("TotalAssetsLessCurrentLiabilities"),),
    "creditors_after_year": _after_year("Creditors"),
    "provisions": (
        Tagging("ProvisionsForLiabilitiesBalanceSheetSubtotal"),
        Tagging("TaxationIncludingDeferredTaxationBalanceSheetSubtotal"),
    ),
    "accruals": (
        Tagging("AccruedLiabilitiesNotExpressedWithinCreditorsSubtotal"),
        Tagging("AccruedLiabilitiesDeferredIncome"),
        Tagging("DeferredIncome"),
    ),
    "net_assets": (Tagging("NetAssetsLiabilities"),),
    "equity": (Tagging("Equity"),),
    "share_capital": (_reserve("ShareCapital"), _reserve("ShareCapitalOrdinaryShares")),
    "retained_earnings": (_reserve("RetainedEarningsAccumulatedLosses"),),
    "turnover": (Tagging("TurnoverRevenue"),),
    "cost_of_sales": (Tagging("CostSales"),),
    "gross_profit": (Tagging("GrossProfitLoss"),),
    "operating_profit": (Tagging("OperatingProfitLoss"),),
    "depreciation": (
        Tagging("DepreciationAmortisationImpairmentExpense"),
        Tagging("DepreciationAmortisationExpense"),
        Tagging("DepreciationExpensePropertyPlantEquipment"),
        Tagging("IncreaseFromDepreciationChargeForYearPropertyPlantEquipment"),
    ),
    "interest_payable": (Tagging("InterestPayableSimilarChargesFinanceCosts"),),
    "profit_before_tax": (Tagging("ProfitLossOnOrdinaryActivitiesBeforeTax"),),
    "tax": (Tagging("TaxTaxCreditOnProfitOrLossOnOrdinaryActivities"),),
    "profit": (Tagging("ProfitLoss"), Tagging("ProfitLoss", ((_CLASS, "RetainedEarningsAccumulatedLosses"),))),
    "dividends": (Tagging("DividendsPaid"), Tagging("DividendsPaid", ((_CLASS, "RetainedEarningsAccumulatedLosses"),))),
    "staff_costs": (Tagging("StaffCostsEmployeeBenefitsExpense"),),
    "directors_pay": (Tagging("DirectorRemuneration"),),
    "employees": (Tagging("AverageNumberEmployeesDuringPeriod"),),
    **{name: _note(*tags) for name, tags in _OF_NOTES.items()},
    **{later: _note_later(*_OF_NOTES[name]) for later, name in LATER.items()},
}
"""FRC taxonomies since 2014."""

UK_GAAP: dict[str, tuple[Tagging, ...]] = {
    "fixed_assets": (Tagging("FixedAssets"),),
    "intangible_assets": (Tagging("IntangibleFixedAssets"),),
    "tangible_assets": (Tagging("TangibleFixedAssets"),),
    "investments": (Tagging("TotalInvestmentsFixedAssets"),),
    "current_assets": (Tagging("CurrentAssets"),),
    "stocks": (Tagging("StocksInventory"),),
    "debtors": (Tagging("Debtors"),),
    "cash": (Tagging("CashBankInHand"),),
    "prepayments": (Tagging("PrepaymentsAccruedIncomeNotExpressedWithinCurrentAssetSubtotal"),),
    "unpaid_share_capital": (Tagging("CalledUpShareCapitalNotPaidNotExpressedAsCurrentAsset"),),
    "creditors_within_year": (
        Tagging("CreditorsDueWithinOneYear"),
        Tagging("CreditorsDueWithinOneYearTotalCurrentLiabilities"),
    ),
    "net_current_assets": (Tagging("NetCurrentAssetsLiabilities"),),
    "total_assets_less_current_liabilities": (Tagging("TotalAssetsLessCurrentLiabilities"),),
    "creditors_after_year": (
        Tagging("CreditorsDueAfterOneYear"),
        Tagging("CreditorsDueAfterOneYearTotalNoncurrentLiabilities"),
    ),
    "provisions": (Tagging("ProvisionsForLiabilitiesCharges"),),
    "accruals": (Tagging("AccrualsDeferredIncome"),),
    "net_assets": (Tagging("NetAssetsLiabilitiesIncludingPensionAssetLiability"),),
    "equity": (Tagging("ShareholderFunds"),),
    "share_capital": (Tagging("CalledUpShareCapital"),),
    "retained_earnings": (Tagging("ProfitLossAccountReserve"),),
}
"""UK GAAP 2009 iXBRL, and the plain XBRL of abbreviated accounts; no filing uses both."""

FLOWS = frozenset(
    {
        *("turnover", "cost_of_sales", "gross_profit", "operating_profit", "depreciation", "interest_payable"),
        *("profit_before_tax", "tax", "profit", "dividends", "staff_costs", "directors_pay", "employees"),
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


def by_form(table: dict[str, tuple[Tagging, ...]]) -> dict[tuple[str, Dimensions], tuple[str, int]]:
    """Return form -> field and rank; the form with the lowest rank is read."""
    return {form: (field, rank) for field, forms in table.items() for rank, form in enumerate(forms)}
