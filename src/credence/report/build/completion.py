"""What the balance sheet itself says of a total that a filing does not show (credit §3.4, report schema §2).

A filed balance sheet balances, and a line without an amount is not shown. So the total of fixed assets, which clients
read as a number, follows from the others; where it does not follow it stays unknown.
"""

from collections.abc import Iterator

from credence.companies.balance_sheet import with_totals
from credence.companies.facts.accounts import Figure, Figures, Method

_ROUNDING = 1
"""Whole units that a sum of rounded figures may be out."""


def completed(figures: Figures) -> Figures:
    """Return the figures with what follows added: net assets and equity, fixed assets, and the totals made of them."""
    known = dict(known_of(figures))
    for name, other in (("net_assets", "equity"), ("equity", "net_assets")):  # the two sides of a balance sheet
        if name not in known and other in known:
            known[name] = Figure(known[other].value, Method.DERIVED, other)
    if "fixed_assets" not in known and (fixed := _fixed_assets(Figures(**known))):
        known["fixed_assets"] = fixed
    return Figures(**with_totals(known))


def known_of(figures: Figures) -> Iterator[tuple[str, Figure]]:
    """Yield the figures that are known, by name."""
    for name in figures.__struct_fields__:
        figure: Figure | None = getattr(figures, name)
        if figure is not None:
            yield name, figure


def _fixed_assets(f: Figures) -> Figure | None:
    """Return what the capital and later liabilities pay for beyond working capital, unless that makes no sense."""
    whole = _whole(f)
    if whole is None:
        return None
    shown = _sum(f.intangible_assets, f.tangible_assets, f.investments)
    if f.net_current_assets is not None:
        value = whole - f.net_current_assets.value - _sum(f.unpaid_share_capital)
        if value < shown - _ROUNDING:
            return None  # some liability is not tagged
    else:
        current = _sum(f.current_assets) if f.current_assets else _sum(f.stocks, f.debtors, f.cash)
        value = whole + _sum(f.creditors_within_year) - current - _sum(f.prepayments, f.unpaid_share_capital)
        if abs(value - shown) > _ROUNDING:
            return None  # the rest may be anything
    value = shown if abs(value - shown) <= _ROUNDING else value
    return Figure(value, Method.DERIVED, "net assets + later liabilities - working capital")


def _whole(f: Figures) -> int | float | None:
    """Return total assets less current liabilities, or the capital and later liabilities that are equal to it."""
    if f.total_assets_less_current_liabilities is not None:
        return f.total_assets_less_current_liabilities.value
    if f.net_assets is None:
        return None
    return _sum(f.net_assets, f.creditors_after_year, f.provisions, f.accruals)


def _sum(*parts: Figure | None) -> int | float:
    """Return the sum of the parts that are shown; a line without an amount is not."""
    return sum(part.value for part in parts if part is not None)
