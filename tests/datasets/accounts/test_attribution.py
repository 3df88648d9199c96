"""Figures of a group that are tagged as if they were the company's (credit §3.2).

The documents are constructed in the patterns of filed ones; companies and amounts are invented.
"""

from credence.companies.facts.accounts import Accounts, Figures
from credence.datasets.sources.accounts.filing import read_filing
from tests.datasets.accounts.filings import GROUP, amount, context, duration, filing

YEAR = duration("year", "2025-01-01") + duration("group year", "2025-01-01", members=GROUP) + context("group", GROUP)
SHEET = (
    amount("FixedAssets", 900),
    amount("CurrentAssets", 500),
    amount("Creditors", 300, "creditors"),
    amount("NetAssetsLiabilities", 1100),
)
STATEMENT = (
    amount("ProfitLossOnOrdinaryActivitiesBeforeTax", 700, "year"),
    amount("InterestPayableSimilarChargesFinanceCosts", 8, "year"),
)


def read(*body: str, contexts: str = YEAR) -> Accounts:
    return read_filing(filing(*body, contexts=contexts), "document")


def values(figures: Figures) -> dict[str, float]:
    found = {name: getattr(figures, name) for name in figures.__struct_fields__}
    return {name: figure.value for name, figure in found.items() if figure is not None}


def both(*body: str) -> tuple[dict[str, float], dict[str, float]]:
    accounts = read(*body)
    return values(accounts.periods[0].figures), values(accounts.group_periods[0].figures)


def test_a_profit_before_tax_that_gives_the_consolidated_profit_is_the_groups() -> None:
    """700 less 200 is the group's 500; the company's own result, in its statement of changes in equity, is a loss of 40."""
    staff = amount("AverageNumberEmployeesDuringPeriod", 12, "year")
    tax = amount("TaxTaxCreditOnProfitOrLossOnOrdinaryActivities", 200, "year")
    profits = amount("ProfitLoss", 500, "group year"), amount("ProfitLoss", -40, "year")
    own, group = both(*SHEET, *STATEMENT, tax, staff, *profits)
    assert own["profit"] == -40
    assert not {"profit_before_tax", "tax", "interest_payable", "employees"} & own.keys()
    expected = {"profit": 500, "profit_before_tax": 700, "tax": 200, "interest_payable": 8, "employees": 12}
    assert {name: group[name] for name in expected} == expected
    assert own["net_assets"] == 1100


def test_a_tax_credit_and_a_loss_of_the_group_are_told_the_same_way() -> None:
    """-2,000 less 190 is -2,190; the company has a loss of 2,220."""
    body = (
        amount("ProfitLossOnOrdinaryActivitiesBeforeTax", -2000, "year"),
        amount("TaxTaxCreditOnProfitOrLossOnOrdinaryActivities", 190, "year"),
        amount("ProfitLoss", -2190, "group year"),
        amount("ProfitLoss", -2220, "year"),
    )
    own, group = both(*SHEET, *body)
    assert (own.get("profit_before_tax"), own["profit"]) == (None, -2220)
    assert (group["profit_before_tax"], group["tax"], group["profit"]) == (-2000, 190, -2190)


def test_without_a_result_of_its_own_the_company_keeps_no_profit_of_the_group() -> None:
    tax = amount("TaxTaxCreditOnProfitOrLossOnOrdinaryActivities", 200, "year")
    own, group = both(*SHEET, *STATEMENT, tax, amount("ProfitLoss", 500, "group year"))
    assert "profit_before_tax" not in own
    assert group["profit_before_tax"] == 700


def test_a_profit_before_tax_that_gives_the_companys_profit_is_the_companys() -> None:
    tax = amount("TaxTaxCreditOnProfitOrLossOnOrdinaryActivities", 200, "year")
    profits = amount("ProfitLoss", 900, "group year"), amount("ProfitLoss", 500, "year")
    own, group = both(*SHEET, *STATEMENT, tax, *profits)
    assert (own["profit_before_tax"], own["tax"], own["profit"]) == (700, 200, 500)
    assert "profit_before_tax" not in group


def test_equal_results_of_company_and_group_leave_the_statement_with_the_company() -> None:
    tax = amount("TaxTaxCreditOnProfitOrLossOnOrdinaryActivities", 200, "year")
    profits = amount("ProfitLoss", 500, "group year"), amount("ProfitLoss", 500, "year")
    own, _ = both(*SHEET, *STATEMENT, tax, *profits)
    assert own["profit_before_tax"] == 700


def test_a_result_that_fits_neither_is_marked_as_a_contradiction() -> None:
    tax = amount("TaxTaxCreditOnProfitOrLossOnOrdinaryActivities", 200, "year")
    profits = amount("ProfitLoss", 900, "group year"), amount("ProfitLoss", 350, "year")
    (period,) = read(*SHEET, *STATEMENT, tax, *profits).periods
    assert period.contradictions == ("result",)


def test_lines_that_the_group_tags_itself_are_not_replaced() -> None:
    tax = amount("TaxTaxCreditOnProfitOrLossOnOrdinaryActivities", 200, "year")
    staff = (
        amount("AverageNumberEmployeesDuringPeriod", 12, "year"),
        amount("AverageNumberEmployeesDuringPeriod", 90, "group year"),
    )
    own, group = both(*SHEET, *STATEMENT, tax, *staff, amount("ProfitLoss", 500, "group year"))
    assert (own["employees"], group["employees"]) == (12, 90)


def test_goodwill_that_the_companys_fixed_assets_cannot_hold_is_the_groups() -> None:
    """Investments of 900 are all of the fixed assets: intangible assets of 650 are not among them."""
    body = (*SHEET, amount("InvestmentsFixedAssets", 900), amount("IntangibleAssets", 650))
    own, group = both(*body, amount("ProfitLoss", 500, "group year"))
    assert "intangible_assets" not in own
    assert group["intangible_assets"] == 650
    assert own["tangible_net_assets"] == 1100


def test_goodwill_that_fits_the_companys_fixed_assets_is_the_companys() -> None:
    body = (*SHEET, amount("InvestmentsFixedAssets", 250), amount("IntangibleAssets", 650))
    own, _ = both(*body, amount("ProfitLoss", 500, "group year"))
    assert own["intangible_assets"] == 650


def test_the_opening_cash_of_a_groups_cash_flow_is_no_column() -> None:
    contexts = YEAR + context("opening", GROUP, "2023-12-31")
    accounts = read(
        *SHEET, amount("ProfitLoss", 5, "group year"), amount("CashBankOnHand", 4, "opening"), contexts=contexts
    )
    assert [period.end.year for period in accounts.group_periods] == [2025]
