"""`GROUP-WEAKER`: a group that is weaker than the company (D34)."""

import datetime as dt

from credence.companies.facts.accounts import Period
from credence.companies.facts.company import Company
from credence.scoring.reservations.table import Reservation
from credence.scoring.score import Score, score_company
from tests.scoring.companies import DAY, SOUND, accounts, company, figures


def scored(subject: Company) -> Score:
    found = score_company(subject, DAY).score
    assert found is not None
    return found


def weakness(subject: Company) -> Reservation | None:
    return next((each for each in scored(subject).reservations if each.code == "GROUP-WEAKER"), None)


def grouped(**changes: float | None) -> Company:
    """A sound company in accounts with these figures of its group."""
    of_group = Period(dt.date(2026, 3, 31), None, figures(**{**SOUND, **changes}), balanced=True)
    return company(accounts(figures(**SOUND), group_periods=(of_group,)))


def test_a_group_that_owes_more_than_it_has_holds_the_company_down() -> None:
    """D34; the ceiling of net liabilities up to 0.33 of assets."""
    subject = grouped(net_assets=-23_844_000)
    weak = weakness(subject)
    assert weak is not None
    assert (weak.words, weak.amount) == ("its group has net liabilities of £23.8 million", 23_844_000)
    assert (scored(subject).score, scored(subject).limit.amount) == (45, 0)


def test_a_group_is_not_said_to_be_weaker_than_a_company_that_owes_even_more() -> None:
    of_group = Period(dt.date(2026, 3, 31), None, figures(net_assets=-5_000), balanced=True)
    owing = figures(**{**SOUND, "net_assets": -7_000, "tangible_net_assets": -7_000})
    weak = weakness(company(accounts(owing, group_periods=(of_group,))))
    assert weak is not None
    assert weak.sentence == "On 31 March 2026 the group's liabilities exceeded its assets by £5,000."


def test_a_group_that_is_only_weaker_lowers_the_limit_to_that_of_the_group() -> None:
    subject = grouped(net_current_assets=5_000)
    weak = weakness(subject)
    assert weak is not None
    assert (weak.words, weak.at_most, scored(subject).limit.amount) == ("the group is weaker", None, 800)


def test_a_group_that_loses_money_and_cannot_cover_its_creditors_holds_the_company_down() -> None:
    """D34; the ceiling of a company in that state."""
    subject = grouped(net_current_assets=-4_036_000, profit_before_tax=-4_346_000)
    weak = weakness(subject)
    assert weak is not None
    assert (weak.words, weak.amount) == ("its group has a loss of £4.35 million and net current liabilities", 4_346_000)
    assert (scored(subject).score, scored(subject).limit.amount) == (41, 0)


def test_a_group_with_a_loss_that_covers_its_creditors_is_only_weaker() -> None:
    weak = weakness(grouped(net_current_assets=1, profit=-4_000))
    assert weak is not None
    assert weak.at_most is None
