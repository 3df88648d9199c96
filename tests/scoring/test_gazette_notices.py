"""Which notices of the Gazette are failures, ceilings or neither, by their codes and their titles (docs/judgement.md)."""

import datetime as dt

import msgspec
import pytest

from credence.companies.facts.company import Company
from credence.companies.facts.events import Notice
from credence.report.build.group import Group
from credence.report.build.report import build
from credence.report.schema.assessment import Assessment
from credence.scoring.score import score_company
from tests.scoring.companies import DAY, SOUND, accounts, case, company, figures

PUBLISHED = DAY - dt.timedelta(days=3)


def noticed(*notices: Notice) -> Company:
    return company(accounts(figures(**SOUND)), notices=notices)


def notice(code: str, title: str = "", day: dt.date = PUBLISHED) -> Notice:
    return Notice(f"{code} {day}", code, day, title)


def assessed(subject: Company) -> Assessment:
    found = build(subject, Group(), DAY).Assessment
    assert found is not None
    return found


# Titles are those of real notices of 2019 and 2020; codes without a published meaning are made up.
@pytest.mark.parametrize(
    ("code", "title", "at_most", "state"),
    [
        ("2410", "Appointment of Administrators", 0, "failed"),
        ("2452", "Winding-Up Orders", 0, "failed"),
        ("2454", "Appointment of Liquidators", 0, "failed"),
        ("2499", "Appointment of Administrative Receivers", 0, "failed"),
        ("2450", "Petitions to Wind Up (Companies)", 29, "petition"),
        ("2441", "Resolutions for Winding-up", 29, "proceedings"),
        ("2443", "Appointment of Liquidators", 29, "proceedings"),
        ("2442", "Meetings of Creditors", 29, "proceedings"),
        ("2447", "Deemed Consent", 29, "proceedings"),
        ("2498", "Qualifying Decision Procedure", 29, "proceedings"),
        ("2497", "Moratoria, Prohibited Names and Other: Moratorium: Coming into Force", 29, "proceedings"),
        ("2494", "Cessation of Appointment of Receivers", 100, "none known"),
        ("2493", "Appointment of the Official Receiver", 100, "none known"),
        ("2446", "Notices to Creditors", 100, "none known"),
        ("2431", "Resolutions for Winding-up", 100, "none known"),
        ("2461", "Dismissal of Winding Up Petition", 100, "none known"),
        ("2496", "Notice of Intended Dividends", 100, "none known"),
    ],
)
def test_a_notice_that_begins_a_procedure_holds_the_score(code: str, title: str, at_most: int, state: str) -> None:
    subject = noticed(notice(code, title))
    score = score_company(subject, DAY).score
    assert score is not None
    assert (score.score <= at_most, score.score > 29) == (True, at_most == 100)
    assert assessed(subject).Insolvency.State == state  # type: ignore[union-attr]  # every assessment has it


def test_a_moratorium_that_has_ended_does_not_count() -> None:
    begun = notice("2497", "Moratorium: Coming into Force", PUBLISHED - dt.timedelta(days=20))
    score = score_company(noticed(begun, notice("2495", "Moratorium: Coming to an End")), DAY).score
    assert score is not None
    assert score.score > 29


def test_every_notice_is_listed_with_its_kind_the_newest_first() -> None:
    older = notice("2446", "Notices to Creditors", PUBLISHED - dt.timedelta(days=9))
    found = assessed(noticed(older, notice("2442", "Meetings of Creditors"), notice("2496")))
    assert [(each.Kind, each.Code, each.Event) for each in found.Notices] == [
        ("Notice of code 2496", "2496", None),
        ("Meetings of Creditors", "2442", "meeting of creditors"),
        ("Notices to Creditors", "2446", None),
    ]


def test_a_resolution_of_a_solvent_liquidation_is_no_ceiling() -> None:
    solvent = case("members-voluntary-liquidation", ("wound-up-on", PUBLISHED))
    subject = msgspec.structs.replace(noticed(notice("2441")), insolvency=company(cases=(solvent,)).insolvency)
    assert score_company(subject, DAY).score is None
