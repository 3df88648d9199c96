"""What related parties owe, in the report: figures without it beside the filed ones, and the days of trade debtors."""

import datetime as dt
from typing import Any

from credence.blocks.values import Table
from credence.report.build.group import Group
from credence.report.build.report import build
from credence.report.render.compose import compose
from tests.report.hand_made import ENTRY, THIS_YEAR, TODAY, company, filing, period, report_on
from tests.report.render.companies import CONTACT

YEAR = (dt.date(2025, 12, 31), dt.date(2025, 1, 1))


def with_notes(**amounts: float) -> Any:
    return company(register=ENTRY, accounts=(filing(period(*YEAR, **{**THIS_YEAR, **amounts})),))


def test_working_capital_and_net_assets_without_related_parties_stand_beside_the_filed_ones() -> None:
    """Of 600 and 800, without 250."""
    (year,) = report_on(with_notes(owed_by_group=250))["Assessment"]["AccountsFigures"]
    found = {each["Figure"]: each for each in year["Figures"]}
    assert found["Net current assets without related parties"]["Value"] == 350
    assert found["Net assets without related parties"]["Value"] == 550
    assert found["Net assets without related parties"]["Method"] == "derived"
    page = compose(build(with_notes(owed_by_group=250), Group(), TODAY), CONTACT)
    rows = [row for each in page.sections for block in each.blocks if isinstance(block, Table) for row in block.rows]
    assert ("Net current assets without related parties", "350") in [(row[0], str(row[1]).split()[0]) for row in rows]


def test_without_amounts_of_related_parties_no_figure_is_left_out() -> None:
    (year,) = report_on(with_notes())["Assessment"]["AccountsFigures"]
    assert not [each for each in year["Figures"] if "without" in each["Figure"]]


def test_the_credit_period_is_that_of_trade_debtors_where_they_are_filed() -> None:
    """Debtors of 300 and trade debtors of 100, over a turnover of 3,650 in 365 days."""
    (all_debtors,) = report_on(with_notes())["Financials"]["Ratios"]
    (trade,) = report_on(with_notes(trade_debtors=100))["Financials"]["Ratios"]
    assert (all_debtors["CreditPeriod"], trade["CreditPeriod"]) == (30, 10)
