"""What became of a company: events with days first, then the later register, and what nothing explains stays open."""

import datetime as dt
from pathlib import Path

import pytest

from credence.backtest.outcomes import (
    CONVERTED,
    DISSOLVED,
    SOLVENT_END,
    SURVIVED,
    UNKNOWN_LIQUIDATION,
    UNRESOLVED,
    Judge,
    Outcome,
    read_outcomes,
)
from credence.backtest.plan import Plan
from credence.companies.facts.events import InsolvencyCase, Notice
from credence.companies.facts.register import RegisterEntry
from credence.datasets.sources.source import LoadError
from credence.scoring.model import current_model
from tests.scoring.companies import case, entry, notice

AT, UNTIL = dt.date(2025, 11, 1), dt.date(2026, 11, 1)
WITHIN, AFTER, BEFORE = dt.date(2026, 3, 2), dt.date(2026, 11, 2), dt.date(2025, 11, 1)
NO_FILES: tuple[Path, ...] = ()


def became(
    later: RegisterEntry | None = None,
    *notices: Notice,
    cases: tuple[InsolvencyCase, ...] = (),
    complete: bool = False,
    reported: dict[str, Outcome] | None = None,
) -> Outcome:
    plan = Plan(
        at=AT,
        months=12,
        before=NO_FILES,
        after=NO_FILES,
        accounts=NO_FILES,
        later_accounts=0,
        notices=NO_FILES,
        cases=NO_FILES,
        owners=NO_FILES,
        outcomes=NO_FILES,
        notices_are_complete=complete,
    )
    return Judge(plan, current_model().legal, reported or {}).outcome(entry(), later, notices, cases)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        ("Active", SURVIVED),
        ("Active - Proposal to Strike off", SURVIVED),
        ("Liquidation", UNKNOWN_LIQUIDATION),
        ("In Administration", "administration"),
        ("RECEIVERSHIP", "receivership"),
        ("Voluntary Arrangement", "voluntary arrangement"),
        ("Dissolved", DISSOLVED),
        ("Converted / Closed", CONVERTED),
        ("Receiver Action", UNRESOLVED),
        ("", UNRESOLVED),
    ],
)
def test_the_later_register_shows_the_outcome(status: str, kind: str) -> None:
    assert became(entry(status=status)) == Outcome(kind)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("2452", "compulsory liquidation"),
        ("2454", "compulsory liquidation"),
        ("2410", "administration"),
        ("2450", SURVIVED),
        ("2442", SURVIVED),
    ],
)
def test_a_notice_within_the_horizon_counts_whatever_the_later_register_shows(code: str, kind: str) -> None:
    """A petition is a claim and no outcome."""
    assert became(entry(), notice(code, WITHIN)).kind == kind


@pytest.mark.parametrize("day", [BEFORE, AFTER])
def test_a_notice_of_the_day_itself_or_after_the_horizon_is_no_outcome(day: dt.date) -> None:
    assert became(entry(), notice("2452", day)).kind == SURVIVED


def test_who_is_in_liquidation_by_an_order_after_the_horizon_has_survived_it() -> None:
    assert became(entry(status="Liquidation"), notice("2452", AFTER)).kind == SURVIVED
    assert became(None, notice("2452", AFTER)).kind == SURVIVED


def test_a_case_says_which_kind_of_liquidation_it_is() -> None:
    status = entry(status="Liquidation")
    creditors = case("creditors-voluntary-liquidation", ("wound-up-on", WITHIN))
    members = case("members-voluntary-liquidation", ("wound-up-on", WITHIN))
    assert became(status, cases=(creditors,)) == Outcome("creditors' voluntary liquidation", WITHIN)
    assert became(status, cases=(members,)) == Outcome(SOLVENT_END, WITHIN)
    later = case("creditors-voluntary-liquidation", ("wound-up-on", WITHIN + dt.timedelta(days=90)))
    assert became(status, cases=(members, later)).kind == "creditors' voluntary liquidation"
    petition = case("compulsory-liquidation", ("petitioned-on", WITHIN))
    assert became(entry(), cases=(petition,)).kind == SURVIVED


def test_who_left_without_a_reason_is_unresolved_and_with_one_is_not() -> None:
    assert became(None) == Outcome(UNRESOLVED)
    assert became(None, complete=True) == Outcome(DISSOLVED)
    assert became(None, notice("2443", WITHIN), complete=True) == Outcome(UNKNOWN_LIQUIDATION, WITHIN)
    assert became(None, notice("2450", WITHIN), complete=True) == Outcome(UNRESOLVED)
    assert became(None, notice("2452", WITHIN)).kind == "compulsory liquidation"
    assert became(None, reported={"01234567": Outcome(DISSOLVED)}) == Outcome(DISSOLVED)


def test_a_meeting_of_creditors_says_that_a_liquidation_is_theirs() -> None:
    resolution, meeting = notice("2441", WITHIN), notice("2442", WITHIN - dt.timedelta(days=9))
    assert became(entry(status="Liquidation"), resolution) == Outcome(UNKNOWN_LIQUIDATION, WITHIN)
    assert became(entry(status="Liquidation"), resolution, meeting) == Outcome(
        "creditors' voluntary liquidation", WITHIN
    )
    assert became(None, resolution, meeting) == Outcome("creditors' voluntary liquidation", WITHIN)


def test_another_company_under_the_number_is_no_evidence() -> None:
    another = entry(status="Liquidation", incorporated=dt.date(2026, 2, 1))
    assert became(another) == Outcome(UNRESOLVED)
    assert became(another, notice("2452", WITHIN)) == Outcome(UNRESOLVED)
    assert became(another, notice("2452", dt.date(2026, 1, 5))).kind == "compulsory liquidation"


def test_a_dissolution_after_the_horizon_is_survival() -> None:
    assert became(entry(status="Dissolved", dissolved=AFTER)).kind == SURVIVED


def test_a_file_of_outcomes_names_them_with_their_days(tmp_path: Path) -> None:
    file = tmp_path / "outcomes.csv"
    file.write_text("number,outcome,day\n1234567,strike-off,2026-03-02\nSC123456,insolvency,\n")
    assert read_outcomes([file]) == {"01234567": Outcome(DISSOLVED, WITHIN), "SC123456": Outcome("insolvency")}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("number\n1\n", "no columns number and outcome"),
        ("number,outcome\n1,bankrupt\n", "line 2: the outcome must be one of"),
        ("number,outcome\n1,\n", "line 2: the outcome must be one of"),
        ("number,outcome\nx,unknown\n", "line 2: the company number is malformed"),
        ("number,outcome,day\n1,unknown,2.3.2026\n", "line 2: the day must be written"),
    ],
)
def test_other_files_of_outcomes_are_refused(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "outcomes.csv"
    file.write_text(text)
    with pytest.raises(LoadError, match=message):
        read_outcomes([file])
