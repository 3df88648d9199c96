"""`RELATED-DEBTORS` and `MEMBERS-DEBTS`: figures without what related parties and members owe or are owed."""

import msgspec
import pytest

from credence.companies.facts.company import Company
from credence.companies.related import owed_by_related_parties, stressed
from credence.scoring.reservations.table import Reservation
from credence.scoring.score import Score, score_company
from tests.scoring.companies import DAY, SOUND, accounts, company, figures

CODES = ("RELATED-DEBTORS", "MEMBERS-DEBTS")


def owed(**changes: float | None) -> Company:
    return company(accounts(figures(**{**SOUND, **changes})))


def partnership(**changes: float | None) -> Company:
    return msgspec.structs.replace(owed(**changes), number="OC123456")


def judged(subject: Company) -> tuple[Reservation | None, Score]:
    score = score_company(subject, DAY).score
    assert score is not None
    return next((each for each in score.reservations if each.code in CODES), None), score


def test_the_larger_of_all_related_parties_and_of_those_named_counts_up_to_the_debtors() -> None:
    named = {"owed_by_group": 5, "owed_by_directors": 3, "owed_by_participating_interests": 2}
    assert owed_by_related_parties(figures(**named)) == 10
    assert owed_by_related_parties(figures(**named, owed_by_related_parties=12)) == 12
    assert owed_by_related_parties(figures(**named, owed_by_related_parties=9, debtors=8)) == 8
    assert owed_by_related_parties(figures(debtors=-8, owed_by_group=5)) == 0
    assert stressed(figures(**SOUND)) is None


@pytest.mark.parametrize(
    ("by_group", "limit"),
    [(0, 5_600), (5_000, 5_200), (10_000, 4_800), (30_000, 1_600)],
)
def test_the_limit_is_that_of_the_figures_without_what_related_parties_owe(by_group: int, limit: int) -> None:
    """0.8, as turnover is unknown, of 10 % of net assets of 70,000 or 20 % of working capital of 40,000, both less it.

    5,000: 6,500 x 0.8. 10,000: 6,000 x 0.8. 30,000: 20 % of 10,000, x 0.8.
    """
    assert judged(owed(owed_by_group=by_group))[1].limit.amount == limit


@pytest.mark.parametrize(("by_group", "named"), [(15_000, False), (15_001, True)])
def test_more_than_a_quarter_of_current_assets_is_named(by_group: int, named: bool) -> None:
    """Current assets are 60,000."""
    found, _ = judged(owed(owed_by_group=by_group))
    assert (found.words if found else None) == ("related parties owe it £15,001" if named else None)


@pytest.mark.parametrize(("current", "left"), [(30_000, False), (29_999, True)])
def test_no_limit_rests_on_what_related_parties_owe(current: int, left: bool) -> None:
    """As 01873499: 2.66 of 5.10 million debtors are owed by the group, without which working capital is -0.89 million."""
    found, score = judged(owed(net_current_assets=current, owed_by_group=30_000))
    assert found is not None
    assert ("without which it has net current liabilities" in found.words) is left
    assert score.limit.amount == 0
    assert not left or found.sentence.endswith("exceeded current assets by £1.")


def test_what_is_owed_to_members_is_not_said_to_be_owed_by_related_parties() -> None:
    """Without 30,000 owed by the group, 10,000 of working capital remain, and less than the 60,000 owed to the members."""
    found, score = judged(partnership(owed_by_group=30_000, owed_to_members=60_000, net_assets=95_000))
    assert found is not None
    assert found.words == "related parties owe it £30,000"
    assert [each.words for each in score.limit.terms][:1] == [
        "10% of tangible net assets without amounts owed by related parties or to members"
    ]


@pytest.mark.parametrize(("net", "score"), [(30_000, None), (29_999, 64)])
def test_risk_is_not_low_where_solvency_rests_on_related_parties(net: int, score: int | None) -> None:
    found, _ = judged(owed(net_assets=net, tangible_net_assets=net, owed_by_group=30_000))
    assert found is not None
    assert found.at_most == score


def test_what_a_partnership_owes_to_all_its_members_is_no_equity() -> None:
    """As OC438238, whose members' interest of 155,318 is a debt."""
    found, score = judged(partnership(owed_to_members=70_000))
    assert found is not None
    assert (found.words, score.limit.amount, score.band.band) == (
        "all of its net assets are owed to its members",
        0,
        "C",
    )


@pytest.mark.parametrize(("to_members", "limit"), [(0, 5_600), (10_000, 4_800), (None, 2_800)])
def test_the_net_assets_of_a_partnership_count_without_what_it_owes_to_members(
    to_members: int | None, limit: int
) -> None:
    """10 % of 60,000, x 0.8; half where the filing does not tell them apart."""
    assert judged(partnership(owed_to_members=to_members))[1].limit.amount == limit
