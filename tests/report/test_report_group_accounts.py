"""The accounts of the group next to those of the company (D34), and the days of the inputs of a score."""

import datetime as dt
from typing import Any
from xml.etree import ElementTree as ET

import msgspec
import pytest

from credence.companies.facts.company import Company
from credence.report.build.group import Group
from credence.report.build.report import build
from credence.report.render.compose import compose
from credence.report.render.sections.sources import Contact
from credence.report.schema import xml
from tests.report.hand_made import ENTRY, TODAY, company, filing, period, report_on
from tests.report.render.companies import CONTACT
from tests.report.render.test_page import all_tables
from tests.report.schema import faults

END_2025, END_2024 = dt.date(2025, 12, 31), dt.date(2024, 12, 31)

OWN: dict[str, Any] = {
    "fixed_assets": 700,
    "current_assets": 800,
    "creditors_within_year": 500,
    "net_current_assets": 300,
    "total_assets": 1500,
    "net_assets": 1000,
    "equity": 1000,
    "tangible_net_assets": 1000,
}
GROUP: dict[str, Any] = {
    "fixed_assets": 9000,
    "intangible_assets": 5000,
    "current_assets": 3000,
    "creditors_within_year": 4000,
    "net_current_assets": -1000,
    "total_assets": 12_000,
    "creditors_after_year": 31_800,
    "net_assets": -23_800,
    "turnover": 27_240,
    "profit_before_tax": -12_000,
    "tax": 300,
    "profit": -12_300,
    "tangible_net_assets": -28_800,
}


def of(group: dict[str, Any]) -> Company:
    """A company with two own years and two years of its group."""
    return company(
        register=ENTRY,
        accounts=(
            filing(
                period(END_2025, dt.date(2025, 1, 1), **OWN),
                period(END_2024, net_assets=900),
                group_periods=(period(END_2025, dt.date(2025, 1, 1), **group), period(END_2024, net_assets=-11_400)),
                filed=dt.date(2026, 4, 1),
            ),
        ),
    )


HOLDING = of(GROUP)


def note(report: dict[str, Any], code: str) -> str | None:
    return next((each["AlertNote"] for each in report["Alerts"][0].get("Notes", ()) if each["AlertCode"] == code), None)


def test_the_years_of_the_group_follow_those_of_the_company() -> None:
    report = report_on(HOLDING)
    assert list(faults(report, "LtdCompanyData")) == []
    shown = [(each["DateOfAccounts"], each["ConsolidatedAccounts"]) for each in report["Financials"]["Accounts"]]
    assert shown == [("2025-12-31", "N"), ("2024-12-31", "N"), ("2025-12-31", "Y"), ("2024-12-31", "Y")]
    group = report["Financials"]["Accounts"][2]
    assert group["BalanceSheet"]["TotalNonCurrentLiabilities"] == 31_800
    assert group["BalanceSheet"]["NetAssets"] == -23_800
    assert group["ProfitLoss"]["NetProfitLoss"] == -12_300
    ratios = {each["ConsAccounts"]: each for each in report["Financials"]["Ratios"]}
    assert (ratios["N"]["CurrentRatio"], ratios["Y"]["CurrentRatio"]) == (1.6, 0.75)
    assert report["ScoringData"]["ConsAccounts"] == "N"
    figures = [each.get("Consolidated") for each in report["Assessment"]["AccountsFigures"]]
    assert figures == [False, False, True, True]


def test_a_weaker_group_is_an_alert_and_leaves_no_limit() -> None:
    report = report_on(HOLDING)
    assert note(report, "GROUP-WEAKER") == (
        "On 31 December 2025 the group's liabilities exceeded its assets by £23,800. "
        "The group was weaker than the company: net assets \u2212£23,800, the company's "
        "£1,000; tangible net assets \u2212£28,800, the company's £1,000; net current assets \u2212£1,000, the company's "
        "£300; profit \u2212£12,300, the company's not known."
    )
    limit = report["Assessment"]["Score"]["Limit"]
    assert limit["Amount"] == 0
    assert limit["Reason"].startswith("No limit: On 31 December 2025 the group's liabilities exceeded its assets")
    assert report["CommercialDelphi"]["CreditLimit"] == "0"


def test_the_headline_says_that_the_group_is_weaker_beside_the_band() -> None:
    report = report_on(HOLDING)
    score, headline = report["Assessment"]["Score"], report["Assessment"]["Headline"]
    assert (score["Score"], score["Band"]) == (45, "D"), "the ceiling of net liabilities, for those of the group"
    words = "High to very high risk (bands D to E): its group has net liabilities of £23,800"
    assert headline["Words"] == words
    assert [each["Code"] for each in headline["Reservations"]] == ["GROUP-WEAKER"]
    assert report["CommercialDelphi"]["ConclusionText"].startswith(f"{words}: score {score['Score']} of 100")
    assert compose(build(HOLDING, Group(), TODAY), CONTACT).verdict.words == words


def test_the_conclusion_is_the_same_in_a_report_of_few_members() -> None:
    whole = build(HOLDING, Group(), TODAY).CommercialDelphi
    assert whole is not None
    assert build(HOLDING, Group(), TODAY, frozenset({"CommercialDelphi"})).CommercialDelphi == whole


def test_without_a_limit_no_time_to_pay_is_suggested() -> None:
    """The band alone would suggest 30 days to a company that is to get no credit."""
    report = report_on(HOLDING)
    assert report["Assessment"]["Score"]["Limit"]["SuggestedTerms"] == "Prepaid"
    assert "Suggested terms: prepaid." in report["CommercialDelphi"]["ConclusionText"]


def test_a_stronger_group_is_no_alert() -> None:
    strong = {name: abs(value) * 9 for name, value in GROUP.items()}
    report = report_on(of(strong))
    assert note(report, "GROUP-WEAKER") is None
    assert "GROUP-WEAKER" not in {each["AlertCode"] for each in report["Assessment"]["AlertsNotTried"]}


def test_a_profit_and_loss_account_of_the_group_is_not_said_to_be_missing() -> None:
    """Companies Act 2006, section 408: a parent need not file its own."""
    absent = {each["Member"]: each["Reason"] for each in report_on(HOLDING)["Assessment"]["NotHeld"]}
    assert absent["Financials.Accounts[0].ProfitLoss"] == (
        "The profit and loss account in the filing is the group's, which Financials.Accounts[2] has; it has none of the "
        "company alone."
    )


def test_a_group_of_which_only_the_profit_is_tagged_says_so() -> None:
    report = report_on(of({"profit": 50, "profit_before_tax": 60, "tax": 10}))
    absent = {each["Member"]: each["Reason"] for each in report["Assessment"]["NotHeld"]}
    assert absent["Financials.Accounts[2].BalanceSheet"].startswith("The filing has figures of the group")
    untried = {each["AlertCode"]: each for each in report["Assessment"]["AlertsNotTried"]}
    assert untried["GROUP-WEAKER"]["Reason"] == "The balance sheet of the group is not tagged."
    assert "the limit of the group is unknown" in report["Assessment"]["Score"]["Limit"]["Reason"]


def test_a_company_without_a_group_says_nothing_of_one() -> None:
    report = report_on(company(register=ENTRY, accounts=(filing(period(END_2025, **OWN)),)))
    assert len(report["Financials"]["Accounts"]) == 1
    assert "GROUP-WEAKER" not in {each["AlertCode"] for each in report["Assessment"]["AlertsNotTried"]}
    assert "Consolidated" not in report["Assessment"]["AccountsFigures"][0]


def test_the_xml_has_the_years_of_the_group() -> None:
    root = ET.fromstring(xml.report_xml(build(HOLDING, Group(), TODAY)))
    years = root.findall("Financials/Accounts")
    assert [year.findtext("ConsolidatedAccounts") for year in years] == ["N", "N", "Y", "Y"]
    assert years[2].findtext("BalanceSheet/NetAssets") == "-23800"


def test_the_page_has_the_group_as_columns_next_to_the_company() -> None:
    page = compose(build(HOLDING, Group(), TODAY), Contact("a@example.test", "/card"))
    table = next(each for each in all_tables(page) if each.title.startswith("Accounts, "))
    assert table.columns == ("Year to", "31.12.2025", "31.12.2024", "Group 31.12.2025", "Group 31.12.2024")
    rows = {row[0]: row[1:] for row in table.rows}
    assert rows["Net assets"] == ("1,000", "900", "-23,800".replace("-", "\u2212"), "-11,400".replace("-", "\u2212"))
    ratios = next(each for each in all_tables(page) if each.title.startswith("Ratios"))
    assert ratios.columns == ("Year to", "31.12.2025"), "the ratios on the page are the company's"


@pytest.mark.parametrize("code", ["", "EUR"])
def test_a_company_whose_newest_filing_has_another_currency_is_not_compared(code: str) -> None:
    first = HOLDING.accounts
    assert first is not None
    own = filing(period(dt.date(2026, 3, 31), **OWN), currency=code, filed=dt.date(2026, 5, 1))
    changed = msgspec.structs.replace(HOLDING, accounts=msgspec.structs.replace(first, value=(own, *first.value)))
    assert note(report_on(changed), "GROUP-WEAKER") is None


def test_the_score_names_the_day_of_each_input() -> None:
    inputs = {each["Input"]: each["Day"] for each in report_on(HOLDING)["Assessment"]["Score"]["Inputs"]}
    assert inputs == {
        "Register's snapshot": "2026-05-01",
        "Accounts made up to": "2025-12-31",
        "Accounts filed": "2026-04-01",
        "Accounts of the group made up to": "2025-12-31",
    }


def test_accounts_that_the_register_does_not_know_are_not_called_late() -> None:
    """The snapshot of 1 May 2026 knows accounts to 2024, so its due date of March 2026 may be that of the ones held."""
    filed = msgspec.structs.replace(ENTRY.accounts, next_due=dt.date(2026, 3, 31), last_made_up=END_2024)
    register = msgspec.structs.replace(ENTRY, accounts=filed)
    report = report_on(company(register=register, accounts=(filing(period(END_2025, **OWN)),)))
    assert note(report, "ACCOUNTS-LATE") is None
    untried = {each["AlertCode"]: each["Reason"] for each in report["Assessment"]["AlertsNotTried"]}
    assert untried["ACCOUNTS-LATE"] == (
        "The register's snapshot does not know the accounts of 2025-12-31, so 2026-03-31 may be their due date."
    )
    known = msgspec.structs.replace(register, accounts=msgspec.structs.replace(filed, last_made_up=END_2025))
    late = report_on(company(register=known, accounts=(filing(period(END_2025, **OWN)),)))
    assert note(late, "ACCOUNTS-LATE") == "Accounts due on 2026-03-31 had not been filed on 2026-05-01, 31 days late."
