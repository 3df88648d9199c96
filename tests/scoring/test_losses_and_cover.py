"""Reservations about losses, and about debts that assets do not cover or cover barely (docs/judgement.md)."""

import datetime as dt

import msgspec
import pytest

from tests.scoring.companies import SOUND, accounts, company, figures
from tests.scoring.test_reservations import codes, found, scored, with_figures


@pytest.mark.parametrize(
    ("changes", "words", "left"),
    [
        ({"profit_before_tax": -5_000}, "a loss of £5,000", 4_400),
        ({"profit_before_tax": -680_000, "profit": 6_000, "tangible_net_assets": 9e6}, "a loss of £680,000", None),
        ({"profit": -2_881_000, "tangible_net_assets": 9e6}, "a loss of £2.88 million", None),
    ],
)
def test_a_loss_is_named_with_its_amount_and_lowers_the_limit(
    changes: dict[str, float], words: str, left: int | None
) -> None:
    """5,600 x 0.8 = 4,480."""
    subject = with_figures(**changes)
    loss = found(subject, "LOSS")
    assert loss is not None
    assert (loss.words, loss.at_most) == (words, None)
    assert left is None or scored(subject).limit.amount == left


def test_two_losses_are_both_named_and_lower_the_limit_more() -> None:
    """5,600 x 0.6 = 3,360."""
    subject = with_figures({"profit": -3_000, "net_assets": 60_000}, profit=-5_000)
    loss = found(subject, "LOSS")
    assert loss is not None
    assert loss.words == "losses of £5,000 and, in the period before, £3,000"
    assert scored(subject).limit.amount == 3_300


@pytest.mark.parametrize(
    ("loss", "at_most", "left"),
    [(35_001, 37, 0), (35_000, 45, 270), (23_334, 45, 270), (23_333, None, 4_400)],
)
def test_a_loss_that_three_years_of_would_use_up_what_is_left_holds_score_and_limit(
    loss: int, at_most: int | None, left: int
) -> None:
    """70,000 do not last two more years of 35,001, nor three of 23,334; ceilings from the model card.

    In band D the limit is 20% of 7,000, less 20% for the unknown turnover: 1,120, as two figures 1,100; a quarter is 275.
    """
    subject = with_figures(profit_before_tax=-loss, profit=-loss)
    said = found(subject, "LOSS")
    assert said is not None
    assert (said.at_most, scored(subject).limit.amount) == (at_most, left)


def test_a_loss_is_named_with_the_one_before_and_what_it_left() -> None:
    said = found(with_figures({"profit": -30_000, "net_assets": 110_000}, profit=-40_000), "LOSS")
    assert said is not None
    assert said.words == (
        "losses of £40,000 and, in the period before, £30,000 that would use up its tangible net assets within two years"
    )
    assert said.sentence == (
        "The loss for the period to 31 March 2026 was £40,000, after one of £30,000 in the period before. "
        "It left tangible net assets of £70,000, not enough for two more such years."
    )


@pytest.mark.parametrize(
    ("changes", "at_most"),
    [
        ({"tangible_net_assets": 20_000}, 37),
        ({"tangible_net_assets": None}, None),
        ({"tangible_net_assets": -1, "net_assets": 10_000}, 37),
    ],
)
def test_goodwill_does_not_outlast_a_loss_and_net_assets_count_where_tangible_ones_are_unknown(
    changes: dict[str, float | None], at_most: int | None
) -> None:
    said = found(with_figures(**{"profit": -15_000, **changes}), "LOSS")
    assert said is not None
    assert said.at_most == at_most
    assert said.sentence.endswith("It left no tangible net assets.") is (changes["tangible_net_assets"] == -1)


@pytest.mark.parametrize(("start", "at_most"), [(dt.date(2024, 10, 1), None), (dt.date(2025, 4, 1), 45)])
def test_the_loss_of_eighteen_months_counts_as_that_of_a_year(start: dt.date, at_most: int | None) -> None:
    """24,000 in 547 days are 16,015 in a year, of which 70,000 last more than four years."""
    filing = accounts(figures(**SOUND, profit=-24_000))
    (period,) = filing.periods
    said = found(
        company(msgspec.structs.replace(filing, periods=(msgspec.structs.replace(period, start=start),))), "LOSS"
    )
    assert said is not None
    assert said.at_most == at_most


def test_net_assets_that_last_exactly_three_more_years_are_not_used_up_within_them() -> None:
    """30,000 are a third of 90,000."""
    said = found(with_figures(profit=-30_000, tangible_net_assets=90_000), "LOSS")
    assert said is not None
    assert said.at_most is None


def test_the_loss_of_seven_months_is_named_with_that_of_a_year_which_is_compared() -> None:
    """22,000 x 365 / 212 days = 37,877, of which 70,000 do not last two years; of 22,000 they would last three."""
    filing = accounts(figures(**SOUND, profit=-22_000))
    (period,) = filing.periods
    short = msgspec.structs.replace(period, start=dt.date(2025, 9, 1))
    said = found(company(msgspec.structs.replace(filing, periods=(short,))), "LOSS")
    assert said is not None
    assert said.words == "a loss of £22,000 (£37,877 a year) that would use up its tangible net assets within two years"
    assert said.sentence.startswith("The loss for the period to 31 March 2026 was £22,000 (£37,877 a year). It left")


def test_a_loss_of_a_company_that_cannot_cover_its_creditors_holds_the_score() -> None:
    subject = with_figures(profit=-5_000, net_current_assets=-1)
    assert codes(subject) == ["LOSS", "NO-COVER"]
    assert (scored(subject).score, scored(subject).limit.amount) == (41, 0)


@pytest.mark.parametrize(("result", "at_most"), [(1, 56), (0, 56), (None, 50), (-1, 50)])
def test_creditors_that_current_assets_do_not_cover_forbid_a_limit(result: int | None, at_most: int) -> None:
    """Model card, ceilings: with a profit, and without knowing the result; an uncovered loss has a lower one of its own."""
    subject = with_figures(net_current_assets=-7_000, profit=result)
    short = found(subject, "NO-COVER")
    assert short is not None
    assert (short.amount, short.words) == (7_000, "net current liabilities of £7,000")
    assert (short.at_most, scored(subject).limit.amount) == (at_most, 0)


def test_a_company_with_net_current_liabilities_that_earns_what_it_owes_may_have_a_limit() -> None:
    """A retailer is paid before it pays: 100,000 of assets, 70,000 of net assets, a profit of 5,000 and one of 4,999.

    20% of 5,000 is 1,000, the least term; band B gives 80% of it, the unknown turnover takes 20% and the reservation half.
    """
    earning = with_figures(net_current_assets=-7_000, profit_before_tax=5_000, profit=5_000)
    short = found(earning, "NO-COVER")
    assert short is not None
    assert short.at_most == 74
    assert (scored(earning).band.band, scored(earning).limit.amount) == ("B", 320)
    less = with_figures(net_current_assets=-7_000, profit_before_tax=4_999, profit=4_999)
    assert (scored(less).score <= 56, scored(less).limit.amount) == (True, 0)
    thin = with_figures(net_current_assets=-7_000, profit_before_tax=5_000, profit=5_000, net_assets=19_999)
    assert (scored(thin).score <= 56, scored(thin).limit.amount) == (True, 0)


THIN_SHEET: dict[str, float | None] = {
    "creditors_within_year": 52_000, "net_current_assets": 8_000, "net_assets": 19_000, "tangible_net_assets": 19_000,
}  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "thin"),
    [
        ({}, True),
        ({"net_assets": 20_000}, False),
        ({"net_assets": -1}, False),
        ({"creditors_within_year": 50_000, "net_current_assets": 10_000}, False),
        ({"creditors_within_year": 60_001, "net_current_assets": -1}, False),
    ],
)
def test_debts_that_are_barely_covered_hold_the_score(changes: dict[str, float | None], thin: bool) -> None:
    """Net assets below 20,000 of 100,000, and current assets of 60,000 below 120 % of creditors; model card, ceilings."""
    subject = with_figures(**{**THIN_SHEET, **changes})
    barely = found(subject, "THIN")
    assert (barely is not None) is thin
    if barely:
        assert barely.sentence == (
            "On 31 March 2026 net assets were 19% of total assets, "
            "and current assets were 115% of what was due within one year."
        )
        assert (barely.at_most, scored(subject).score) == (53, 53)


@pytest.mark.parametrize(
    ("changes", "at_most", "left"),
    [
        ({"net_assets": 20_000}, 51, 800),
        ({"net_assets": 19_999}, 34, 0),
        ({"debtors": 1_000, "stocks": 49_000, "net_assets": 20_000}, None, None),
        ({"creditors_within_year": 60_001, "net_current_assets": -1, "net_assets": 20_000}, None, None),
    ],
)
def test_debts_that_are_covered_by_stocks_alone_hold_the_score(
    changes: dict[str, float], at_most: int | None, left: int | None
) -> None:
    """Current assets of 60,000, of them stocks of 50,001, against 40,000 due; model card, ceilings.

    In band C half of 4,000, which is 20% of working capital, less 20% for the unknown turnover is 1,600; half of it remains.
    """
    sheet = {
        "stocks": 50_001,
        "debtors": 0,
        "cash": 9_999,
        "creditors_within_year": 40_000,
        "net_current_assets": 20_000,
    }
    subject = with_figures(**{**sheet, **changes})
    waiting = found(subject, "STOCKS")
    assert (waiting and waiting.at_most) == at_most
    if waiting:
        assert waiting.words == "without stocks its current assets are 25% of what is due within one year"
        assert (scored(subject).score, scored(subject).limit.amount) == (at_most, left)


@pytest.mark.parametrize(
    ("changes", "at_most"),
    [
        ({}, 34),
        ({"stocks": None, "debtors": 5_000}, None),
        ({"total_assets": None}, 51),
    ],
)
def test_unknown_stocks_are_not_taken_for_all_that_is_left_nor_unknown_net_assets_for_thin_ones(
    changes: dict[str, float | None], at_most: int | None
) -> None:
    """Of 60,000 of current assets 45,001 that are neither debtors nor cash may be investments as well as stocks."""
    sheet = {"stocks": 50_001, "debtors": 0, "cash": 9_999, "creditors_within_year": 40_000, "net_assets": 19_999}
    subject = with_figures(**{**sheet, "net_current_assets": 20_000, **changes})
    waiting = found(subject, "STOCKS")
    assert (waiting and waiting.at_most) == at_most
