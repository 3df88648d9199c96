"""The suggested limit: every term of its minimum (credit §7.4)."""

import datetime as dt
from typing import Any

import msgspec
import pytest

from credence.companies.facts.accounts import Accounts, Period
from credence.scoring.limit import Limit, band_of, limit_of
from credence.scoring.model import current_model
from credence.scoring.reservations.table import Reservation
from tests.scoring.companies import SOUND, accounts, company, figures, judged

TERMS = current_model().terms


def limit(score: int, **changes: float | None) -> Limit:
    return limit_for(accounts(figures(**{**SOUND, **changes})), score)


def limit_for(filed: Accounts | None, score: int = 90, *reservations: Reservation) -> Limit:
    return limit_of(band_of(score, TERMS), judged(company(filed)), TERMS, reservations)


WITH_TURNOVER = {"turnover": 1_200_000}
"""A month of it is 100,000, more than the other terms: every term is known and the others decide."""


def test_the_limit_is_the_smallest_term_times_the_factor_of_the_band() -> None:
    """10 % of 70,000 is 7,000 and 20 % of 40,000 is 8,000; band B takes 0.8 of the smaller."""
    found = limit(70, **WITH_TURNOVER)
    assert [(each.words, each.amount) for each in found.terms] == [
        ("10% of tangible net assets", 7_000),
        ("20% of working capital", 8_000),
        ("One month of turnover", 100_000),
    ]
    assert found.amount == 5_600
    assert found.reason == "80% of the smallest known term, at most 250,000."


def test_filed_turnover_is_a_term() -> None:
    assert limit(90, turnover=36_000).amount == 3_000


def test_the_limit_is_rounded_down_to_two_figures_and_capped_by_the_band() -> None:
    assert limit(90, tangible_net_assets=12_990, **WITH_TURNOVER).amount == 1_200
    assert limit(90, tangible_net_assets=9e7, net_current_assets=9e7, turnover=9e8).amount == 500_000


@pytest.mark.parametrize(
    ("unknown", "amount", "words"),
    [
        (["turnover"], 5_600, "less 20% for the unknown term"),
        (["turnover", "net_current_assets"], 4_400, "less 20% for each of 2 unknown terms"),
        (["turnover", "tangible_net_assets"], 4_400, "less 20% for each of 2 unknown terms"),
        (["net_current_assets"], 5_600, "less 20% for the unknown term"),
    ],
)
def test_an_unknown_term_lowers_the_limit(unknown: list[str], amount: int, words: str) -> None:
    """7,000 x 0.8 = 5,600; 7,000 x 0.64 = 4,480, also for tangible net assets, which net assets of 70,000 bound."""
    found = limit(90, **WITH_TURNOVER | dict.fromkeys(unknown))
    assert (found.amount, words in found.reason) == (amount, True)


def test_unknown_tangible_net_assets_are_no_more_than_net_assets() -> None:
    """10 % of 20,000 is less than 20 % of 40,000; two of three terms are unknown."""
    found = limit(90, tangible_net_assets=None, net_assets=20_000)
    words = "10% of net assets, as those that are tangible are not known"
    assert (found.terms[0].words, found.terms[0].amount, found.amount) == (words, 2_000, 1_200)


def test_an_unknown_term_lowers_a_capped_limit_too() -> None:
    assert limit(90, tangible_net_assets=9e7, net_current_assets=9e7).amount == 400_000


def test_no_working_capital_is_a_limit_of_0() -> None:
    assert limit(90, net_current_assets=-1).amount == 0


def test_without_any_figure_there_is_no_limit_rather_than_0() -> None:
    assert limit(90, tangible_net_assets=None, net_current_assets=None).amount is None


@pytest.mark.parametrize("net_assets", [0, -5])
def test_a_company_without_net_assets_gets_0_with_the_reason(net_assets: int) -> None:
    found = limit(90, net_assets=net_assets)
    assert (found.amount, found.reason) == (0, "Net assets are not positive.")


def test_band_e_and_a_company_without_figures_get_nothing() -> None:
    assert limit(10).amount == 0
    assert limit_for(None).amount == 0


def test_each_reservation_leaves_its_share_of_the_limit() -> None:
    """5,600 x 0.8 x 0.5 = 2,240, rounded down to two figures; a share of nothing forbids a limit, with the sentence."""
    less = (reserved("OLD-REGISTER", 0.8), reserved("OPINION", 0.5))
    found = limit_for(accounts(figures(**SOUND)), 90, *less)
    assert (found.amount, found.reason.endswith("Reduced to 80% (old-register), then to 50% (opinion).")) == (
        2_200,
        True,
    )
    none = limit_for(accounts(figures(**SOUND)), 90, *less, reserved("NO-COVER", 0))
    assert (none.amount, none.reason) == (0, "No limit: A sentence on no-cover.")


def reserved(code: str, share: float) -> Reservation:
    return Reservation(code, code, code.lower(), f"A sentence on {code.lower()}.", limit=share)


@pytest.mark.parametrize(("months", "amount"), [(6, 3_000), (12, 3_000), (18, 3_000)])
def test_a_month_of_turnover_is_that_of_a_year_whatever_the_length_of_the_period(months: int, amount: int) -> None:
    """36,000 a year: 18,000 in half a year and 54,000 in one and a half; credit §7.4."""
    end = dt.date(2026, 3, 31)
    start = end - dt.timedelta(days=round(months * 365 / 12) - 1)
    filed = accounts(figures(**SOUND, turnover=3_000 * months))
    filed = msgspec.structs.replace(filed, periods=(msgspec.structs.replace(filed.periods[0], start=start),))
    assert limit_for(filed).amount == pytest.approx(amount, abs=100)


def test_accounts_in_another_currency_give_no_limit_in_pounds() -> None:
    foreign = accounts(figures(**SOUND), currency="EUR")
    assert limit_for(foreign).amount is None


def test_an_unknown_currency_is_said_in_words() -> None:
    found = limit_for(accounts(figures(**SOUND), currency=""))
    assert (found.amount, found.reason) == (None, "The currency of the accounts is not known.")


def with_group(end: dt.date = dt.date(2026, 3, 31), **changes: float | None) -> Limit:
    """The limit in band A of a company whose own figures support 7,000, in accounts with these figures of the group."""
    of_group = Period(end, None, figures(**{**SOUND, **WITH_TURNOVER, **changes}), balanced=True)
    filed = accounts(figures(**SOUND, **WITH_TURNOVER), group_periods=(of_group,))
    return limit_for(filed)


def test_no_limit_exceeds_the_limit_of_the_weaker_of_company_and_group() -> None:
    """D34. 20 % of the group's 5,000 is 1,000; a stronger group does not raise the company's 7,000."""
    weaker, stronger = with_group(net_current_assets=5_000), with_group(tangible_net_assets=900_000)
    assert (weaker.amount, stronger.amount) == (1_000, 7_000)
    assert weaker.reason.startswith("The limit of the group is lower than that of the company.")
    assert ("The group's: 20% of working capital", 1_000) in [(each.words, each.amount) for each in weaker.terms]


def test_a_group_without_net_assets_leaves_a_company_with_them_no_limit() -> None:
    found = with_group(net_assets=-23_800_000)
    assert (found.amount, found.reason) == (
        0,
        "The limit of the group is lower than that of the company. Of the group: Net assets are not positive.",
    )


def test_a_group_whose_balance_sheet_is_unknown_lowers_the_limit() -> None:
    """A filing that tags only the profit of the group: 7,000 x 0.8."""
    of_group = Period(dt.date(2026, 3, 31), None, figures(profit=5), balanced=None)
    filed = accounts(figures(**SOUND, **WITH_TURNOVER), group_periods=(of_group,))
    found = limit_for(filed)
    assert (found.amount, "the limit of the group is unknown" in found.reason) == (5_600, True)


def test_figures_of_a_group_that_are_too_old_count_as_unknown() -> None:
    """7,000 x 0.8."""
    assert with_group(end=dt.date(2020, 3, 31), net_assets=-1).amount == 5_600


def test_a_company_with_accounts_of_its_group_alone_gets_no_more_than_the_limit_of_the_group() -> None:
    of_group = Period(dt.date(2026, 3, 31), None, figures(**{**SOUND, "net_assets": -1}), balanced=True)
    filed = msgspec.structs.replace(accounts(figures()), periods=(), group_periods=(of_group,))
    assert limit_for(filed).amount == 0


@pytest.mark.parametrize("failed", [{"contradictions": ("equity",)}, {"balanced": False}])
def test_figures_that_fail_a_check_support_no_limit(failed: dict[str, Any]) -> None:
    """credit §7.4, for an invariant and for the lines as filed."""
    filed = accounts(figures(**SOUND))
    filed = msgspec.structs.replace(filed, periods=(msgspec.structs.replace(filed.periods[0], **failed),))
    found = limit_for(filed)
    assert (found.amount, found.reason) == (None, "The figures of the newest accounts fail a check.")
