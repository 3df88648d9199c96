"""Repair and derivation by the identities of a balance sheet (credit §3.4)."""

import datetime as dt

from hypothesis import given
from hypothesis import strategies as st

from credence.companies.facts.accounts import Figure, Figures, Method, Period
from credence.datasets.sources.accounts.filing import complete
from credence.datasets.sources.accounts.periods import Column
from credence.datasets.sources.accounts.repair import is_balanced, repair

LINES = (
    "fixed_assets",
    "current_assets",
    "prepayments",
    "creditors_within_year",
    "net_current_assets",
    "total_assets_less_current_liabilities",
    "creditors_after_year",
    "provisions",
    "net_assets",
    "equity",
    "dividends",
    "employees",
)
amounts = st.integers(-1000, 1000)
columns = st.dictionaries(st.sampled_from(LINES), amounts, max_size=len(LINES))


def figures(**values: int) -> dict[str, Figure]:
    return {name: Figure(value, Method.REPORTED, name) for name, value in values.items()}


def completed(**values: int) -> Period:
    return complete(Column(dt.date(2025, 12, 31), None, figures(**values), 1))


def values(found: Figures) -> dict[str, tuple[float, str]]:
    named = {name: getattr(found, name) for name in found.__struct_fields__}
    return {name: (figure.value, figure.method.value) for name, figure in named.items() if figure is not None}


def test_what_a_balance_sheet_leaves_out_is_derived() -> None:
    found = values(completed(current_assets=100, net_current_assets=60, fixed_assets=30, net_assets=70).figures)
    assert found["creditors_within_year"] == (40, "derived")
    assert found["total_assets_less_current_liabilities"] == (90, "derived")
    assert found["total_assets"] == (130, "derived")
    assert found["total_liabilities"] == (60, "derived")


def test_fixed_assets_are_what_the_subtotals_leave_for_them() -> None:
    found = values(completed(net_current_assets=60, total_assets_less_current_liabilities=60).figures)
    assert found["fixed_assets"] == (0, "derived")


def test_prepayments_shown_apart_count_as_assets() -> None:
    """FRS 105."""
    found = values(completed(fixed_assets=10, current_assets=20, prepayments=5, creditors_within_year=7).figures)
    assert found["net_current_assets"] == (18, "derived")
    assert found["total_assets"] == (35, "derived")


def test_net_current_liabilities_alone_are_the_creditors() -> None:
    """Credit §3.5, the note below the table."""
    found = values(completed(net_current_assets=-8, total_assets_less_current_liabilities=-8).figures)
    assert found["creditors_within_year"] == (8, "derived")
    assert "current_assets" not in found


def test_retained_earnings_are_what_share_capital_leaves_of_equity() -> None:
    assert values(completed(equity=50, share_capital=1).figures)["retained_earnings"] == (49, "derived")


def test_tangible_net_assets_are_unknown_while_intangible_assets_may_be_hidden() -> None:
    assert "tangible_net_assets" not in values(completed(fixed_assets=10, net_assets=50).figures)
    assert values(completed(fixed_assets=10, tangible_assets=10, net_assets=50).figures)["tangible_net_assets"][0] == 50
    assert (
        values(completed(fixed_assets=10, intangible_assets=4, net_assets=50).figures)["tangible_net_assets"][0] == 46
    )


def test_nothing_follows_from_nothing() -> None:
    assert values(completed(employees=3).figures) == {"employees": (3, "reported")}
    assert values(completed(cash=3, net_assets=2).figures).keys() == {"cash", "net_assets"}


def test_a_balance_sheet_tagged_with_every_sign_wrong_is_put_right() -> None:
    """As one filing of the sample has it."""
    period = completed(
        fixed_assets=-254,
        current_assets=-15369,
        creditors_within_year=10416,
        net_current_assets=-4953,
        total_assets_less_current_liabilities=-5207,
        net_assets=-5207,
        equity=5207,
    )
    found = values(period.figures)
    assert period.balanced is True
    assert found["current_assets"] == (15369, "repaired")
    assert found["net_assets"] == (5207, "repaired")
    assert found["equity"] == (5207, "reported")


def test_accounts_that_no_sign_balances_stay_and_are_marked() -> None:
    filed = {"current_assets": 100, "creditors_within_year": 30, "net_current_assets": 71 + 20}
    period = completed(**filed)
    assert period.balanced is False
    assert {name: values(period.figures)[name] for name in filed} == {k: (v, "reported") for k, v in filed.items()}


def test_creditors_tagged_negative_are_positive_unless_the_balance_sheet_confirms_them() -> None:
    assert values(completed(creditors_within_year=-7).figures)["creditors_within_year"] == (7, "repaired")
    confirmed = completed(current_assets=10, creditors_within_year=-7, net_current_assets=17)
    assert values(confirmed.figures)["creditors_within_year"] == (-7, "reported")


def test_dividends_and_headcounts_are_positive_for_either_tagged_sign() -> None:
    """Credit §3.4: as filings of the sample have them; one may show dividends as a deduction, another as a payment."""
    found = completed(dividends=-4000000, employees=-1).figures
    assert found.dividends is not None
    assert (found.dividends.value, found.dividends.method, found.dividends.filed) == (4000000, "repaired", -4000000)
    assert found.employees is not None
    assert (found.employees.value, found.employees.method, found.employees.filed) == (1, "repaired", -1)
    assert values(completed(dividends=1000000).figures) == {"dividends": (1000000, "reported")}


def test_provisions_tagged_negative_are_positive_where_net_assets_confirm_it() -> None:
    """Credit §3.4: as filings of the sample have them."""
    lines = {"total_assets_less_current_liabilities": 2186661, "creditors_after_year": 2052, "provisions": -50569}
    for total in ("net_assets", "equity"):
        found = completed(**lines, **{total: 2134040}).figures.provisions
        assert found is not None
        assert (found.value, found.method, found.filed) == (50569, Method.REPAIRED, -50569)


def test_negative_provisions_that_balance_or_that_nothing_confirms_stay() -> None:
    """A deferred tax asset may stand in their line."""
    balanced = completed(total_assets_less_current_liabilities=-4426, provisions=-841, net_assets=-3585)
    assert values(balanced.figures)["provisions"] == (-841, "reported")
    contradicted = completed(total_assets_less_current_liabilities=100, provisions=-7, net_assets=50)
    assert values(contradicted.figures)["provisions"] == (-7, "reported")
    assert values(completed(provisions=-7).figures)["provisions"] == (-7, "reported")


@given(columns)
def test_repair_turns_signs_and_never_unbalances(filed: dict[str, int]) -> None:
    """Credit §3.4."""
    before = figures(**filed)
    after = repair(before, 2)
    assert {name: abs(each.value) for name, each in after.items()} == {
        name: abs(value) for name, value in filed.items()
    }
    if is_balanced(before, 2):
        assert is_balanced(after, 2)
    assert all(each.filed == filed[name] for name, each in after.items() if each.method is Method.REPAIRED)


@given(columns)
def test_a_filed_figure_is_never_replaced_by_a_derived_one(filed: dict[str, int]) -> None:
    found = values(completed(**filed).figures)
    assert all(found[name][1] != "derived" and abs(found[name][0]) == abs(value) for name, value in filed.items())
