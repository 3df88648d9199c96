"""What is newer than the register counts at once, and what is later than the day of judgement does not (credit §4.1, §5)."""

import datetime as dt
from typing import Any

import pytest

from credence.companies.facts.company import Company
from credence.companies.facts.events import InsolvencyCase
from credence.scoring.eligibility import Unscored
from credence.scoring.model import current_model
from credence.scoring.score import Score, assess
from tests.scoring.companies import DAY, SOUND, accounts, case, company, figures, notice

REGISTER = DAY - dt.timedelta(days=30)
"""The day of the snapshot; the score is for `DAY`, a month later."""

BETWEEN = DAY - dt.timedelta(days=5)
TWO_YEARS = dt.timedelta(days=730)
A_DAY = dt.timedelta(days=1)

INSOLVENT = (
    ("creditors-voluntary-liquidation", "wound-up-on", "failed.liquidation"),
    ("compulsory-liquidation", "ordered-to-wind-up-on", "failed.liquidation"),
    ("in-administration", "administration-started-on", "failed.administration"),
    ("receiver-manager", "instrumented-on", "failed.receivership"),
    ("corporate-voluntary-arrangement", "voluntary-arrangement-started-on", "failed.arrangement"),
)


def sound(day: dt.date = REGISTER, **changes: Any) -> Company:
    """An active company of a snapshot."""
    return company(accounts(figures(**SOUND)), as_of=day, **changes)


def outcome(subject: Company, day: dt.date = DAY) -> Score | Unscored:
    return assess(subject, current_model(), day)


def codes(subject: Company, day: dt.date = DAY) -> list[str]:
    """The codes of the legal rules that acted."""
    found = outcome(subject, day)
    assert isinstance(found, Score), found
    return [each.code for each in found.lines if each.layer == "legal"]


@pytest.mark.parametrize(
    ("code", "rule"), [("2452", "failed.liquidation"), ("2410", "failed.administration"), ("2450", "ceiling.petition")]
)
def test_a_notice_that_is_newer_than_the_register_counts_at_once(code: str, rule: str) -> None:
    assert codes(sound(notices=(notice(code, BETWEEN),))) == [rule]
    assert codes(sound(notices=(notice(code, DAY),))) == [rule]


@pytest.mark.parametrize(("age", "counts"), [(365, True), (366, False)])
def test_a_notice_counts_for_a_year_before_the_day_of_judgement(age: int, counts: bool) -> None:
    """D39."""
    published = DAY - dt.timedelta(days=age)
    assert bool(codes(sound(notices=(notice("2450", published),)))) is counts


@pytest.mark.parametrize(("lag", "counts"), [(89, True), (90, False)])
def test_a_notice_that_no_later_register_overtakes_counts_however_old_it_is(lag: int, counts: bool) -> None:
    """A snapshot of a few weeks after a court's order may still say "Active", and nothing newer is on record."""
    snapshot = DAY - 3 * TWO_YEARS
    ordered = sound(snapshot, notices=(notice("2452", snapshot - dt.timedelta(days=lag)),))
    assert bool(codes(ordered)) is counts


@pytest.mark.parametrize("status", ["Active", "Active - Proposal to Strike off"])
@pytest.mark.parametrize(("type_", "step", "rule"), INSOLVENT)
@pytest.mark.parametrize("begun", [BETWEEN, REGISTER, DAY - TWO_YEARS])
def test_a_running_case_counts_whatever_the_status_says(
    status: str, type_: str, step: str, rule: str, begun: dt.date
) -> None:
    """Credit §4.1: on the day of the notice most companies still read "Active"."""
    found = outcome(sound(status=status, cases=(case(type_, (step, begun)),)))
    assert isinstance(found, Score)
    assert (found.failed, found.score, found.reasons[0].code) == (True, 0, rule)


@pytest.mark.parametrize(("type_", "_step", "rule"), INSOLVENT)
def test_a_case_without_a_day_counts(type_: str, _step: str, rule: str) -> None:
    """One of the public register's stream has none: 12325716, a creditors' voluntary liquidation."""
    assert codes(sound(cases=(case(type_),))) == [rule]
    assert codes(sound(cases=(case(type_, ("due-to-be-dissolved-on", DAY + A_DAY)),))) == [rule]


@pytest.mark.parametrize(("type_", "step", "_rule"), INSOLVENT)
def test_a_case_of_long_ago_that_nobody_closed_does_not_count(type_: str, step: str, _rule: str) -> None:
    assert codes(sound(cases=(case(type_, (step, DAY - TWO_YEARS - A_DAY)),))) == []


@pytest.mark.parametrize(
    ("type_", "began", "ended"),
    [
        ("in-administration", "administration-started-on", "administration-ended-on"),
        ("in-administration", "administration-started-on", "administration-discharged-on"),
        ("corporate-voluntary-arrangement", "voluntary-arrangement-started-on", "voluntary-arrangement-ended-on"),
        ("receiver-manager", "instrumented-on", "case-end-on"),
        ("compulsory-liquidation", "ordered-to-wind-up-on", "concluded-winding-up-on"),
        ("creditors-voluntary-liquidation", "wound-up-on", "dissolved-on"),
    ],
)
def test_a_case_that_ended_does_not_count_from_the_day_of_its_end(type_: str, began: str, ended: str) -> None:
    cases = (case(type_, (began, REGISTER - A_DAY), (ended, BETWEEN)),)
    assert codes(sound(cases=cases)) == []
    assert len(codes(sound(cases=cases), BETWEEN - A_DAY)) == 1  # not known to have ended yet


def test_a_petition_of_which_nothing_more_is_known_is_no_failure() -> None:
    """Credit §4.3: a claim, not an outcome."""
    found = outcome(sound(cases=(case("compulsory-liquidation", ("petitioned-on", BETWEEN)),)))
    assert isinstance(found, Score)
    assert (found.failed, found.score, found.reasons[0].code) == (False, 29, "ceiling.petition")


@pytest.mark.parametrize("steps", [(), (("declaration-solvent-on", BETWEEN),), (("wound-up-on", BETWEEN),)])
def test_a_members_voluntary_liquidation_of_an_active_company_is_no_failure(
    steps: tuple[tuple[str, dt.date], ...],
) -> None:
    found = outcome(sound(cases=(case("members-voluntary-liquidation", *steps),)))
    assert isinstance(found, Unscored)
    assert found.code == "unscored.solvent-liquidation"


def test_a_members_voluntary_liquidation_that_turned_insolvent_is_a_failure() -> None:
    turned: tuple[InsolvencyCase, ...] = (
        case("members-voluntary-liquidation", ("wound-up-on", REGISTER)),
        case("creditors-voluntary-liquidation", ("wound-up-on", BETWEEN)),
    )
    assert codes(sound(cases=turned)) == ["failed.liquidation"]


@pytest.mark.parametrize("day", [REGISTER, BETWEEN - A_DAY])
@pytest.mark.parametrize(
    "changes",
    [
        {"notices": (notice("2452", BETWEEN),)},
        {"notices": (notice("2450", BETWEEN),)},
        {"cases": (case("creditors-voluntary-liquidation", ("wound-up-on", BETWEEN)),)},
        {"cases": (case("members-voluntary-liquidation", ("wound-up-on", BETWEEN)),)},
    ],
)
def test_nothing_that_happened_after_the_day_of_judgement_counts(changes: dict[str, Any], day: dt.date) -> None:
    without: dict[str, Any] = dict.fromkeys(changes, ())
    assert outcome(sound(**changes), day) == outcome(sound(**without), day)


@pytest.mark.parametrize(
    ("changes", "newest"),
    [
        ({}, REGISTER),
        ({"notices": (notice("2450", BETWEEN),)}, BETWEEN),
        ({"notices": (notice("2461", BETWEEN),)}, REGISTER),  # of a kind that no rule is tried on
        ({"notices": (notice("2450", DAY + A_DAY),)}, REGISTER),
        ({"cases": (case("in-administration", ("administration-started-on", BETWEEN)),)}, BETWEEN),
        ({"cases": (case("in-administration"),)}, REGISTER),
    ],
)
def test_a_score_names_the_day_of_its_newest_input(changes: dict[str, Any], newest: dt.date) -> None:
    found = outcome(sound(**changes))
    assert isinstance(found, Score)
    assert found.day == newest


def test_accounts_that_were_filed_since_the_snapshot_are_the_newest_input() -> None:
    found = outcome(company(accounts(figures(**SOUND), filed=BETWEEN), as_of=REGISTER))
    assert isinstance(found, Score)
    assert found.day == BETWEEN


def test_what_is_due_is_judged_by_the_day_of_the_register() -> None:
    """An old snapshot must not be judged by a later calendar: what was filed since, it cannot know."""
    due = {"confirmation_next_due": REGISTER + A_DAY}
    found = outcome(sound(**due))
    assert isinstance(found, Score)
    assert next(each.value for each in found.lines if each.code == "confirmation-overdue") == 0
