"""Ratios and changes: each by its definition in docs/report.md, and none where it has no meaning."""

import datetime as dt
from typing import Any

import pytest

from credence.blocks.values import Table
from credence.companies.facts.accounts import Figure, Figures, Method
from credence.report.build.formulas import owed_to_hmrc
from credence.report.build.percentage_change import change
from credence.report.render.sections.accounts import ratios_sections
from tests.judgement.filers import filers
from tests.report.hand_made import LAST_YEAR, THIS_YEAR, WHOLE, YEAR_2024, YEAR_2025, company, filing, period, report_on
from tests.report.render.companies import report

END_2025 = dt.date(2025, 12, 31)


def financials_of(*filings: Any) -> dict[str, Any]:
    """The member Financials of a company with these filings."""
    found: dict[str, Any] = report_on(company(accounts=filings))["Financials"]
    return found


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CurrentRatio", 2.5),  # 1,000 / 400
        ("AcidTest", 2.0),  # (1,000 - 200) / 400
        ("StockTurnover", 18.25),  # 3,650 / 200
        ("CreditPeriod", 30.0),  # 300 / 3,650 x 365
        ("WorkingCapSales", 16.44),  # 600 / 3,650 = 0.16438
        ("ReturnOnCapital", 18.18),  # 200 / 1,100 = 0.18182
        ("ReturnOnAssets", 13.33),  # 200 / 1,500 = 0.13333
        ("PreTaxProfitMargin", 5.48),  # 200 / 3,650 = 0.05479
        ("ReturnOnShareholdersFunds", 25.0),  # 200 / 800
        ("EquityGearing", 53.33),  # 800 / 1,500 = 0.53333
        ("DebtGearing", 31.25),  # 250 / 800
        ("InterestCover", 11.0),  # 220 / 20
        ("SalesTangAssets", 9.12),  # 3,650 / 400 = 9.125, to the even digit
        ("ProfitPerEmp", 40.0),  # 200 / 5
        ("TurnoverPerEmp", 730.0),  # 3,650 / 5
        ("CapEmployedPerEmp", 220.0),  # 1,100 / 5
        ("TangAssetsPerEmp", 80.0),  # 400 / 5
        ("TotAssetsPerEmp", 300.0),  # 1,500 / 5
        ("NumEmployees", 5),
    ],
)
def test_each_ratio_follows_its_definition(name: str, value: float) -> None:
    assert report_on(WHOLE)["Financials"]["Ratios"][0][name] == value


@pytest.mark.parametrize(
    ("number", "days"), [("00045611", 305), ("00541560", 110), ("09707484", 109), ("04415655", 87)]
)
def test_suppliers_wait_as_long_as_trade_creditors_are_days_of_the_cost_of_sales(number: str, days: int) -> None:
    """Trade creditors / cost of sales x 365 of four filings."""
    (subject,) = (each for each in filers() if each.filing.company == number)
    newest = subject.report().Assessment.AccountsFigures[0]  # type: ignore[union-attr]  # every report here has one
    assert newest.CreditorDays is not None
    assert round(newest.CreditorDays) == days


def test_trade_creditors_are_compared_with_trade_debtors() -> None:
    this_year = THIS_YEAR | {"trade_creditors": 150, "trade_debtors": 300}
    (found,) = financials_of(filing(period(END_2025, dt.date(2025, 1, 1), **this_year)))["Ratios"]
    assert found["TradeCredrsDebtrs"] == 0.5


def test_borrowings_and_pay_are_compared_where_notes_give_them() -> None:
    """300 of 1,000 tangible net assets; 500 for 5 employees and of a turnover of 3,650."""
    more = {"borrowings": 300, "tangible_net_assets": 1_000, "staff_costs": 500, "directors_pay": 90}
    (found,) = financials_of(filing(period(END_2025, dt.date(2025, 1, 1), **(THIS_YEAR | more))))["Ratios"]
    assert (found["BorrowingRatio"], found["AvgRemPerEmp"], found["EmpRemunerationSales"]) == (30.0, 100.0, 13.7)
    assert (found["EmpRemuneration"], found["DirRemuneration"]) == (500, 90)


@pytest.mark.parametrize(
    ("owed", "tag", "all_of_it"),
    [
        ({"corporation_tax_owed": 40, "taxes_owed": 60}, "OtherTaxationSocialSecurityPayable", 100),
        ({"corporation_tax_owed": 40, "taxes_owed": 60}, "TaxationSocialSecurityPayable", 60),
        ({"taxes_owed": 60}, "TaxationSocialSecurityPayable", 60),
        ({"corporation_tax_owed": 40}, "", 40),
        ({}, "", None),
    ],
    ids=["apart", "one amount has both", "one amount", "corporation tax alone", "none"],
)
def test_what_is_owed_to_hmrc_is_in_the_figures_of_the_year(
    owed: dict[str, int], tag: str, all_of_it: int | None
) -> None:
    figures = Figures(**{name: Figure(value, Method.REPORTED, tag) for name, value in owed.items()})
    assert owed_to_hmrc(figures) == all_of_it


def test_a_period_that_is_no_year_is_marked_with_its_length() -> None:
    long_first = report(company(accounts=(filing(period(END_2025, dt.date(2024, 7, 1), **THIS_YEAR)),)))
    heads = [block.columns for each in ratios_sections(long_first) for block in each.blocks if isinstance(block, Table)]
    assert heads == [("Year to", "31.12.2025, 549 days")]


@pytest.mark.parametrize(
    ("absent", "ratios"),
    [
        ("creditors_within_year", {"CurrentRatio", "AcidTest"}),
        ("stocks", {"AcidTest", "StockTurnover"}),
        ("turnover", {"CreditPeriod", "PreTaxProfitMargin", "SalesTangAssets", "TurnoverPerEmp"}),
        ("employees", {"ProfitPerEmp", "NumEmployees"}),
        ("interest_payable", {"InterestCover"}),
    ],
)
def test_without_an_input_there_is_no_ratio(absent: str, ratios: set[str]) -> None:
    known = {name: value for name, value in THIS_YEAR.items() if name != absent}
    (found,) = financials_of(filing(period(END_2025, dt.date(2025, 1, 1), **known)))["Ratios"]
    assert not ratios & set(found)


@pytest.mark.parametrize(
    ("name", "value", "ratio"),
    [
        ("creditors_within_year", 0, "CurrentRatio"),
        ("employees", 0, "ProfitPerEmp"),
        ("equity", -800, "ReturnOnShareholdersFunds"),
        ("equity", -800, "DebtGearing"),
        ("total_assets_less_current_liabilities", -1, "ReturnOnCapital"),
    ],
)
def test_a_denominator_of_zero_or_less_gives_no_ratio(name: str, value: int, ratio: str) -> None:
    (found,) = financials_of(filing(period(END_2025, dt.date(2025, 1, 1), **THIS_YEAR | {name: value})))["Ratios"]
    assert ratio not in found


def test_without_any_ratio_there_is_no_entry() -> None:
    assert "Ratios" not in financials_of(filing(period(END_2025, cash=5)))


@pytest.mark.parametrize(
    ("new", "old", "per_cent"),
    [
        (125, 100, 25.0),
        (80, 100, -20.0),
        (0, 100, -100.0),
        (-50, -100, 50.0),
        (-150, -100, -50.0),
        (100, 0, None),
        (0, 0, None),
        (-50, 100, None),
        (50, -100, None),
        (None, 100, None),
        (100, None, None),
    ],
)
def test_a_change_is_in_per_cent_of_the_older_amount_if_defined(
    new: int | None, old: int | None, per_cent: float | None
) -> None:
    assert change(new, old) == per_cent


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PercentChangeNumEmployees", 25.0),  # 4 to 5
        ("PercentChangeGrossAsset", 25.0),  # 1,200 to 1,500
        ("PercentChangeNetWorth", 29.63),  # 540 to 700: 160 / 540
        ("PercentChangeCurrentLiabilities", -20.0),  # 500 to 400
        ("PercentChangeWorkingCapital", 100.0),  # 300 to 600
        ("PercentChangeCapitalEmployed", 57.14),  # 700 to 1,100
        ("PercentChangeIssuedCapital", 0.0),
        ("PercentChangeTotalTurnover", 25.0),  # 2,920 to 3,650
        ("PercentChangeCurrentRatio", 56.25),  # 1.6 to 2.5
        ("PercentChangeDebtGearing", 233.33),  # 60 / 640 = 0.09375 to 0.3125
    ],
)
def test_the_newest_year_is_compared_with_the_one_before(name: str, value: float) -> None:
    assert report_on(WHOLE)["Financials"]["PercentageChange"][name] == value


def test_a_profit_after_a_loss_has_no_percentage() -> None:
    """-50 to 200."""
    assert "PercentChangePreTaxProfitLoss" not in report_on(WHOLE)["Financials"]["PercentageChange"]


def test_flows_of_years_of_different_length_are_not_compared() -> None:
    half = period(YEAR_2024.end, dt.date(2024, 7, 1), **LAST_YEAR)
    found = financials_of(filing(YEAR_2025, half))["PercentageChange"]
    assert "PercentChangeTotalTurnover" not in found
    assert "PercentChangeTurnoverPerEmp" not in found
    assert found["PercentChangeNetAssets"] == 25.0


def test_years_with_a_gap_between_them_are_not_compared() -> None:
    old = period(dt.date(2023, 12, 31), **LAST_YEAR)
    assert "PercentageChange" not in financials_of(filing(YEAR_2025), filing(old))


def test_pounds_are_not_compared_with_euros() -> None:
    assert "PercentageChange" not in financials_of(filing(YEAR_2025), filing(YEAR_2024, currency="EUR"))
