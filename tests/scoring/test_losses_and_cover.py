"""Reservations about losses, and about debts that assets do not cover or cover barely (docs/judgement.md)."""

import pytest

from tests.scoring.test_reservations import codes, found, scored, with_figures


@pytest.mark.parametrize(
    ("changes", "words", "left"),
    [
        ({"profit_before_tax": -5_000}, "a loss of £5,000", 4_400),
        ({"profit_before_tax": -680_000, "profit": 6_000}, "a loss of £680,000", None),
        ({"profit": -2_881_000}, "a loss of £2.88 million", None),
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
