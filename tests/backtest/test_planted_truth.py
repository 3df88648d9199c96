"""What is planted in made-up registers is found, and nothing that came later, left or was somebody else's misleads."""

import csv
from pathlib import Path

import pytest

from credence.backtest.answer import Answer
from credence.backtest.outcomes import DISSOLVED, SURVIVED
from tests.backtest.planted import SOUND, accounts, drawn_area, measured, planted
from tests.datasets.snapshots import company

USEFUL = planted(0.8, 0.2)
"""An area of 0.80."""
USELESS = planted(0.4, 0.4)
"""An area of 0.50: who fails is chance."""


def assert_found(found: Answer, truth: float, area: float) -> None:
    """The truth lies in the interval, and the area is that of the companies that were drawn."""
    low, high = found.area.low, found.area.high
    assert low is not None
    assert high is not None
    assert low <= truth <= high
    assert high - low < 0.1
    assert found.area.auc == pytest.approx(area)


def test_a_planted_area_of_four_fifths_is_found(tmp_path: Path) -> None:
    found = measured(tmp_path, USEFUL)
    assert_found(found, 0.80, drawn_area(USEFUL))
    assert found.outcomes == {"compulsory liquidation": 150, SURVIVED: 1_050}


def test_failures_by_chance_give_a_half(tmp_path: Path) -> None:
    assert_found(measured(tmp_path, USELESS), 0.50, drawn_area(USELESS))


def test_failed_companies_that_have_left_the_register_count(tmp_path: Path) -> None:
    """Survivorship: the late ones of the failed companies are dissolved by the later snapshot, which shows the others."""
    found = measured(tmp_path, USEFUL, gone=lambda each: each.failed and each.late)
    assert_found(found, 0.80, drawn_area(USEFUL))


@pytest.mark.parametrize("product", ["Accounts_Bulk_Data-2026-05-02.zip", "Accounts_Monthly_Data-May2026.zip"])
def test_accounts_filed_later_are_not_known(product: str, tmp_path: Path) -> None:
    """All that failed file ruinous accounts the day after, or in that month: with them, the area would be nearly 1."""
    failed = [each.number for each in USELESS if each.failed]
    later = accounts(tmp_path / product, *failed)
    assert_found(measured(tmp_path / "world", USELESS, accounts=[later]), 0.50, drawn_area(USELESS))


def test_a_number_that_is_used_again_does_not_fail_for_its_first_company(tmp_path: Path) -> None:
    """Late companies that were dissolved gave their numbers to new ones, which are in liquidation by the later snapshot."""
    ended = [each for each in USELESS if each.late and not each.failed][:200]
    numbers = {each.number for each in ended}
    outcomes = tmp_path / "outcomes.csv"
    with outcomes.open("w", newline="") as stream:
        csv.writer(stream).writerows([("number", "outcome"), *((number, "strike-off") for number in numbers)])
    again = [
        company(number, **(SOUND | {"IncorporationDate": "01/07/2026", "CompanyStatus": "Liquidation"}))
        for number in sorted(numbers)
    ]
    resolved = measured(tmp_path / "resolved", USELESS, lambda each: each in ended, again, outcomes=[outcomes])
    assert resolved.outcomes == {"compulsory liquidation": 150, DISSOLVED: 200, SURVIVED: 850}
    open_ = measured(tmp_path / "open", USELESS, lambda each: each in ended, again)
    assert (open_.left.unresolved, open_.left.unknown_liquidations) == (200, 0)
    rest = drawn_area([each for each in USELESS if each not in ended])
    assert resolved.area.auc == open_.area.auc == pytest.approx(rest)
