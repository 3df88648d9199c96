"""The signs and invariants of filed accounts, on constructed documents and figures (credit §3.4).

The expected values are arithmetic; companies and amounts are invented.
"""

import pytest

from credence.companies.facts.accounts import Accounts, Figure, Method, Period
from credence.companies.invariants import INVARIANTS, OF_FILING, WORDS, contradictions
from credence.datasets.sources.accounts.filing import read_filing
from tests.datasets.accounts.filings import amount, context, duration, filing
from tests.report.hand_made import figures


def read(*body: str, contexts: str = "") -> Accounts:
    return read_filing(filing(*body, contexts=contexts), "document")


def newest(*body: str, contexts: str = "") -> Period:
    return read(*body, contexts=contexts).periods[0]


def value(figure: Figure | None) -> tuple[float, str, float | None] | None:
    return None if figure is None else (figure.value, figure.method.value, figure.filed)


def test_net_assets_of_the_wrong_sign_are_repaired_below_the_line_too() -> None:
    """Assets and subtotals filed as negative, and deferred income between: 900 + 1,600 - 700 - 60 = 1,740."""
    period = newest(
        amount("FixedAssets", -900),
        amount("CurrentAssets", -1600),
        amount("Creditors", 700, "creditors"),
        amount("NetCurrentAssetsLiabilities", -900),
        amount("TotalAssetsLessCurrentLiabilities", -1800),
        amount("DeferredIncome", 60),
        amount("NetAssetsLiabilities", -1740),
        amount("Equity", 1740),
    )
    assert value(period.figures.net_assets) == (1740, "repaired", -1740)
    assert value(period.figures.total_assets_less_current_liabilities) == (1800, "repaired", -1800)
    assert value(period.figures.accruals) == (60, "reported", None)
    assert value(period.figures.equity) == (1740, "reported", None)
    assert period.contradictions == ()


def test_net_assets_and_equity_of_opposite_signs_are_marked_where_nothing_tells_which_is_right() -> None:
    period = newest(amount("NetAssetsLiabilities", -1740), amount("Equity", 1740))
    assert period.contradictions == ("equity",)


@pytest.mark.parametrize("tag", ["DeferredIncome", "TaxationIncludingDeferredTaxationBalanceSheetSubtotal"])
@pytest.mark.parametrize(("net", "is_line"), [(1740, True), (1800, False)])
def test_a_tag_of_notes_is_a_line_only_if_the_balance_sheet_adds_up_with_it(tag: str, net: int, is_line: bool) -> None:
    period = newest(
        amount("TotalAssetsLessCurrentLiabilities", 1800), amount(tag, 60), amount("NetAssetsLiabilities", net)
    )
    assert bool(period.figures.accruals or period.figures.provisions) is is_line
    assert period.contradictions == ()


def test_net_current_assets_of_the_wrong_sign_are_repaired_by_the_net_assets() -> None:
    """A holding company: investments of 700 and debtors of 730 less creditors of 480 are the net assets of 950."""
    period = newest(
        amount("InvestmentsFixedAssets", 700),
        amount("Debtors", 730),
        amount("Creditors", 480, "creditors"),
        amount("NetCurrentAssetsLiabilities", -250),
        amount("NetAssetsLiabilities", 950),
    )
    assert value(period.figures.net_current_assets) == (250, "repaired", -250)
    assert value(period.figures.current_assets) == (730, "derived", None)


def test_net_current_liabilities_that_reach_the_net_assets_stay() -> None:
    period = newest(
        amount("InvestmentsFixedAssets", 700),
        amount("NetCurrentAssetsLiabilities", -250),
        amount("NetAssetsLiabilities", 450),
    )
    assert value(period.figures.net_current_assets) == (-250, "reported", None)


SHARE_CAPITAL = context("capital", (("EquityClassesDimension", "ShareCapital"),))
PREMIUM = context("premium", (("EquityClassesDimension", "SharePremium"),))


@pytest.mark.parametrize(("premium", "retained"), [(None, 900), (0, 900), (750, None)])
def test_retained_earnings_are_derived_only_without_another_class_of_equity(
    premium: int | None, retained: int | None
) -> None:
    """Of net assets of 1,000, share capital is 100: the rest is retained unless part of it is a share premium."""
    body = [amount("NetAssetsLiabilities", 1000), amount("Equity", 100, "capital")]
    body += [] if premium is None else [amount("Equity", premium, "premium")]
    period = newest(*body, contexts=SHARE_CAPITAL + PREMIUM)
    found = period.figures.retained_earnings
    assert (found and found.value) == retained
    assert found is None or found.method is Method.DERIVED


def test_figures_of_an_earlier_day_than_the_balance_sheet_are_marked() -> None:
    """The document is of 31 December 2025; every amount in it is tagged for September 2024."""
    (period,) = read(amount("CurrentAssets", 5, "old"), contexts=context("old", day="2024-09-30")).periods
    assert period.contradictions == ("dates",)


def test_years_that_overlap_are_marked() -> None:
    contexts = duration("year", "2024-12-01") + duration("last", "2024-01-01", "2024-12-31")
    profits = amount("ProfitLoss", 5, "year"), amount("ProfitLoss", 4, "last")
    assert [period.contradictions for period in read(*profits, contexts=contexts).periods] == [("dates",)] * 2


def test_years_that_follow_each_other_are_not() -> None:
    contexts = duration("year", "2025-01-01") + duration("last", "2024-01-01", "2024-12-31")
    profits = amount("ProfitLoss", 5, "year"), amount("ProfitLoss", 4, "last")
    assert [period.contradictions for period in read(*profits, contexts=contexts).periods] == [(), ()]


def test_figures_without_a_currency_are_marked() -> None:
    staff = '<ix:nonFraction name="core:AverageNumberEmployeesDuringPeriod" contextRef="year" unitRef="x">3</ix:nonFraction>'
    (period,) = read(staff, contexts=duration("year", "2025-01-01")).periods
    assert period.contradictions == ("currency",)


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("equity", {"net_assets": 100, "equity": 90}),
        ("current", {"current_assets": 100, "prepayments": 5, "creditors_within_year": 40, "net_current_assets": 60}),
        (
            "subtotal",
            {"fixed_assets": 50, "net_current_assets": 60, "total_assets_less_current_liabilities": 100},
        ),
        (
            "later",
            {
                "total_assets_less_current_liabilities": 100,
                "creditors_after_year": 30,
                "provisions": 5,
                "net_assets": 70,
            },
        ),
        ("result", {"profit_before_tax": 100, "tax": 20, "profit": 70}),
    ],
)
def test_each_invariant_fails_beyond_the_rounding_and_holds_within_it(code: str, lines: dict[str, float]) -> None:
    assert contradictions(figures(**lines), rounding=1) == (code,)
    assert contradictions(figures(**lines), rounding=10) == ()
    (invariant,) = (each for each in INVARIANTS if each.code == code)
    for name in lines.keys() - {"prepayments", "creditors_after_year", "provisions"}:
        without = {other: value for other, value in lines.items() if other != name}
        assert invariant.difference(figures(**without)) is None, f"unknown without {name}"


def test_every_invariant_has_its_words() -> None:
    assert WORDS.keys() == {each.code for each in INVARIANTS} | OF_FILING.keys()
