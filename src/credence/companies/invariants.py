"""The invariants of filed accounts: arithmetic that holds in every balance sheet and profit and loss account (credit §3.4).

They are checked at every load. A year with a contradiction keeps its figures, is marked in reports and is not scored.
"""

from collections.abc import Callable, Iterator, Sequence

import msgspec

from credence.companies.balance_sheet import BELOW
from credence.companies.facts.accounts import Figure, Figures

TOLERANCE_UNITS = 2
"""The maximum difference of a sum, in units of the rounding: four lines, each rounded by half a unit at most."""


class Invariant(msgspec.Struct, frozen=True):
    """One invariant. `difference` returns zero if it holds, None if a line is unknown."""

    code: str
    words: str
    difference: Callable[[Figures], float | None]


def fails_a_check(balanced: bool | None, failing: Sequence[str]) -> bool:
    """Return whether a year is neither scored nor supports a limit: its lines do not balance, or an invariant fails.

    The two differ where a line is not filed: the balance takes it as nil, an invariant as what completes the others.
    """
    return balanced is False or bool(failing)


def contradictions(figures: Figures, rounding: int) -> tuple[str, ...]:
    """Return the codes of the invariants that fail; `rounding` is the unit to which the figures are rounded."""
    return tuple(_failing(figures, TOLERANCE_UNITS * rounding))


def _failing(figures: Figures, tolerance: float) -> Iterator[str]:
    for invariant in INVARIANTS:
        difference = invariant.difference(figures)
        if difference is not None and abs(difference) > tolerance:
            yield invariant.code


def _equity(f: Figures) -> float | None:
    return _sum((f.net_assets, 1), (f.equity, -1))


def _current(f: Figures) -> float | None:
    if f.current_assets is None or f.creditors_within_year is None or f.net_current_assets is None:
        return None
    return (
        _value(f.current_assets)
        + _value(f.prepayments)
        - _value(f.creditors_within_year)
        - _value(f.net_current_assets)
    )


def _subtotal(f: Figures) -> float | None:
    if f.fixed_assets is None or f.net_current_assets is None or f.total_assets_less_current_liabilities is None:
        return None
    above = _value(f.fixed_assets) + _value(f.net_current_assets) + _value(f.unpaid_share_capital)
    return above - _value(f.total_assets_less_current_liabilities)


def _later(f: Figures) -> float | None:
    net = f.net_assets or f.equity
    if f.total_assets_less_current_liabilities is None or net is None:
        return None
    below = sum(_value(getattr(f, name)) for name in BELOW)
    return _value(f.total_assets_less_current_liabilities) - below - _value(net)


def _result(f: Figures) -> float | None:
    return _sum((f.profit_before_tax, 1), (f.tax, -1), (f.profit, -1))


def _sum(*terms: tuple[Figure | None, int]) -> float | None:
    """Return the sum of terms with their signs; None if one is unknown."""
    if any(figure is None for figure, _ in terms):
        return None
    return sum(sign * _value(figure) for figure, sign in terms)


def _value(figure: Figure | None) -> float:
    return 0 if figure is None else figure.value


RESULT = "result"
DATES = "dates"
CURRENCY = "currency"

INVARIANTS = (
    Invariant("equity", "net assets are the shareholders' funds", _equity),
    Invariant("current", "current assets less creditors due within a year are the net current assets", _current),
    Invariant(
        "subtotal", "fixed assets and net current assets are the total assets less current liabilities", _subtotal
    ),
    Invariant("later", "total assets less current liabilities, less what is owed later, are the net assets", _later),
    Invariant(RESULT, "profit before tax less tax is the profit", _result),
)
"""The invariants of the figures of one year.

Prepayments, and lines between subtotals, count as nil if they are not filed.
"""

OF_FILING = {
    DATES: "the newest figures are of the balance sheet date, and each year ends before the next begins",
    CURRENCY: "the currency of the amounts is known",
}
"""Code -> description of the invariants of a filing. `datasets.sources.accounts.filing` checks them."""

WORDS = {invariant.code: invariant.words for invariant in INVARIANTS} | OF_FILING
"""Code of an invariant -> its description."""
