"""The invented companies: their bands hold on any day, and their balance sheets balance (D24)."""

import datetime as dt

import pytest

from credence.companies.facts.accounts import Period
from credence.companies.number import normalise
from credence.sandbox import specimen
from credence.sandbox.invented.companies import BANDS, DAY, INVENTED, STATES
from credence.sandbox.invented.companies_file import invented_file
from credence.sandbox.invented.dating import invented_on
from credence.sandbox.scenarios import SIMULATED_FAILURE
from credence.scoring.eligibility import Unscored
from credence.scoring.score import score_company


@pytest.mark.parametrize("today", [DAY, dt.date(2026, 11, 24), dt.date(2030, 1, 31)])
def test_each_is_in_its_band_with_its_limit_whatever_the_day_on_which_the_sandbox_is_made(today: dt.date) -> None:
    """They are dated from that day; their limits are those of 10 % of tangible net assets and 20 % of working capital."""
    made = invented_on(today)
    scores = {band: score_company(made[number], today).score for band, number in BANDS.items()}
    assert {band: score.band.band for band, score in scores.items() if score} == {band: band for band in "ABCDE"}
    limits = {band: score.limit.amount for band, score in scores.items() if score}
    assert limits == {"A": 70_000, "B": 640, "C": 0, "D": 160, "E": 0}
    assert isinstance(score_company(made[STATES["not-scored"]], today).outcome, Unscored)


def test_they_are_dated_from_the_day_on_which_the_sandbox_is_made() -> None:
    """Every other date moves by whole months, and the last day of a month stays one: seven months from May to December."""
    company = invented_on(dt.date(2026, 12, 9))[BANDS["A"]]
    assert company.register is not None
    assert company.accounts is not None
    assert company.register.provenance.as_of == dt.date(2026, 12, 9)
    assert company.register.value.incorporated == dt.date(2001, 10, 1)
    (filed,) = company.accounts.value
    assert (filed.document, filed.balance_sheet_date) == ("Invented_99999901_20260731", dt.date(2026, 7, 31))
    assert [(each.start, each.end) for each in filed.periods] == [
        (dt.date(2025, 8, 1), dt.date(2026, 7, 31)),
        (dt.date(2024, 8, 1), dt.date(2025, 7, 31)),
    ]
    due = company.register.value.accounts
    assert (due.reference_day, due.reference_month, due.next_due) == (31, 7, dt.date(2027, 4, 30))


def test_their_numbers_are_valid_and_collide_with_nothing_else_of_the_sandbox() -> None:
    assert [normalise(number) for number in INVENTED] == list(INVENTED)
    assert not {specimen.NUMBER, SIMULATED_FAILURE} & INVENTED.keys()
    customers = {each.number for each in invented_file().customer}
    assert set(INVENTED) == {*BANDS.values(), *STATES.values(), *customers}


@pytest.mark.parametrize("year", [0, 1])
@pytest.mark.parametrize("number", list(INVENTED))
def test_their_balance_sheets_balance(number: str, year: int) -> None:
    """credit §3.4: FA + CA - CL = TALCL = NA + later creditors; NA = capital + reserves."""
    held = INVENTED[number].accounts
    assert held is not None
    period = held.value[0].periods[year]
    fixed, current = amount(period, "fixed_assets"), amount(period, "current_assets")
    soon, later = amount(period, "creditors_within_year"), amount(period, "creditors_after_year")
    net = amount(period, "net_assets")
    assert fixed + current == amount(period, "total_assets")
    assert current - soon == amount(period, "net_current_assets")
    assert fixed + current - soon == amount(period, "total_assets_less_current_liabilities") == net + later
    assert soon + later == amount(period, "total_liabilities")
    assert amount(period, "share_capital") + amount(period, "retained_earnings") == net
    assert amount(period, "stocks") + amount(period, "debtors") + amount(period, "cash") == current


def amount(period: Period, name: str) -> float:
    figure = getattr(period.figures, name)
    return 0 if figure is None else figure.value
