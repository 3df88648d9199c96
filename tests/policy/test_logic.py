"""The logic of rules: three values in any order of conditions, lists and bound elements, months, and shares of pounds."""

import datetime as dt
import itertools
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from credence.errors import InvalidInput
from credence.policy.logic import months_before
from credence.policy.policy import read_policy
from credence.report.schema.legal_notices import ChargeDetail, Mortgages
from credence.report.schema.report import LtdCompanyData
from tests.policy.test_decisions import a_report, decided
from tests.policy.test_policies import HEAD
from tests.report.hand_made import TODAY
from tests.sweeps import sweep

TRUE = '{ member = "/RegNumber", is = "00000001" }'
FALSE = '{ member = "/RegNumber", is = "00000002" }'
UNKNOWN = '{ member = "/ManagementInfo/NumDirs", above = 0 }'
VALUES = {TRUE: True, FALSE: False, UNKNOWN: None}


def outcome(conditions: tuple[str, ...], report: LtdCompanyData, **more: str) -> str:
    """Decline if the rule holds, refer if that is unknown, accept otherwise."""
    further = "".join(f'{name} = "{value}"\n' for name, value in more.items())
    text = f'[[rule]]\nid = "one"\noutcome = "decline"\nreason = "Because."\nunknown = "refer"\n{further}'
    return decided(f"{text}when = [{', '.join(conditions)}]\n", report, otherwise='"accept"').Outcome


@pytest.mark.parametrize("length", [1, 2, 3])
def test_any_order_of_conditions_decides_the_same_as_kleene_has_it(length: int) -> None:
    report = a_report()
    for conditions in itertools.product(VALUES, repeat=length):
        values = [VALUES[each] for each in conditions]
        expected = "accept" if False in values else "refer" if None in values else "decline"
        assert outcome(conditions, report) == expected


def charges(*found: tuple[str | None, dt.date | None]) -> LtdCompanyData:
    """A report with these charges: whether they are satisfied, and the day of creation."""
    details = tuple(
        ChargeDetail(ChargeNumber=str(place), FullySatisfiedIndicator=indicator, CreationDate=day)
        for place, (indicator, day) in enumerate(found)
    )
    return LtdCompanyData("00000001", Mortgages=Mortgages(MortgageDetail=details))


LIST = "/Mortgages/MortgageDetail/*"
OPEN = f'{{ member = "{LIST}/FullySatisfiedIndicator", is = "N" }}'
NEW = f'{{ member = "{LIST}/CreationDate", newer_than_months = 6 }}'
RECENT, OLD = TODAY - dt.timedelta(days=30), dt.date(2020, 1, 1)


@pytest.mark.parametrize(
    ("report", "free", "bound"),
    [
        (charges(("N", RECENT)), "decline", "decline"),
        (charges(("N", OLD), ("F", RECENT)), "decline", "accept"),
        (charges(("N", OLD), ("F", RECENT), ("N", RECENT)), "decline", "decline"),
        (charges(("F", RECENT), ("N", None)), "decline", "refer"),
        (charges(("F", None), ("N", OLD)), "refer", "accept"),
        (charges(("F", None)), "accept", "accept"),
        (charges(), "accept", "accept"),
        (LtdCompanyData("00000001"), "refer", "refer"),
    ],
)
def test_conditions_on_a_list_hold_for_any_elements_or_bound_for_one(
    report: LtdCompanyData, free: str, bound: str
) -> None:
    for conditions in itertools.permutations((OPEN, NEW)):
        assert outcome(conditions, report) == free
        assert outcome(conditions, report, of=LIST) == bound
        assert outcome((*conditions, FALSE), report, of=LIST) == "accept"


CHARGE = st.tuples(st.sampled_from(("N", "F", None)), st.sampled_from((RECENT, OLD, None)))


@sweep(60)
@given(found=st.lists(CHARGE, max_size=4), order=st.permutations((OPEN, NEW, UNKNOWN)), length=st.integers(1, 3))
def test_a_bound_rule_is_some_element_for_which_all_conditions_hold(
    found: list[Any], order: list[str], length: int
) -> None:
    conditions = tuple(order[:length])
    if not {OPEN, NEW} & set(conditions):
        return

    def of_element(indicator: str | None, day: dt.date | None) -> list[bool | None]:
        values = {OPEN: None if indicator is None else indicator == "N", NEW: None if day is None else day == RECENT}
        return [values[each] for each in conditions if each in values]

    def every(values: list[bool | None]) -> bool | None:
        return False if False in values else None if None in values else True

    elements = [every(of_element(*each)) for each in found]
    some = True if True in elements else None if None in elements else False
    expected = every([some, *([None] if UNKNOWN in conditions else [])])
    said = outcome(conditions, charges(*found), of=LIST)
    assert said == {True: "decline", None: "refer", False: "accept"}[expected]


@pytest.mark.parametrize(
    ("of", "says"),
    [
        ("/Mortgages/MortgageDetail", "ends in /*"),
        ("/Alerts/*", "No condition is about /Alerts/*"),
        ("/Mortgages/Nothing/*", "The report has no member /Mortgages/Nothing"),
    ],
)
def test_a_list_to_which_nothing_can_be_bound_is_refused(of: str, says: str) -> None:
    rule = f'[[rule]]\nid = "one"\noutcome = "refer"\nreason = "A reason."\nof = "{of}"\nwhen = [{OPEN}]\n'
    with pytest.raises(InvalidInput) as caught:
        read_policy((HEAD + rule).encode())
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("day", "months", "before"),
    [
        (dt.date(2026, 11, 22), 12, dt.date(2025, 11, 22)),
        (dt.date(2026, 3, 31), 1, dt.date(2026, 2, 28)),
        (dt.date(2024, 3, 31), 1, dt.date(2024, 2, 29)),
        (dt.date(2026, 1, 15), 13, dt.date(2024, 12, 15)),
        (dt.date(2026, 1, 15), 0, dt.date(2026, 1, 15)),
        (dt.date(2026, 1, 15), 30_000, dt.date.min),
    ],
)
def test_the_day_some_months_before_another_one(day: dt.date, months: int, before: dt.date) -> None:
    assert months_before(day, months) == before


def test_a_share_of_a_limit_is_a_decimal_of_whole_pounds() -> None:
    """0.57 of 10,000 is 5,700, of which floating point makes 5,699."""
    report = a_report()
    assert report.Assessment
    assert report.Assessment.Score
    for limit in (100, 10_000, 123_456):
        granted = replace(report.Assessment.Score.Limit, Amount=limit)
        score = replace(report.Assessment.Score, Limit=granted)
        limited = replace(report, Assessment=replace(report.Assessment, Score=score))
        for hundredths in range(101):
            share = Fraction(hundredths, 100)
            found = decided(f"[limit]\nshare = {hundredths / 100}\n" + RULE, limited, otherwise='"accept"')
            assert found.Limit == limit * share.numerator // share.denominator


RULE = f'[[rule]]\nid = "no"\noutcome = "decline"\nreason = "Because."\nwhen = [{FALSE}]\n'
