"""Accounts in the report: years out of filings, the balance sheet, what follows and what stays unknown.

Credit §3.2 and §3.4, report schema §2, §3 and §9.
"""

import datetime as dt
from typing import Any

import msgspec
import pytest

from credence.companies.facts.accounts import Accounts, Figure, Method, Period
from credence.report.build.years import completed, years
from tests.report.hand_made import ENTRY, WHOLE, YEAR_2024, YEAR_2025, company, figures, filing, period, report_on

END_2025, END_2024 = dt.date(2025, 12, 31), dt.date(2024, 12, 31)


def accounts_of(*filings: Accounts) -> list[dict[str, Any]]:
    """The accounts in the report on a company with these filings."""
    found: list[dict[str, Any]] = report_on(company(accounts=filings))["Financials"]["Accounts"]
    return found


def test_the_balance_sheet_has_the_filed_amounts_and_totals() -> None:
    """Report schema §3 and §9; the values are those of the filing."""
    (newest, _) = report_on(WHOLE)["Financials"]["Accounts"]
    assert newest == {
        "DateOfAccounts": "2025-12-31",
        "AccountingPeriod": 52,
        "Currency": "GBP",
        "CurrencyMultiplier": "N",
        "CompanyClass": "S",
        "LatestAccountsType": "G",
        "BalanceSheet": {
            "TotalFixedNonCurrentAssets": 500,
            "TangibleAssetsDetails": {"TangibleAssets": 400},
            "IntangibleAssets": 100,
            "InventoriesDetails": {"Inventories": 200},
            "DebtorsDetails": {"Debtors": 300},
            "TotalCashDetails": {"TotalCash": 500},
            "TotalCurrentAssets": 1000,
            "TotalCurrentLiabilities": 400,
            "WorkingCapital": 600,
            "CapitalEmployed": 1100,
            "TotalNonCurrentLiabilities": 250,
            "ProvisionsDetails": {"Provisions": 50},
            "NetAssets": 800,
            "IssuedCapitalDetails": {"IssuedCapital": 100},
            "RetainedEarnings": 700,
            "TotalShareholdersFunds": 800,
            "NetWorth": 700,
        },
        "ProfitLoss": {
            "TurnoverSalesDetails": {"TurnoverSales": 3650},
            "OperatingProfit": 220,
            "InterestPayableDetails": {"InterestPayable": 20},
            "PreTaxProfitLoss": 200,
            "Taxation": 40,
            "NetProfitLoss": 160,
        },
        "DisclosureItems": {"NumberEmployees": 5},
    }


def test_the_newest_year_comes_first_in_any_order_of_the_filings() -> None:
    filings = (filing(YEAR_2024), filing(YEAR_2025, YEAR_2024))
    for order in (filings, filings[::-1]):
        assert [each["DateOfAccounts"] for each in accounts_of(*order)] == ["2025-12-31", "2024-12-31"]


def test_a_report_has_at_most_five_years() -> None:
    """Credit §9."""
    ends = [dt.date(year, 12, 31) for year in range(2018, 2026)]
    shown = accounts_of(*(filing(period(end, net_assets=1)) for end in ends))
    assert [each["DateOfAccounts"][:4] for each in shown] == ["2025", "2024", "2023", "2022", "2021"]


@pytest.mark.parametrize(
    ("last_years_own", "shown", "restated"), [(300, 300, "N"), (301, 300, "N"), (310, 300, "Y"), (-300, 300, "Y")]
)
def test_a_year_that_differs_in_the_next_filing_is_restated(last_years_own: int, shown: int, restated: str) -> None:
    """Credit §3.2: the newest filing wins; one unit is rounding."""
    own = filing(period(END_2024, fixed_assets=5, debtors=last_years_own, stocks=7))
    newer = filing(period(END_2025, fixed_assets=5), period(END_2024, fixed_assets=5, debtors=shown))
    year = accounts_of(newer, own)[1]
    assert year["BalanceSheet"]["DebtorsDetails"]["Debtors"] == shown
    assert year["BalanceSheet"]["InventoriesDetails"]["Inventories"] == 7
    assert year["RestatedAccounts"] == restated


def test_restatement_is_unknown_with_one_filing() -> None:
    assert all("RestatedAccounts" not in each for each in accounts_of(filing(YEAR_2025, YEAR_2024)))


def test_amended_accounts_of_one_day_win_over_the_earlier_filing() -> None:
    early = filing(period(END_2025, fixed_assets=1), filed=dt.date(2026, 3, 1), document="early")
    late = filing(period(END_2025, fixed_assets=9), filed=dt.date(2026, 5, 1), document="late")
    (year,) = accounts_of(late, early)
    assert year["BalanceSheet"]["TotalFixedNonCurrentAssets"] == 9
    assert year["RestatedAccounts"] == "Y"


def test_each_figure_has_its_document_method_and_filed_value() -> None:
    """Credit §3.4 and §10."""
    repaired = Figure(40, Method.REPAIRED, "Creditors", (), -40)
    of_year = msgspec.structs.replace(
        figures(fixed_assets=10), creditors_within_year=repaired, stocks=Figure(3, Method.DERIVED, "a - b")
    )
    changed = msgspec.structs.replace(period(END_2025), figures=of_year)
    (year,) = report_on(company(accounts=(filing(changed, document="a document"),)))["Assessment"]["AccountsFigures"]
    by_name = {each.pop("Figure"): each for each in year["Figures"]}
    assert year["Documents"] == ["a document"]
    assert by_name["Fixed assets"] == {"Value": 10, "Method": "reported", "Document": "a document", "Tag": "Tag"}
    assert by_name["Stocks"] == {"Value": 3, "Method": "derived", "Document": "a document", "Tag": "a - b"}
    assert by_name["Creditors within year"] == {
        "Value": 40,
        "Method": "repaired",
        "Document": "a document",
        "Tag": "Creditors",
        "Filed": -40,
    }


def test_a_year_has_one_currency_and_amounts_in_another_one_are_left_out() -> None:
    """The company began to account in dollars: turnover of 1,000 pounds is neither dollars nor a basis of their growth."""
    pounds = filing(
        period(END_2024, dt.date(2024, 1, 1), turnover=1_000, net_assets=300, employees=7),
        period(dt.date(2023, 12, 31), dt.date(2023, 1, 1), turnover=900, net_assets=200),
    )
    dollars = filing(
        period(END_2025, dt.date(2025, 1, 1), turnover=1_400, net_assets=500),
        period(END_2024, dt.date(2024, 1, 1), net_assets=390),
        currency="USD",
    )
    report = report_on(company(accounts=(dollars, pounds)))
    shown = report["Financials"]["Accounts"]
    assert [each["Currency"] for each in shown] == ["USD", "USD", "GBP"]
    assert "PercentChangeTotalTurnover" not in report["Financials"]["PercentageChange"]
    assert report["Financials"]["PercentageChange"]["PercentChangeNetAssets"] == 28.21  # 500 / 390
    (_, year, _) = report["Assessment"]["AccountsFigures"]
    assert {each["Figure"]: each["Value"] for each in year["Figures"] if each["Method"] == "reported"} == {
        "Net assets": 390,
        "Employees": 7,
    }


def test_company_and_group_are_never_mixed() -> None:
    """Credit §3.2: the legal entity is shown, and the flag says so."""
    both = filing(period(END_2025, fixed_assets=1), group_periods=(period(END_2025, fixed_assets=100, stocks=50),))
    own, group = accounts_of(both)
    assert (own["ConsolidatedAccounts"], group["ConsolidatedAccounts"]) == ("N", "Y")
    assert own["BalanceSheet"] == {"TotalFixedNonCurrentAssets": 1}
    assert group["BalanceSheet"]["TotalFixedNonCurrentAssets"] == 100


def test_a_filing_with_group_figures_only_is_consolidated() -> None:
    (year,) = accounts_of(filing(group_periods=(period(END_2025, fixed_assets=100),)))
    assert year["ConsolidatedAccounts"] == "Y"
    assert year["BalanceSheet"]["TotalFixedNonCurrentAssets"] == 100


def test_a_filing_that_does_not_separate_a_group_has_no_consolidation_flag() -> None:
    assert "ConsolidatedAccounts" not in accounts_of(filing(YEAR_2025))[0]


@pytest.mark.parametrize(
    ("known", "fixed"),
    [
        # 800 + 250 + 50 - 600 = 500, the balance sheet of the hand-made company
        ({"net_assets": 800, "creditors_after_year": 250, "provisions": 50, "net_current_assets": 600}, 500),
        # nothing but working capital: no fixed asset
        ({"net_assets": 600, "net_current_assets": 600}, 0),
        ({"equity": 600, "net_current_assets": 601}, 0),  # rounding
        ({"net_assets": -40, "net_current_assets": -90, "accruals": 10}, 60),
        ({"net_assets": 100, "net_current_assets": 90, "unpaid_share_capital": 10}, 0),
        # a dormant company: cash, or the shares nobody has paid for, is all there is
        ({"net_assets": 100, "cash": 100}, 0),
        ({"net_assets": 100, "unpaid_share_capital": 100}, 0),
        ({"total_assets_less_current_liabilities": 100, "current_assets": 150, "creditors_within_year": 50}, 0),
        ({"net_assets": 130, "debtors": 30, "investments": 100}, 100),
        ({"net_assets": 130, "debtors": 30}, None),  # the hundred may be fixed, or current and not tagged
        ({"net_assets": 600, "net_current_assets": 560, "tangible_assets": 50}, None),
        # less than nothing is no asset: some liability is not tagged
        ({"net_assets": 500, "net_current_assets": 600}, None),
        ({"net_assets": 500}, None),
        ({"net_current_assets": 500}, None),
    ],
)
def test_fixed_assets_follow_from_a_balance_sheet_that_balances(known: dict[str, float], fixed: float | None) -> None:
    """Report schema §2: one client calls float() on it; credit §3.4."""
    found = completed(figures(**known)).fixed_assets
    assert (found and found.value) == fixed
    assert found is None or found.method is Method.DERIVED


def test_a_balance_sheet_without_fixed_assets_is_left_out_and_its_figures_are_not() -> None:
    """Report schema §2: never null when BalanceSheet is sent."""
    said = report_on(company(accounts=(filing(period(END_2025, current_assets=500)),)))
    (year,) = said["Financials"]["Accounts"]
    assert "BalanceSheet" not in year
    assert [each["Figure"] for each in said["Assessment"]["AccountsFigures"][0]["Figures"]] == ["Current assets"]
    assert "Financials.Accounts[0].BalanceSheet" in {each["Member"] for each in said["Assessment"]["NotHeld"]}


@pytest.mark.parametrize(
    ("known", "worth"),
    [
        ({"equity": 100, "fixed_assets": 50, "intangible_assets": 30}, 70),
        ({"equity": 100, "fixed_assets": 0}, 100),
        ({"equity": 100, "fixed_assets": 50, "tangible_assets": 40, "investments": 10}, 100),
        ({"equity": 100, "fixed_assets": 50, "tangible_assets": 40}, None),  # the other ten may be goodwill
        ({"equity": 100, "fixed_assets": 50}, None),
        ({"fixed_assets": 50, "intangible_assets": 30}, None),
    ],
)
def test_net_worth_is_equity_less_intangible_assets(known: dict[str, float], worth: float | None) -> None:
    """Report schema §9; where intangible assets may hide in a total, it is unknown."""
    found = completed(figures(**known)).tangible_net_assets
    assert (found and found.value) == worth


def test_totals_follow_from_fixed_assets_that_follow_themselves() -> None:
    """credit §3.4: of net assets of 90 beside 50 of net current assets (70 less 20), the other 40 are fixed."""
    found = completed(figures(net_assets=90, current_assets=70, net_current_assets=50))
    totals = (
        found.fixed_assets,
        found.total_assets_less_current_liabilities,
        found.total_assets,
        found.total_liabilities,
    )
    assert [each and each.value for each in totals] == [40, 90, 110, 20]


def test_without_a_filed_profit_and_loss_account_the_report_has_none() -> None:
    """Report schema §9."""
    said = report_on(company(accounts=(filing(period(END_2025, fixed_assets=1)),)))
    assert "ProfitLoss" not in said["Financials"]["Accounts"][0]
    assert "DisclosureItems" not in said["Financials"]["Accounts"][0]
    assert "Financials.Accounts[0].ProfitLoss" in {each["Member"] for each in said["Assessment"]["NotHeld"]}


@pytest.mark.parametrize(
    ("start", "weeks"), [(dt.date(2025, 1, 1), 52), (dt.date(2024, 7, 1), 78), (dt.date(2025, 10, 2), 13), (None, None)]
)
def test_the_accounting_period_is_in_weeks(start: dt.date | None, weeks: int | None) -> None:
    """Report schema §9: 365 / 7 = 52.1, 549 / 7 = 78.4, 91 / 7 = 13."""
    assert accounts_of(filing(period(END_2025, start, fixed_assets=1)))[0].get("AccountingPeriod") == weeks


@pytest.mark.parametrize(
    ("standard", "taxonomy", "layout", "code"),
    [
        ("Micro-entities", "", "frc", "G"),
        ("FRS102", "", "frc", "G"),
        ("InternationalFinancialReportingStandards", "", "frc", "I"),
        ("", "FRS 101 2021-01-01", "frc", "G"),
        ("", "UK IFRS 2021-01-01", "frc", "I"),
        ("", "", "plain-xbrl", "G"),
        ("", "", "frc", None),
    ],
)
def test_the_method_of_accounting_follows_the_standard(standard: str, taxonomy: str, layout: str, code: str) -> None:
    """Report schema §4: I international, G United Kingdom."""
    (year,) = accounts_of(filing(YEAR_2025, standard=standard, taxonomy=taxonomy, layout=layout))
    assert year.get("LatestAccountsType") == code


def test_the_company_class_comes_from_the_standard_or_the_register() -> None:
    """Report schema §4: S, M; nothing tells that a company is large."""
    medium = msgspec.structs.replace(
        ENTRY, accounts=msgspec.structs.replace(ENTRY.accounts, last_made_up=END_2025, category="MEDIUM")
    )
    unsaid = filing(YEAR_2025, YEAR_2024, standard="FRS102")
    said = report_on(company(register=medium, accounts=(unsaid,)))["Financials"]["Accounts"]
    assert [each.get("CompanyClass") for each in said] == ["M", None]
    assert accounts_of(filing(YEAR_2025, standard="Micro-entities"))[0]["CompanyClass"] == "S"


def test_a_derived_figure_does_not_replace_an_equal_reported_one() -> None:
    reported = filing(period(END_2024, total_assets=100), document="own")
    derived = msgspec.structs.replace(
        period(END_2024), figures=msgspec.structs.replace(figures(), total_assets=Figure(100, Method.DERIVED, "sum"))
    )
    newer = filing(period(END_2025, total_assets=1), derived)
    _, year = years((newer, reported))
    assert year.figures.total_assets == Figure(100, Method.REPORTED, "Tag")
    assert year.documents["total_assets"] == "own"


def test_every_filed_year_is_in_the_assessment_and_five_are_in_the_financials() -> None:
    """Report schema §3: five years at most; the trends of the page read the others from the assessment."""
    filed = tuple(
        filing(
            Period(dt.date(year, 12, 31), dt.date(year, 1, 1), figures(turnover=year, cash=1), None),
            document=f"filing-{year}",
        )
        for year in range(2018, 2026)
    )
    report = report_on(company(accounts=filed))
    assert [each["DateOfAccounts"] for each in report["Financials"]["Accounts"]] == [
        f"{year}-12-31" for year in range(2025, 2020, -1)
    ]
    assert [each["DateOfAccounts"] for each in report["Assessment"]["AccountsFigures"]] == [
        f"{year}-12-31" for year in range(2025, 2017, -1)
    ]
