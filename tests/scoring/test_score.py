"""The score of one company: every point accounted for (credit §7)."""

import datetime as dt
from typing import Any

import msgspec
import pytest

from credence.companies.facts.company import Company, Provenance, Sourced
from credence.companies.facts.register import AccountsFiling, Activity
from credence.scoring.basis.ratios import RATIOS
from credence.scoring.basis.scale import probability_of
from credence.scoring.eligibility import Unscored
from credence.scoring.legal import status_of
from credence.scoring.model import current_model
from credence.scoring.score import LEVEL, Score, assess
from credence.scoring.sentences import Line
from tests.scoring.companies import DAY, SOUND, accounts, case, company, figures, former, notice

MINUS = "\N{MINUS SIGN}"
MODEL = current_model()


def score_of(subject: Company) -> Score:
    outcome = assess(subject, MODEL, DAY)
    assert isinstance(outcome, Score), outcome
    return outcome


def sound(**changes: Any) -> Company:
    return company(accounts(figures(**SOUND), figures(**{**SOUND, "net_assets": 60_000})), **changes)


def line(outcome: Score, code: str) -> int:
    return next(each.points for each in outcome.lines if each.code == code)


@pytest.mark.parametrize(
    "subject",
    [
        sound(),
        sound(status="Liquidation"),
        sound(status="Active - Proposal to Strike off"),
        company(),
        company(
            accounts(
                figures(total_assets=10_000, net_assets=-50_000, current_assets=1_000, creditors_within_year=60_000)
            )
        ),
    ],
    ids=["sound", "failed", "strike-off", "no accounts", "deep in debt"],
)
def test_the_lines_add_up_to_the_score(subject: Company) -> None:
    outcome = score_of(subject)
    assert sum(each.points for each in outcome.lines) == outcome.score
    assert 0 <= outcome.low <= outcome.score <= outcome.high <= 100


def test_an_unknown_value_gives_no_points_and_widens_the_interval() -> None:
    known, unknown = score_of(sound()), score_of(sound_without("cash"))
    assert "cash-ratio" in {each.code for each in unknown.unknown}
    assert "cash-ratio" not in {each.code for each in unknown.lines}
    assert unknown.high - unknown.low > known.high - known.low


def sound_without(name: str) -> Company:
    amounts = {**SOUND, name: None}
    return company(accounts(figures(**amounts), figures(**{**SOUND, "net_assets": 60_000})))


def test_a_longer_sheet_keeps_the_lines_of_the_shorter_one() -> None:
    """Two companies with the same balance sheet differ by the lines of what one of them shows besides."""
    more = ("share_capital", "cash", "debtors", "stocks")
    short = company(accounts(figures(**{name: None if name in more else value for name, value in SOUND.items()})))
    full = company(accounts(figures(**SOUND)))
    of_short, of_full = ({each.code: each.points for each in score_of(one).lines} for one in (short, full))
    shared = of_short.keys() - {LEVEL}
    assert {code: of_full[code] for code in shared} == {code: of_short[code] for code in shared}
    assert {"cash-ratio", "quick-ratio", "reserves", "debtors", "stocks"} <= of_full.keys() - of_short.keys()
    assert "profit-before-tax" not in {each.code for each in score_of(full).unknown}  # nothing of that table is shown


def test_a_profit_and_loss_account_adds_lines() -> None:
    profitable = figures(**SOUND, profit_before_tax=12_000, operating_profit=12_500, turnover=150_000)
    lines = {each.code: each for each in score_of(company(accounts(profitable))).lines}
    assert lines["profit-before-tax"].value == 0.12
    assert lines["operating-profit"].value == 0.125
    assert lines["profit-to-creditors"].value == 0.6
    assert lines["turnover"].value == 1.5


def test_the_line_of_a_pair_names_both_inputs_with_their_values() -> None:
    weak = figures(
        total_assets=100_000,
        current_assets=95_000,
        net_current_assets=-20_000,
        creditors_within_year=115_000,
        net_assets=-15_000,
    )
    outcome = score_of(company(accounts(weak)))
    single = {each.code: each for each in outcome.lines if each.value is not None}
    pairs = [each for each in outcome.lines if each.inputs]
    assert pairs
    for pair in pairs:
        assert pair.points
        assert pair.value is None
        assert [(each.words, each.value) for each in pair.inputs] == [
            (single[each.code].words, single[each.code].value) for each in pair.inputs
        ]
        assert pair.code == "+".join(each.code for each in pair.inputs)
        assert pair.sentence == f"{pair.words}: {'+' if pair.points > 0 else MINUS}{abs(pair.points)}."


def test_every_line_but_that_of_the_scale_has_the_day_of_its_fact() -> None:
    rates, sheet = MODEL.sectors.as_of, dt.date(2026, 3, 31)
    days = {each.code: each.day for each in score_of(sound()).lines if each.layer != "scale"}
    assert all(days.values())
    assert (days["base"], days[LEVEL], days["cash-ratio"], days["age"]) == (rates, sheet, sheet, DAY)


def test_untagged_stocks_are_nil_if_debtors_and_cash_are_all_current_assets() -> None:
    service = {**SOUND, "stocks": None, "debtors": 40_000, "cash": 20_000}
    assert RATIOS["stocks"](figures(**service)) == 0
    assert RATIOS["quick-ratio"](figures(**service)) == 3
    assert RATIOS["stocks"](figures(**{**service, "cash": 10_000})) is None


def test_a_failed_company_scores_0_and_has_no_probability() -> None:
    outcome = score_of(sound(status="Liquidation"))
    assert (outcome.score, outcome.low, outcome.high, outcome.failed) == (0, 0, 0, True)
    assert outcome.probability is None
    assert outcome.limit.amount == 0
    assert outcome.reasons[0].code == "failed.liquidation"


def test_a_members_voluntary_liquidation_is_no_failure_and_no_score() -> None:
    """credit §4.1, §8.3."""
    solvent = sound(status="Liquidation", cases=(case("members-voluntary-liquidation"),))
    outcome = assess(solvent, MODEL, DAY)
    assert isinstance(outcome, Unscored)
    assert outcome.code == "unscored.solvent-liquidation"


@pytest.mark.parametrize(
    ("changes", "at_most"),
    [
        ({"status": "Active - Proposal to Strike off"}, 49),
        ({"notices": (notice("2450", DAY - dt.timedelta(days=365)),)}, 29),
        ({"status": "Active - Proposal to Strike off", "notices": (notice("2450", DAY),)}, 29),
    ],
)
def test_a_ceiling_holds_score_and_interval_down(changes: dict[str, Any], at_most: int) -> None:
    outcome = score_of(sound(**changes))
    assert outcome.score == outcome.high == at_most
    assert outcome.probability == probability_of(at_most)


@pytest.mark.parametrize("published", [DAY - dt.timedelta(days=366), DAY + dt.timedelta(days=1)])
def test_a_notice_counts_for_a_year_from_its_day(published: dt.date) -> None:
    assert score_of(sound(notices=(notice("2450", published),))).score == score_of(sound()).score


def test_an_old_case_of_an_active_company_is_no_failure() -> None:
    assert not score_of(
        sound(cases=(case("in-administration", ("administration-started-on", dt.date(2009, 1, 1))),))
    ).failed


def test_what_is_overdue_by_a_day_costs_points_and_what_is_due_today_does_not() -> None:

    made_up = dt.date(2026, 3, 31)
    due_today = score_of(sound(accounts=AccountsFiling(next_due=DAY, last_made_up=made_up)))
    overdue = score_of(sound(accounts=AccountsFiling(next_due=DAY - dt.timedelta(days=1), last_made_up=made_up)))
    assert line(due_today, "accounts-overdue") == 1
    assert line(overdue, "accounts-overdue") == -4


@pytest.mark.parametrize("known", [None, dt.date(2025, 3, 31)])
def test_lateness_is_unknown_where_accounts_are_held_that_the_register_does_not_know(known: dt.date | None) -> None:
    """The due date in an old snapshot may be that of the accounts of 31 March 2026, which are on record."""
    late = score_of(sound(accounts=AccountsFiling(next_due=DAY - dt.timedelta(days=1), last_made_up=known)))
    assert "accounts-overdue" in {each.code for each in late.unknown}
    in_time = score_of(sound(accounts=AccountsFiling(next_due=DAY, last_made_up=known)))
    assert line(in_time, "accounts-overdue") == 1, "what is not due yet is not late"


def test_a_name_counts_as_given_up_for_two_years() -> None:
    recent = score_of(sound(former_names=(former("BEFORE LTD", DAY - dt.timedelta(days=700)),)))
    long_ago = score_of(sound(former_names=(former("BEFORE LTD", DAY - dt.timedelta(days=740)),)))
    assert (line(recent, "names-given-up"), line(long_ago, "names-given-up")) == (-2, 0)


@pytest.mark.parametrize(
    ("changes", "note"),
    [
        ({"dormant": True}, "ratios.dormant"),
        ({"figures": {"total_assets": 2_999}}, "ratios.too-small"),
        ({"figures": {"total_assets": None}}, "ratios.no-total"),
        ({"balanced": False}, "ratios.unbalanced"),
    ],
)
def test_accounts_that_say_nothing_of_risk_get_no_ratio_points(changes: dict[str, Any], note: str) -> None:
    """credit §6, missing inputs 4."""

    amounts = {**SOUND, **changes.get("figures", {})}
    filed = accounts(figures(**amounts), dormant=changes.get("dormant"))
    if changes.get("balanced") is False:
        filed = msgspec.structs.replace(filed, periods=(msgspec.structs.replace(filed.periods[0], balanced=False),))
    outcome = score_of(company(filed))
    assert outcome.notes == (note,)
    assert not [each for each in outcome.lines if each.layer == "ratios"]


@pytest.mark.parametrize(
    ("number", "code"),
    [
        ("IP00261C", "unscored.entity"),
        ("SL001234", "unscored.partnership"),
        ("FC001234", "unscored.overseas"),
        ("IC001234", "unscored.fund"),
        ("OE001234", "unscored.overseas"),
    ],
)
def test_entities_that_file_no_comparable_accounts_are_not_scored(number: str, code: str) -> None:
    outcome = assess(company(number=number), MODEL, DAY)
    assert isinstance(outcome, Unscored)
    assert outcome.code == code


@pytest.mark.parametrize(
    ("code", "scored"), [("63990", True), ("64110", False), ("66300", False), ("67000", True), ("6411", True)]
)
def test_financial_companies_are_not_scored_by_this_model(code: str, scored: bool) -> None:
    """SIC 2007 divisions 64 to 66, also beside another activity; a code of four digits is of an older edition."""
    activities = (Activity("46900", ""), Activity(code, ""))
    outcome = assess(sound(activities=activities), MODEL, DAY)
    assert isinstance(outcome, Score) is scored
    assert scored or (isinstance(outcome, Unscored) and outcome.code == "unscored.financial")


def test_a_financial_company_that_has_failed_says_so() -> None:
    assert score_of(sound(activities=(Activity("64110", ""),), status="Liquidation")).score == 0


@pytest.mark.parametrize(("status", "code"), [("Dissolved", "unscored.dissolved"), ("Dreaming", "unscored.status")])
def test_a_company_that_is_gone_or_of_unknown_state_is_not_scored(status: str, code: str) -> None:
    subject = company(status=status)
    outcome = assess(subject, MODEL, DAY)
    assert isinstance(outcome, Unscored)
    assert (outcome.code, status_of(subject)) == (code, status.lower())


def test_a_company_without_a_register_entry_is_not_scored() -> None:

    subject = Company(number="01234567", accounts=Sourced((accounts(figures(**SOUND)),), Provenance("made up")))
    outcome = assess(subject, MODEL, DAY)
    assert isinstance(outcome, Unscored)
    assert outcome.code == "unscored.no-register"


def test_reasons_are_scored_lines_only_and_the_weightiest_comes_first() -> None:
    """credit §10: only factors that were scored, the principal ones first."""
    reasons = score_of(sound(status="Active - Proposal to Strike off")).reasons
    assert reasons[0].layer == "legal"
    weights = [abs(each.points) for each in reasons[1:]]
    assert weights == sorted(weights, reverse=True)
    assert all(each.points and each.sentence for each in reasons)


def test_old_accounts_widen_the_interval() -> None:
    old = accounts(figures(**SOUND), end=DAY - dt.timedelta(days=round(20 * 30.4375)))
    fresh = accounts(figures(**SOUND), end=DAY - dt.timedelta(days=round(12 * 30.4375)))
    assert score_of(company(fresh)).low - score_of(company(old)).low == 4  # half a point for each of eight months


def test_figures_are_as_old_as_their_column_however_new_the_filing() -> None:
    """Credit §3.2: accounts whose own column is untagged tell of an earlier year alone."""
    end = DAY - dt.timedelta(days=round(20 * 30.4375))
    behind = accounts(figures(**SOUND), end=end, balance_sheet_date=DAY)
    assert score_of(company(behind)).low == score_of(company(accounts(figures(**SOUND), end=end))).low


def test_the_filing_with_the_newest_figures_is_scored() -> None:
    """Credit §3.2: the newest filing may tell older figures than the one before it, or only those of the group.

    That it exists is a reservation, because its own figures are not held.
    """
    usual = company(accounts(figures(**SOUND)))
    assert usual.accounts is not None
    old = accounts(figures(**{**SOUND, "net_assets": -1}), end=dt.date(2024, 3, 31), balance_sheet_date=DAY)
    for newer in (old, accounts(figures(), periods=(), balance_sheet_date=DAY)):
        held = msgspec.structs.replace(usual.accounts, value=(newer, *usual.accounts.value))
        found = score_of(msgspec.structs.replace(usual, accounts=held))
        assert _own(found) == _own(score_of(usual))
        assert [each.code for each in found.reservations] == ["NEWER-ACCOUNTS"]


def _own(score: Score) -> list[Line]:
    """The lines of the company's own factors."""
    return [each for each in score.lines if each.layer not in {"judgement", "scale"}]
