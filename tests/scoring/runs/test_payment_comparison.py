"""A slow payer stands beside all companies of its section that reported (docs/report.md)."""

import datetime as dt
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from credence.datasets.credit_data import CreditData
from credence.report.build.group import Group
from credence.report.build.report import build
from credence.report.render.compose import compose
from credence.scoring.runs.run import score_all
from tests.datasets.sources.acts import load
from tests.datasets.sources.hand_written import practice, practices
from tests.report.render.companies import CONTACT
from tests.scoring.runs.test_run import DAY_1
from tests.scoring.runs.test_run import load as load_companies

BUILDER, HAULIER, LENDER = "41100 - Building", "49410 - Freight by road", "64921 - Credit granting"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Twenty builders, the n-th of which pays after n days; a haulier after 95, a lender, which is not scored, after 90."""
    folder = tmp_path / "credit"
    builders: dict[str, Any] = {f"n{number:08}": {"SICCode_SicText_1": BUILDER} for number in range(1, 22)}
    others = {"n00000098": {"SICCode_SicText_1": HAULIER}, "n00000099": {"SICCode_SicText_1": LENDER}}
    load_companies(folder, **builders, **others)
    rows = [_reported(number, number, number * 2) for number in range(1, 21)]
    old = practice(
        **{"Report Id": "old", "Company number": "00000021", "End date": "2024-06-30", "Average time to pay": "200"}
    )
    load(
        "payment-practices",
        folder,
        practices(tmp_path / "p.csv", *rows, _reported(98, 95, 100), _reported(99, 90, 100), old),
    )
    score_all(folder, DAY_1)
    return folder


def _reported(number: int, days: int, late: int) -> dict[str, str]:
    return practice(
        **{
            "Report Id": str(number),
            "Company number": f"{number:08}",
            "Start date": "2026-01-01",
            "End date": "2026-06-30",
            "Filing date": "2026-07-20",
            "Average time to pay": str(days),
            "% Invoices not paid within agreed terms": str(late),
        }
    )


def test_it_is_compared_with_its_section_and_with_all_where_few_of_the_section_report(folder: Path) -> None:
    """Of 20 builders 18 pay sooner than the 19th, which counts half: 92%. The haulier is one of 22 of all sections."""
    with closing(CreditData(folder)) as data:
        builder, haulier, old = (data.company(number) for number in ("00000019", "00000098", "00000021"))
    assert builder
    assert haulier
    assert old
    made = build(builder, Group(), dt.date(2026, 11, 2))
    assert made.Assessment
    found = made.Assessment.PaymentComparison
    assert found
    assert (found.Among, found.Reporters, found.PercentThatPaySooner) == ("Construction", 20, 92)
    assert (found.AverageDaysToPay, found.MedianDaysToPay, found.MedianPercentNotWithinTerms) == (19, 10, 20)
    said = "Of 20 companies that reported (Construction), 92% pay sooner: "
    said += "it paid after 19 days, the median company after 10."
    assert said in str(compose(made, CONTACT))
    others = build(haulier, Group(), dt.date(2026, 11, 2)).Assessment
    assert others
    assert others.PaymentComparison
    assert (others.PaymentComparison.Among, others.PaymentComparison.Reporters) == ("all sections", 22)
    without = build(old, Group(), dt.date(2026, 11, 2)).Assessment
    assert without
    assert without.PaymentComparison is None
