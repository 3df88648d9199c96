"""`Assessment`: provenance, what is not held, remarks, payment figures, confidence (D21, credit §9 and §10)."""

import datetime as dt
from typing import Any

import msgspec
import pytest

from credence.companies.facts.events import Notice
from credence.report.render.compose import compose
from tests.report.hand_made import ENTRY, WHOLE, YEAR_2024, YEAR_2025, company, filing, held, report_on
from tests.report.render.companies import CONTACT, report


def test_every_part_has_its_source() -> None:
    """Credit §10."""
    said = report_on(WHOLE)["Assessment"]
    parts = [each["Part"] for each in said["Provenance"]]
    assert parts[:3] == ["Register", "Accounts", "Officers"]
    assert len(parts) == 10
    for origin in said["Provenance"]:
        assert {name: value for name, value in origin.items() if name != "Part"} == {
            "Source": "A source",
            "AsOf": "2026-05-01",
            "Retrieved": "2026-05-02",
            "Licence": "A licence line",
        }
    assert said["Licences"] == ["A licence line"]


def test_not_held_lists_missing_parts_and_always_judgments() -> None:
    """Credit §13.4, report schema §8."""
    for subject in (WHOLE, company(register=ENTRY), company(accounts=(filing(YEAR_2025),))):
        said = report_on(subject)
        absent = {each["Member"] for each in said["Assessment"]["NotHeld"]}
        assert {"CommercialDelphiHistory", "CCJs", "PaymentPerformance", "LtdCompanyCAIS"} <= absent
        assert not absent & set(said)
        for member in ("CommercialDelphi", "ManagementInfo", "LegalNotices", "CorporateStructure", "Financials"):
            assert (member in absent) is (member not in said)


def test_a_scottish_company_carries_the_note_on_its_insolvency_papers() -> None:
    """Credit §4.1 and §13.4."""
    for number, scottish in (("SC000001", True), ("SO000001", True), ("00000001", False), ("NI000001", False)):
        subject = msgspec.structs.replace(company(register=ENTRY), number=number)
        remarks = report_on(subject)["Assessment"]["Remarks"]
        assert any("Accountant in Bankruptcy" in each for each in remarks) is scottish


def test_statutory_payment_figures_are_in_the_assessment_not_in_payment_performance() -> None:
    """Report schema §8, row 12."""
    said = report_on(WHOLE)
    assert "PaymentPerformance" not in said
    assert said["Assessment"]["PaymentPractices"] == [
        {
            "PeriodStart": "2025-01-01",
            "PeriodEnd": "2025-06-30",
            "Filed": "2025-07-20",
            "AverageDaysToPay": 37.0,
            "PercentWithin30Days": 60.0,
            "Percent31To60Days": 30.0,
            "PercentAfter60Days": 10.0,
        }
    ]


@pytest.mark.parametrize(
    ("changed", "level"),
    [
        ({}, "high"),
        ({"balanced": None}, "medium"),
        ({"balanced": False}, "low"),
        ({"end": dt.date(2024, 8, 1)}, "high"),
        ({"end": dt.date(2024, 7, 31)}, "medium"),
    ],
)
def test_confidence_falls_with_what_is_old_or_does_not_balance(changed: dict[str, Any], level: str) -> None:
    """Credit §3.4; the report is of 1 June 2026, to the day 22 months after 1 August 2024."""
    year = msgspec.structs.replace(YEAR_2025, **changed)
    said = report_on(company(register=ENTRY, accounts=(filing(year),)))["Assessment"]["Confidence"]
    assert said["Level"] == level
    assert (level == "high") is ("Reasons" not in said)


def test_accounts_without_a_figure_of_their_day_are_named_and_the_older_figures_dated() -> None:
    """Credit §3.2: an untagged column; figures are as old as the day they are of, not as the filing."""
    behind = filing(YEAR_2024, balance_sheet_date=dt.date(2026, 2, 28))
    said = report_on(company(accounts=(behind,)))
    assert said["Identification"]["FilingDetails"]["LatestAccounts"] == "2026-02-28"
    assert said["Financials"]["Accounts"][0]["DateOfAccounts"] == "2024-12-31"
    told = "The accounts of 2026-02-28 tell no figure of that day"
    assert f"{told}: the newest figures are of 2024-12-31." in said["Assessment"]["Confidence"]["Reasons"]
    absent = {each["Member"]: each["Reason"] for each in said["Assessment"]["NotHeld"]}
    assert absent["Financials.Accounts"] == f"{told}, only earlier ones."


def test_accounts_without_any_figure_are_held_all_the_same() -> None:
    said = report_on(company(accounts=(filing(YEAR_2025, periods=()),)))
    assert said["Identification"]["FilingDetails"]["LatestAccounts"] == "2025-12-31"
    absent = {each["Member"]: each["Reason"] for each in said["Assessment"]["NotHeld"]}
    assert absent["Financials"] == "The accounts of 2025-12-31 tell no figure."
    assert "The accounts of 2025-12-31 tell no figure." in said["Assessment"]["Confidence"]["Reasons"]


def test_without_accounts_confidence_is_low() -> None:
    assert report_on(company(register=ENTRY))["Assessment"]["Confidence"]["Level"] == "low"


def test_an_old_snapshot_lowers_confidence() -> None:
    subject = company(accounts=(filing(YEAR_2025),))
    for as_of, level in ((dt.date(2026, 3, 2), "high"), (dt.date(2026, 3, 1), "medium"), (None, "medium")):
        dated = msgspec.structs.replace(subject, register=held(ENTRY, as_of))
        assert report_on(dated)["Assessment"]["Confidence"]["Level"] == level


@pytest.mark.parametrize(
    ("as_of", "words", "old"),
    [
        (dt.date(2026, 5, 31), "Facts of 31 May 2026, 1 day old", False),
        (dt.date(2026, 3, 2), "Facts of 2 March 2026, 2 months old", False),
        (dt.date(2026, 3, 1), "Facts of 1 March 2026, 3 months old", True),
        (dt.date(2024, 6, 2), "Facts of 2 June 2024, 23 months old", True),
        (dt.date(2020, 5, 1), "Facts of 1 May 2020, 6 years old", True),
    ],
)
def test_the_facts_have_their_day_and_age_and_a_warning_from_three_months_on(
    as_of: dt.date, words: str, old: bool
) -> None:
    """The report is of 1 June 2026; the page has the same words in its head."""
    subject = msgspec.structs.replace(company(), register=held(ENTRY, as_of))
    facts = report_on(subject)["Assessment"]["Facts"]
    assert facts["Words"] == words
    assert facts["Day"] == as_of.isoformat()
    assert ("Warning" in facts) is old
    page = compose(report(subject), CONTACT)
    assert words in page.facts
    assert ("Old facts" in [each.head for each in page.warnings.notes]) is old


def test_the_page_says_each_age_once() -> None:
    """The JSON has the alerts about ages and the warning; the page has the warning, and what it leaves unsaid."""
    old = filing(YEAR_2024, balance_sheet_date=dt.date(2022, 12, 31))
    dated = msgspec.structs.replace(company(accounts=(old,)), register=held(ENTRY, dt.date(2020, 5, 1)))
    codes = {note["AlertCode"] for alerts in report_on(dated)["Alerts"] for note in alerts["Notes"]}
    assert "OLD-REGISTER" in codes
    heads = [each.head for each in compose(report(dated), CONTACT).warnings.notes]
    assert "Old facts" in heads
    assert "Old register" not in heads
    assert "Old figures" not in heads


def test_a_notice_newer_than_the_register_is_the_newest_fact() -> None:
    notice = Notice("1", "2450", dt.date(2026, 4, 10))
    subject = msgspec.structs.replace(company(notices=(notice,)), register=held(ENTRY, dt.date(2020, 5, 1)))
    facts = report_on(subject)["Assessment"]["Facts"]
    assert (facts["Day"], facts["Newest"]) == ("2020-05-01", "2026-04-10")
    assert facts["Words"] == "Facts of 1 May 2020, 6 years old, the newest of 10 April 2026"


def test_without_a_register_the_newest_source_dates_the_facts() -> None:
    """The accounts are of 31 December 2025, and the newest filing of another company says nothing of them."""
    subject = msgspec.structs.replace(
        company(), accounts=held((filing(YEAR_2025),), dt.date(2026, 4, 1)), owners=held((), dt.date(2026, 2, 1))
    )
    assert report_on(subject)["Assessment"]["Facts"]["Day"] == "2026-02-01"


def test_facts_of_sources_without_a_day_are_of_an_unknown_day() -> None:
    undated = msgspec.structs.replace(company(), register=held(ENTRY, None))
    assert report_on(undated)["Assessment"]["Facts"] == {
        "Words": "Facts of an unknown day",
        "Warning": "No source gives the day of its facts.",
    }


def test_figures_older_than_the_register_by_years_are_named_in_the_head() -> None:
    old = msgspec.structs.replace(YEAR_2025, end=dt.date(2020, 6, 30), start=None)
    facts = report_on(company(register=ENTRY, accounts=(filing(old),)))["Assessment"]["Facts"]
    assert facts["Words"].endswith("; figures of 30 June 2020, 5 years old")
    assert "The newest figures of accounts are 5 years old" in facts["Warning"]
    new = report_on(company(register=ENTRY, accounts=(filing(YEAR_2025),)))["Assessment"]["Facts"]
    assert "figures" not in new["Words"]


def test_facts_of_accounts_alone_are_of_the_day_of_these_accounts() -> None:
    """The day of the data set is that of the newest filing of any company."""
    old = msgspec.structs.replace(YEAR_2025, end=dt.date(2017, 3, 31), start=None)
    facts = report_on(company(accounts=(filing(old),)))["Assessment"]["Facts"]
    assert facts["Day"] == "2017-03-31"
    assert facts["Words"].startswith("Facts of 31 March 2017, ")
