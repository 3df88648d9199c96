"""The published models beside the score: formulas, zones, what is missing (credit §6).

The expected values are worked out by hand from the round figures of `FULL`; docs/published-models.md shows the steps.
"""

import datetime as dt
from typing import Any

import msgspec
import pytest

from credence.companies import durations
from credence.scoring.published.model import Model, ModelOutcome
from credence.scoring.published.models import (
    ALTMAN_Z_DOUBLE_PRIME,
    ALTMAN_Z_PRIME,
    MODELS,
    OHLSON,
    SPRINGATE,
    TAFFLER,
    WITHOUT_PROFIT,
    ZMIJEWSKI,
    evaluate_all,
)
from tests.scoring.companies import accounts, company, figures

FULL = {
    "total_assets": 100_000,
    "current_assets": 50_000,
    "stocks": 10_000,
    "creditors_within_year": 30_000,
    "net_current_assets": 20_000,
    "total_liabilities": 60_000,
    "net_assets": 40_000,
    "retained_earnings": 30_000,
    "turnover": 150_000,
    "operating_profit": 10_000,
    "profit_before_tax": 8_000,
    "depreciation": 4_000,
    "profit": 6_000,
}
PROFIT_AND_LOSS = ("turnover", "operating_profit", "profit_before_tax", "depreciation", "profit")


def outcomes(*, left_out: tuple[str, ...] = (), **changed: Any) -> dict[Model, ModelOutcome]:
    known = {name: amount for name, amount in {**FULL, **changed}.items() if name not in left_out}
    return {each.model: each for each in evaluate_all(company(accounts(figures(**known))))}


@pytest.mark.parametrize(
    ("model", "value", "zone"),
    [
        (ALTMAN_Z_DOUBLE_PRIME, 3.662, "safe"),
        (ALTMAN_Z_PRIME, 2.4852, "grey"),
        (TAFFLER, 6.094362, "not at risk"),
        (ZMIJEWSKI, -1.192713, "not at risk"),
        (SPRINGATE, 1.289, "not at risk"),
    ],
    ids=lambda each: each.name if isinstance(each, Model) else None,
)
def test_each_model_is_its_formula(model: Model, value: float, zone: str) -> None:
    outcome = outcomes()[model]
    assert outcome.value == pytest.approx(value, abs=1e-6)
    assert outcome.verdict is not None
    assert outcome.verdict.zone == zone


def test_zmijewskis_probability_is_that_of_the_normal_distribution() -> None:
    """A table of the normal distribution has 0.1165 for -1.1927."""
    verdict = outcomes()[ZMIJEWSKI].verdict
    assert verdict is not None
    assert verdict.probability == pytest.approx(0.1165, abs=0.0001)


@pytest.mark.parametrize(
    ("model", "changed", "zone"),
    [
        (ALTMAN_Z_DOUBLE_PRIME, {"operating_profit": -30_000}, "distress"),  # 3.662 - 6.72 x 0.4 = 0.974
        (ALTMAN_Z_DOUBLE_PRIME, {"operating_profit": -10_000}, "grey"),  # 3.662 - 6.72 x 0.2 = 2.318
        (ALTMAN_Z_PRIME, {"turnover": 20_000}, "distress"),  # 2.4852 - 0.998 x 1.3 = 1.1878
        (ALTMAN_Z_PRIME, {"turnover": 200_000}, "safe"),  # 2.4852 + 0.998 x 0.5 = 2.9842
        (TAFFLER, {"profit_before_tax": -20_000}, "at risk"),  # 12.18 x 2 / 3 = 8.12 less than nothing
        (ZMIJEWSKI, {"profit": -30_000}, "at risk"),  # -1.192713 + 4.513 x 0.36 = 0.431967
        (SPRINGATE, {"turnover": 40_000}, "at risk"),  # 1.289 - 0.4 x 1.1 = 0.849
    ],
)
def test_the_zones_are_the_authors(model: Model, changed: dict[str, Any], zone: str) -> None:
    verdict = outcomes(**changed)[model].verdict
    assert verdict is not None
    assert verdict.zone == zone


def test_zmijewski_gives_no_zone_where_the_disputed_sign_decides() -> None:
    """-4.336 + 5.679 x 0.763502 = -0.000072; 0.004 x 5 / 3 = 0.006667 above or below it."""
    verdict = outcomes(profit=0, total_liabilities=76_350.2)[ZMIJEWSKI].verdict
    assert verdict is not None
    assert verdict.zone == "undecided"


def test_a_profit_that_was_not_filed_is_missing_and_never_taken_for_zero() -> None:
    """credit §6: never impute a profit."""
    found = outcomes(left_out=PROFIT_AND_LOSS)
    for model in MODELS:
        assert found[model].value is None
        assert found[model].not_computable.startswith("Missing: ")
    assert found[ALTMAN_Z_DOUBLE_PRIME].not_computable == "Missing: profit before interest and tax."
    assert "sales" in found[SPRINGATE].not_computable


def test_without_a_profit_the_terms_of_the_balance_sheet_stand_as_a_partial_indicator_without_a_zone() -> None:
    """1.312 + 0.978 + 0.7 (credit §6)."""
    partial = outcomes(left_out=PROFIT_AND_LOSS)[WITHOUT_PROFIT]
    assert partial.value == pytest.approx(2.99)
    assert partial.verdict is not None
    assert partial.verdict.zone is None
    assert "Partial" in partial.model.name
    assert WITHOUT_PROFIT not in outcomes()


def test_operating_profit_may_be_told_by_profit_before_tax_and_interest() -> None:
    with_interest = outcomes(left_out=("operating_profit",), interest_payable=2_000)[ALTMAN_Z_DOUBLE_PRIME]
    assert with_interest.value == pytest.approx(3.662)
    without = outcomes(left_out=("operating_profit",))[ALTMAN_Z_DOUBLE_PRIME]
    assert without.value is None


def test_a_model_tells_the_lines_it_took_and_how_they_came_about() -> None:
    inputs = {each.words: (each.value, str(each.method)) for each in outcomes()[TAFFLER].inputs}
    assert inputs["profit before tax"] == (8_000, "reported")
    assert inputs["quick assets"] == (40_000, "derived")


def test_nothing_is_divided_by_zero() -> None:
    found = outcomes(total_liabilities=0, creditors_within_year=0, turnover=12_000)
    assert found[ALTMAN_Z_DOUBLE_PRIME].not_computable == "Missing: total liabilities above zero."
    assert "current liabilities above zero" in found[SPRINGATE].not_computable
    assert "costs of the year (sales less profit before tax and depreciation) above zero" in (
        found[TAFFLER].not_computable
    )


@pytest.mark.parametrize(
    ("start", "year"), [(dt.date(2025, 10, 1), 182), (dt.date(2025, 4, 1), 365), (dt.date(2024, 10, 1), 547)]
)
def test_the_flows_of_a_period_are_brought_to_a_year(start: dt.date, year: int) -> None:
    """A year's turnover, profit and depreciation in proportion to the days give the values of the year."""
    flows = {name: value for name, value in FULL.items() if name in durations.FLOWS}
    filed = accounts(figures(**FULL | {name: value * year / 365 for name, value in flows.items()}))
    period = msgspec.structs.replace(filed.periods[0], start=start)
    found = evaluate_all(company(msgspec.structs.replace(filed, periods=(period,))))
    assert [each.value for each in found] == pytest.approx(
        [each.value for each in evaluate_all(company(accounts(figures(**FULL))))]
    )


def test_the_flows_of_less_than_half_a_year_say_nothing_of_a_year() -> None:
    filed = accounts(figures(**FULL))
    short = msgspec.structs.replace(filed.periods[0], start=dt.date(2025, 10, 15))
    found = evaluate_all(company(msgspec.structs.replace(filed, periods=(short,))))
    assert [each.model for each in found if each.value is not None] == [WITHOUT_PROFIT]
    assert found[0].not_computable.endswith("a profit and loss account of at least 180 days.")


def test_ohlsons_score_is_shown_and_says_why_it_cannot_be_computed() -> None:
    outcome = outcomes()[OHLSON]
    assert outcome.value is None
    assert outcome.not_computable == (
        "Missing: funds from operations, total assets in US dollars at the prices of 1968."
    )


@pytest.mark.parametrize(
    ("changes", "words"),
    [({"dormant": True}, "dormant"), ({"dormant": False}, "")],
)
def test_a_balance_sheet_that_says_nothing_gets_no_model(changes: dict[str, Any], words: str) -> None:
    """credit §6, missing inputs."""
    found = evaluate_all(company(accounts(figures(**FULL), **changes)))
    assert all(words in each.not_computable for each in found)
    assert (found[0].value is None) is bool(words)


def test_without_accounts_there_is_no_model() -> None:
    assert evaluate_all(company()) == ()
