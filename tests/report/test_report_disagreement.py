"""`Assessment.Disagreement`, and one form for each number (docs/published-models.md, docs/report.md)."""

import datetime as dt
from typing import Any

import msgspec
import pytest

from credence.companies.facts.company import Company
from credence.companies.facts.register import Activity
from credence.report.build.group import Group
from credence.report.build.report import build
from credence.report.render.compose import compose
from tests.report.hand_made import ENTRY, TODAY, WHOLE, YEAR_2024, YEAR_2025, company, figures, filing, held, report_on
from tests.report.render.companies import CONTACT
from tests.report.test_report_score import sound


def losing(profit: float) -> Company:
    """A company whose balance sheet is sound, with this profit or loss for the year."""
    subject = sound()
    assert subject.accounts
    (filed,) = subject.accounts.value
    now = filed.periods[0]
    result = {"turnover": 50_000.0, "operating_profit": profit, "profit_before_tax": profit, "profit": profit}
    year = msgspec.structs.replace(now, figures=msgspec.structs.replace(now.figures, **dict(_as(result))))
    return msgspec.structs.replace(
        subject, accounts=held((msgspec.structs.replace(filed, periods=(year, *filed.periods[1:])),))
    )


def _as(amounts: dict[str, float]) -> list[tuple[str, Any]]:
    made = figures(**amounts)
    return [(name, getattr(made, name)) for name in amounts]


def test_models_that_say_distress_while_the_score_says_low_risk_are_named_with_the_reasons() -> None:
    said = report_on(losing(-5_000))["Assessment"]
    found = said["Disagreement"]
    distress = [each["Name"] for each in said["PublishedModels"] if each.get("Zone") in {"distress", "at risk"}]
    assert said["Score"]["Band"] in {"A", "B"}
    assert found["Models"] == distress != []
    assert f"(band {said['Score']['Band']})" in found["Sentence"]
    assert found["Why"][0].startswith(f"{distress[0]} is meant for: ")
    page = compose(build(losing(-5_000), Group(), TODAY), CONTACT)
    assert found["Sentence"] in {each.text for each in page.warnings.notes}
    says = "a published model indicates" if len(distress) == 1 else f"{len(distress)} published models indicate"
    assert page.verdict.words.endswith(f", but a loss of £5,000 and {says} distress")
    assert [each["Code"] for each in said["Headline"]["Reservations"]] == ["LOSS", "MODELS"]


@pytest.mark.parametrize("status", ["Liquidation", "Active - Proposal to Strike off"])
def test_a_score_that_says_risk_too_does_not_disagree(status: str) -> None:
    subject = losing(-5_000)
    entry = msgspec.structs.replace(ENTRY, status=status)
    assert "Disagreement" not in report_on(msgspec.structs.replace(subject, register=held(entry)))["Assessment"]


def test_a_loss_that_the_score_counts_too_is_no_disagreement() -> None:
    restaurant = msgspec.structs.replace(ENTRY, activities=(Activity("56101", "Licensed restaurants"),))
    said = report_on(msgspec.structs.replace(losing(-60_000), register=held(restaurant)))["Assessment"]
    assert {"distress", "at risk"} & {each.get("Zone") for each in said["PublishedModels"]}
    assert said["Score"]["Band"] not in {"A", "B"}
    assert "Disagreement" not in said
    assert "MODELS" in {each["Code"] for each in said["Headline"]["Reservations"]}, "in every band"


def test_models_that_say_no_distress_do_not_disagree() -> None:
    said = report_on(losing(20_000))["Assessment"]
    assert "Disagreement" not in said
    assert said["Headline"] == {"Words": said["Score"]["BandText"]}


def with_staff(employees: float) -> Any:
    """A company with this average number of employees, as filed."""
    staff = figures(employees=employees).employees
    year = msgspec.structs.replace(YEAR_2025, figures=msgspec.structs.replace(YEAR_2025.figures, employees=staff))
    return company(register=ENTRY, accounts=(filing(year, YEAR_2024),))


def test_an_impossible_headcount_is_marked_and_in_no_other_member() -> None:
    report = report_on(with_staff(0.03))
    year = report["Assessment"]["AccountsFigures"][0]
    (marked,) = [each for each in year["Figures"] if each["Figure"] == "Employees"]
    assert (marked["Value"], marked["Method"]) == (0.03, "impossible")
    newest = report["Financials"]["Accounts"][0]
    assert "NumberEmployees" not in newest.get("DisclosureItems", {})
    assert "NumEmployees" not in report["Financials"]["Ratios"][0]
    assert "TurnoverPerEmp" not in report["Financials"]["Ratios"][0]
    absent = {each["Member"]: each["Reason"] for each in report["Assessment"]["NotHeld"]}
    assert "filed as 0.03" in absent["Financials.Accounts[0].DisclosureItems.NumberEmployees"]


@pytest.mark.parametrize("employees", [0, 0.5, 1, 2.5])
def test_a_possible_headcount_stays_as_filed(employees: float) -> None:
    report = report_on(with_staff(employees))
    assert report["Financials"]["Accounts"][0]["DisclosureItems"]["NumberEmployees"] == employees


@pytest.mark.parametrize("as_of", [dt.date(2020, 6, 1), dt.date(2020, 6, 2), dt.date(2026, 5, 1)])
def test_a_company_has_one_age_in_one_report(as_of: dt.date) -> None:
    """Incorporated on 2 June 2010, and a day less than 16 years old on the day of the report (D39)."""
    subject = msgspec.structs.replace(WHOLE, register=held(ENTRY, as_of))
    report = report_on(subject)
    age = int(report["ScoringData"]["CompanyAge"])
    assert age == 15
    (line,) = [each for each in report["Assessment"]["Score"]["Lines"] if each["Code"] == "age"]
    assert line["Sentence"] == f"The company had been on the register for {age} years."


def test_nothing_points_to_a_member_that_is_absent() -> None:
    for subject in (company(register=ENTRY), company(accounts=(filing(YEAR_2025),)), Company(number="00000001")):
        report = report_on(subject)
        for each in report["Assessment"]["NotHeld"]:
            for member in ("CompanyStatus", "AccountsFigures"):
                assert f"see {member}" not in each["Reason"] or member in report["Assessment"]
