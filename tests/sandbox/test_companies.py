"""The invented companies: their bands hold on any day, and their balance sheets balance (D24)."""

import datetime as dt

import pytest

from credence.companies.facts.accounts import Period
from credence.companies.number import normalise
from credence.sandbox import specimen
from credence.sandbox.invented.companies import BANDS, INVENTED, NOT_SCORED, STATES
from credence.sandbox.invented.facts import DAY
from credence.sandbox.scenarios import SIMULATED_FAILURE
from credence.scoring.eligibility import Unscored
from credence.scoring.score import score_company


@pytest.mark.parametrize("today", [DAY, dt.date(2030, 1, 1)])
def test_each_is_in_its_band_whatever_the_day(today: dt.date) -> None:
    """They are judged on the day of their facts, so they do not grow old."""
    bands = {}
    for band, number in BANDS.items():
        score = score_company(INVENTED[number], today).score
        assert score is not None
        bands[band] = score.band.band
    assert bands == {band: band for band in "ABCDE"}
    assert isinstance(score_company(INVENTED[NOT_SCORED], today).outcome, Unscored)


def test_their_numbers_are_valid_and_collide_with_nothing_else_of_the_sandbox() -> None:
    assert [normalise(number) for number in INVENTED] == list(INVENTED)
    assert not {specimen.NUMBER, SIMULATED_FAILURE} & INVENTED.keys()
    assert set(INVENTED) == {*BANDS.values(), *STATES.values()}


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
