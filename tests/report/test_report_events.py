"""Notices, cases, filings and status as events of the report (report schema §4 and §9, credit §4.1 and §4.3)."""

import datetime as dt
from typing import Any

import msgspec
import pytest

from credence.companies.facts.events import CaseDate, Filing, InsolvencyCase, Notice
from credence.report.build.events import WORDS, dissolved, events
from tests.report.hand_made import ENTRY, company, report_on

DAY = dt.date(2026, 3, 2)


def notice(code: str, day: dt.date = DAY) -> Notice:
    """A notice of the Gazette."""
    return Notice(f"{code}-{day}", code, day)


def case(type_: str, **steps: dt.date) -> InsolvencyCase:
    """An insolvency case with its dated steps."""
    return InsolvencyCase("1", type_, tuple(CaseDate(step.replace("_", "-"), day) for step, day in steps.items()))


def lines(**parts: Any) -> list[tuple[str, int, str | None]]:
    """The summary lines of a company with these parts."""
    said = report_on(company(**parts))["LegalNotices"]
    found = [(each["EventType"], each["EventCount"], each.get("EventDate")) for each in said.get("SummaryLine", [])]
    assert said["SummaryCount"] == len(found)
    return found


@pytest.mark.parametrize(
    ("code", "letter"),
    [("2450", "E"), ("2452", "G"), ("2441", "J"), ("2443", "H"), ("2410", "Q"), ("2411", "Q"), ("2461", "F")],
)
def test_a_notice_has_its_letter(code: str, letter: str) -> None:
    """Report schema §9."""
    assert lines(notices=(notice(code),)) == [(letter, 1, "2026-03-02")]


def test_a_notice_of_another_kind_is_not_an_event() -> None:
    assert lines(notices=(notice("2446"),)) == []


@pytest.mark.parametrize(
    ("type_", "step", "letter"),
    [
        ("compulsory-liquidation", "petitioned_on", "E"),
        ("compulsory-liquidation", "ordered_to_wind_up_on", "G"),
        ("compulsory-liquidation", "wound_up_on", "G"),
        ("creditors-voluntary-liquidation", "wound_up_on", "J"),
        ("members-voluntary-liquidation", "wound_up_on", "J"),
        ("in-administration", "administration_started_on", "Q"),
        ("in-administration", "administration_ended_on", "R"),
        ("corporate-voluntary-arrangement", "voluntary_arrangement_started_on", "S"),
        ("corporate-voluntary-arrangement", "voluntary_arrangement_ended_on", "T"),
        ("receiver-manager", "instrumented_on", "C"),
        ("receiver-manager", "case_end_on", "D"),
        ("creditors-voluntary-liquidation", "dissolved_on", "L"),
    ],
)
def test_a_step_of_a_case_has_its_letter(type_: str, step: str, letter: str) -> None:
    assert lines(insolvency=(case(type_, **{step: DAY}),)) == [(letter, 1, "2026-03-02")]


def test_the_liquidator_of_a_compulsory_liquidation_has_a_separate_letter() -> None:
    """Report schema §9: 2443 H, U when compulsory."""
    ordered = case("compulsory-liquidation", ordered_to_wind_up_on=dt.date(2025, 12, 1))
    assert [each[0] for each in lines(insolvency=(ordered,), notices=(notice("2443"),))] == ["U", "G"]


def test_one_event_in_two_sources_counts_once() -> None:
    resolved = case("creditors-voluntary-liquidation", wound_up_on=dt.date(2026, 2, 20))
    assert lines(insolvency=(resolved,), notices=(notice("2441"),)) == [("J", 1, "2026-02-20")]


def test_petitions_far_apart_are_counted_and_the_newest_gives_the_day() -> None:
    petitions = (notice("2450", dt.date(2024, 1, 5)), notice("2450", dt.date(2026, 1, 5)))
    assert lines(notices=petitions) == [("E", 2, "2026-01-05")]


def test_dissolved_restored_and_dissolved_within_sixty_days_is_dissolved() -> None:
    days = (DAY, DAY + dt.timedelta(days=20), DAY + dt.timedelta(days=40))
    kinds = ("gazette-dissolved-compulsory", "administrative-restoration-company", "gazette-dissolved-voluntary")
    filings = tuple(Filing(kind, day, "gazette", "GAZ2", kind) for kind, day in zip(kinds, days, strict=True))
    assert lines(filings=filings) == [("L", 2, str(days[2])), ("M", 1, str(days[1]))]
    last = dissolved(events(company(filings=filings)))
    assert last is not None
    assert last.day == days[2]


def test_a_petition_after_a_dismissed_one_is_another_petition() -> None:
    again = DAY + dt.timedelta(days=30)
    said = (notice("2450"), notice("2461", DAY + dt.timedelta(days=20)), notice("2450", again))
    assert lines(notices=said) == [("E", 2, str(again)), ("F", 1, "2026-03-22")]


def test_the_newest_event_comes_first() -> None:
    said = lines(notices=(notice("2450", dt.date(2025, 1, 1)), notice("2452", dt.date(2025, 3, 1))))
    assert [letter for letter, _, _ in said] == ["G", "E"]


@pytest.mark.parametrize(
    ("status", "letters"),
    [
        ("Active", []),
        ("Active - Proposal to Strike off", ["K"]),
        ("In Administration", ["Q"]),
        ("ADMINISTRATION ORDER", ["Q"]),
        ("Voluntary Arrangement", ["S"]),
        ("Live but Receiver Manager on at least one charge", ["C"]),
        ("Dissolved", ["L"]),
        ("Liquidation", []),
    ],
)
def test_a_status_is_an_event_without_a_day(status: str, letters: list[str]) -> None:
    """Report schema §9; "Liquidation" does not say which, so it stays in words."""
    entry = msgspec.structs.replace(ENTRY, status=status)
    assert lines(register=entry, notices=()) == [(letter, 1, None) for letter in letters]


def test_a_status_repeats_no_event_that_has_a_day() -> None:
    entry = msgspec.structs.replace(ENTRY, status="In Administration")
    assert lines(register=entry, notices=(notice("2410"),)) == [("Q", 1, "2026-03-02")]


def test_proposed_discontinued_and_completed_strike_off_come_from_the_filings() -> None:
    filed = tuple(
        Filing(str(n), dt.date(2026, n, 1), "gazette", "GAZ", description)
        for n, description in enumerate(
            ("gazette-notice-compulsory", "gazette-filings-brought-up-to-date", "gazette-dissolved-voluntary"), 1
        )
    )
    assert [letter for letter, _, _ in lines(filings=filed)] == ["L", "X", "K"]


def test_an_empty_source_counts_as_none_and_a_missing_source_is_left_out() -> None:
    """Report schema §8: zero means counted and none found."""
    assert report_on(company(notices=()))["LegalNotices"] == {"SummaryCount": 0}
    assert "LegalNotices" not in report_on(company(register=ENTRY))


def test_the_winding_up_has_its_steps_and_days() -> None:
    petition = case("compulsory-liquidation", petitioned_on=dt.date(2026, 2, 1), ordered_to_wind_up_on=DAY)
    published = (notice("2450", dt.date(2026, 2, 10)), notice("2452", dt.date(2026, 3, 9)))
    assert report_on(company(insolvency=(petition,), notices=published))["LegalNotices"]["WindUp"] == {
        "Petition": [{"PresentationDate": "2026-02-01", "PublicationDate": "2026-02-10"}],
        "Order": [{"OrderDate": "2026-03-02", "PublicationDate": "2026-03-09"}],
    }


def test_every_letter_of_an_event_has_words() -> None:
    assert all(WORDS.values())
    assert set("CDEFGHIJKLMQRSTUX") == set(WORDS)


@pytest.mark.parametrize(
    ("type_", "letter", "alerts"),
    [
        ("compulsory-liquidation", "G", 1),
        ("creditors-voluntary-liquidation", "J", 1),
        ("members-voluntary-liquidation", "J", 0),
        ("in-administration", "Q", 1),
        ("administration-order", "Q", 1),
        ("corporate-voluntary-arrangement", "S", 1),
        ("receiver-manager", "C", 1),
        ("administrative-receiver", "C", 1),
        ("receivership", "C", 1),
    ],
)
def test_a_case_without_a_day_is_an_event_and_an_alert_unless_it_is_solvent(
    type_: str, letter: str, alerts: int
) -> None:
    assert lines(insolvency=(case(type_),)) == [(letter, 1, None)]
    assert lines(insolvency=(case(type_, due_to_be_dissolved_on=DAY),)) == [(letter, 1, None)]
    assert insolvency_alerts(insolvency=(case(type_),)) == alerts


def insolvency_alerts(**parts: Any) -> int:
    """How many alerts of an insolvency a company with these parts has."""
    notes = report_on(company(**parts))["Alerts"][0].get("Notes", [])
    return sum(each["AlertCode"] == "INSOLVENCY" for each in notes)


@pytest.mark.parametrize(
    ("type_", "alerts"), [("creditors-voluntary-liquidation", 1), ("members-voluntary-liquidation", 0)]
)
def test_a_notice_gives_a_case_without_a_day_its_day(type_: str, alerts: int) -> None:
    parts: dict[str, Any] = {"insolvency": (case(type_),), "notices": (notice("2441"),)}
    assert lines(**parts) == [("J", 1, "2026-03-02")]
    assert insolvency_alerts(**parts) == alerts


def test_an_insolvent_liquidation_soon_after_a_solvent_one_is_a_separate_event() -> None:
    turned = (
        case("members-voluntary-liquidation", wound_up_on=dt.date(2026, 2, 1)),
        case("creditors-voluntary-liquidation", wound_up_on=DAY),
    )
    assert lines(insolvency=turned) == [("J", 2, "2026-03-02")]
    assert insolvency_alerts(insolvency=turned) == 1
