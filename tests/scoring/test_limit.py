"""The suggested limit: every term of its minimum (credit §7.4)."""

import datetime as dt

import msgspec
import pytest

from credence.scoring.limit import Limit, band_of, limit_of
from credence.scoring.model import current_model
from tests.scoring.companies import DAY, SOUND, accounts, figures

TERMS = current_model().terms


def limit(score: int, **changes: float | None) -> Limit:
    return limit_of(band_of(score, TERMS), accounts(figures(**{**SOUND, **changes})), TERMS, DAY)


def test_the_limit_is_the_smallest_term_times_the_factor_of_the_band() -> None:
    """10 % of 70,000 is 7,000 and 20 % of 40,000 is 8,000; band B takes 0.8 of the smaller."""
    found = limit(70)
    assert [(each.words, each.amount) for each in found.terms] == [
        ("10% of tangible net assets", 7_000),
        ("20% of working capital", 8_000),
        ("One month of turnover", None),
    ]
    assert found.amount == 5_600


def test_filed_turnover_is_a_term() -> None:
    assert limit(90, turnover=36_000).amount == 3_000


def test_the_limit_is_rounded_down_to_two_figures_and_capped_by_the_band() -> None:
    assert limit(90, tangible_net_assets=12_990, net_current_assets=40_000).amount == 1_200
    assert limit(90, tangible_net_assets=90_000_000, net_current_assets=90_000_000).amount == 500_000


def test_no_working_capital_is_a_limit_of_0_and_unknown_working_capital_is_not() -> None:
    assert limit(90, net_current_assets=-1).amount == 0
    assert limit(90, net_current_assets=None).amount == 7_000


def test_without_any_figure_there_is_no_limit_rather_than_0() -> None:
    assert limit(90, tangible_net_assets=None, net_current_assets=None).amount is None


@pytest.mark.parametrize("net_assets", [0, -5])
def test_a_company_without_net_assets_gets_0_with_the_reason(net_assets: int) -> None:
    found = limit(90, net_assets=net_assets)
    assert (found.amount, found.reason) == (0, "Net assets are not positive.")


@pytest.mark.parametrize(("months", "amount"), [(21.9, 7_000), (22.1, 0)])
def test_accounts_older_than_22_months_give_no_limit(months: float, amount: int) -> None:
    old = accounts(figures(**SOUND), end=DAY - dt.timedelta(days=round(months * 30.4375)))
    assert limit_of(band_of(90, TERMS), old, TERMS, DAY).amount == amount
    behind = msgspec.structs.replace(old, balance_sheet_date=DAY)
    assert limit_of(band_of(90, TERMS), behind, TERMS, DAY).amount == amount, "the age is that of the figures"


def test_band_e_gets_nothing_and_a_company_without_accounts_a_small_fixed_amount() -> None:
    assert limit(10).amount == 0
    assert limit_of(band_of(70, TERMS), None, TERMS, DAY).amount == 1_000


def test_accounts_in_another_currency_give_no_limit_in_pounds() -> None:
    foreign = accounts(figures(**SOUND), currency="EUR")
    assert limit_of(band_of(90, TERMS), foreign, TERMS, DAY).amount is None
