"""The remarks of a company's profile in its report: the member, the alerts, the headline and the page (docs/report.md)."""

from typing import Any

import msgspec
import pytest

from credence.blocks.values import Facts
from credence.companies.facts.company import Company, Profile
from credence.companies.facts.events import CaseDate, InsolvencyCase
from credence.report.build.group import Group
from credence.report.build.report import build
from credence.report.render.compose import compose
from tests.report.hand_made import TODAY, held, report_on
from tests.report.render.companies import CONTACT
from tests.report.test_report_score import sound


def remarked(remarks: Profile | None, **parts: Any) -> Company:
    return msgspec.structs.replace(sound(), profile=held((remarks,) if remarks else ()), **parts)


def alerts_of(report: dict[str, Any]) -> dict[str, str]:
    return {each["AlertCode"]: each["AlertNote"] for each in report["Alerts"][0].get("Notes", ())}


def untried(report: dict[str, Any]) -> dict[str, str]:
    return {each["AlertCode"]: each["Tried"] for each in report["Assessment"]["AlertsNotTried"]}


def test_remarks_without_a_problem_raise_no_alert_and_are_on_the_page() -> None:
    subject = remarked(Profile(False, False, False))
    report = report_on(subject)
    assert report["Assessment"]["RegisterRemarks"] == {
        "InsolvencyHistory": False,
        "OfficeUndeliverable": False,
        "OfficeInDispute": False,
    }
    codes = {"INSOLVENCY-HISTORY", "OFFICE"}
    assert not codes & (alerts_of(report).keys() | untried(report).keys())
    (section,) = (
        each for each in compose(build(subject, Group(), TODAY), CONTACT).sections if each.anchor == "company"
    )
    (block,) = section.blocks
    assert isinstance(block, Facts)
    assert (
        dict(block.rows)["Remarks of the register"]
        == "no insolvency history; registered office deliverable; registered office not in dispute"
    )


def test_an_insolvency_history_without_a_known_case_is_said_beside_the_band_and_the_status() -> None:
    report = report_on(remarked(Profile(True, False, False)))
    assert "no case is on record" in alerts_of(report)["INSOLVENCY-HISTORY"]
    assert ", but the register notes an insolvency history" in report["Assessment"]["Headline"]["Words"]
    answer = report["Assessment"]["Insolvency"]
    assert answer["State"] == "none known"
    assert answer["Words"] == "an insolvency history without known cases, and no insolvency known now"
    assert {"Part": "Profile", "Says": "an insolvency history", "AsOf": "2026-05-01"} in answer["Sources"]


def test_a_history_with_a_known_case_is_no_alert_of_its_own() -> None:
    steps = tuple(CaseDate(step, TODAY.replace(year=2012)) for step in ("wound-up-on", "concluded-winding-up-on"))
    cases = held((InsolvencyCase("1", "creditors-voluntary-liquidation", steps),))
    assert "INSOLVENCY-HISTORY" not in alerts_of(report_on(remarked(Profile(True), insolvency=cases)))


@pytest.mark.parametrize(
    ("undeliverable", "disputed", "words"),
    [(True, False, "undeliverable"), (False, True, "in dispute"), (True, True, "undeliverable and in dispute")],
)
def test_an_office_that_is_undeliverable_or_in_dispute_is_an_alert(
    undeliverable: bool, disputed: bool, words: str
) -> None:
    report = report_on(remarked(Profile(False, undeliverable, disputed)))
    assert alerts_of(report)["OFFICE"] == f"The register notes that the registered office address is {words}."
    assert "its registered office address is" in report["Assessment"]["Headline"]["Words"]


@pytest.mark.parametrize(
    ("remarks", "tried", "reason"),
    [
        (
            Profile(),
            {"INSOLVENCY-HISTORY": "not", "OFFICE": "not"},
            "The available profile has none of these remarks.",
        ),
        (Profile(False, False), {"OFFICE": "in part"}, None),
    ],
)
def test_a_remark_that_is_not_held_is_unknown(remarks: Profile, tried: dict[str, str], reason: str | None) -> None:
    report = report_on(remarked(remarks))
    rules = untried(report)
    assert {code: rules[code] for code in ("INSOLVENCY-HISTORY", "OFFICE") if code in rules} == tried
    absent = {each["Member"]: each["Reason"] for each in report["Assessment"]["NotHeld"]}
    assert absent.get("Assessment.RegisterRemarks") == reason


def test_without_a_profile_the_report_says_that_none_is_held() -> None:
    report = report_on(sound())
    absent = {each["Member"]: each["Reason"] for each in report["Assessment"]["NotHeld"]}
    assert absent["Assessment.RegisterRemarks"] == "No profile of the company at the register is available."
    assert "RegisterRemarks" not in report["Assessment"]
