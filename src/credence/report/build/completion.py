"""Derives totals that a filing omits from the rest of its balance sheet (credit §3.4, report schema §2).

A filed balance sheet balances and omits lines without an amount, so the total of fixed assets, which clients read as a
number, often follows from the other lines. Otherwise it stays unknown.
"""

from collections.abc import Iterator

from credence.companies.balance_sheet import with_totals
from credence.companies.facts.accounts import Figure, Figures, Method

_ROUNDING_UNITS = 1
"""Maximum difference of a sum of rounded figures, in units of the rounding."""


def completed(figures: Figures) -> Figures:
    """Return the figures with derived ones added: net assets or equity, fixed assets, and totals that follow from them."""
    known = dict(known_of(figures))
    for name, other in (("net_assets", "equity"), ("equity", "net_assets")):  # the two sides of a balance sheet
        if name not in known and other in known:
            known[name] = Figure(known[other].value, Method.DERIVED, other)
    if "fixed_assets" not in known and (fixed := _fixed_assets(Figures(**known))):
        known["fixed_assets"] = fixed
    return Figures(**with_totals(known))


def known_of(figures: Figures) -> Iterator[tuple[str, Figure]]:
    """Yield the known figures with their names."""
    for name in figures.__struct_fields__:
        figure: Figure | None = getattr(figures, name)
        if figure is not None:
            yield name, figure


def _fixed_assets(f: Figures) -> Figure | None:
    """Return fixed assets as capital and later liabilities less working capital; None if itemised assets contradict that."""
    whole = _whole(f)
    if whole is None:
        return None
    itemised = _sum(f.intangible_assets, f.tangible_assets, f.investments)
    if f.net_current_assets is not None:
        value = whole - f.net_current_assets.value - _sum(f.unpaid_share_capital)
        if value < itemised - _ROUNDING_UNITS:
            return None  # a liability is not tagged
    else:
        current = _sum(f.current_assets) if f.current_assets else _sum(f.stocks, f.debtors, f.cash)
        value = whole + _sum(f.creditors_within_year) - current - _sum(f.prepayments, f.unpaid_share_capital)
        if abs(value - itemised) > _ROUNDING_UNITS:
            return None  # the difference is unexplained
    value = itemised if abs(value - itemised) <= _ROUNDING_UNITS else value
    return Figure(value, Method.DERIVED, "net assets + later liabilities - working capital")


def _whole(f: Figures) -> int | float | None:
    """Return total assets less current liabilities, or the capital and later liabilities that are equal to it."""
    if f.total_assets_less_current_liabilities is not None:
        return f.total_assets_less_current_liabilities.value
    if f.net_assets is None:
        return None
    return _sum(f.net_assets, f.creditors_after_year, f.provisions, f.accruals)


def _sum(*parts: Figure | None) -> int | float:
    """Return the sum of the known parts."""
    return sum(part.value for part in parts if part is not None)
