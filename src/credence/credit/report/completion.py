"""What the balance sheet itself says of a total that a filing does not show (credit §3.4, report schema §2).

A filed balance sheet balances, and a line without an amount is not shown. So the total of fixed assets, which clients
read as a number, follows from the others; where it does not follow it stays unknown.
"""

import msgspec

from credence.credit.facts.accounts import Figure, Figures, Method

_ROUNDING = 1
"""Whole units that a sum of rounded figures may be out."""


def completed(figures: Figures) -> Figures:
    """Return the figures with fixed assets, total assets and tangible net assets added where they follow."""
    figures = _replaced(figures, "fixed_assets", _fixed_assets(figures))
    figures = _replaced(figures, "total_assets", _total_assets(figures))
    return _replaced(figures, "tangible_net_assets", _tangible_net_assets(figures))


def _replaced(figures: Figures, name: str, figure: Figure | None) -> Figures:
    if figure is None or getattr(figures, name) is not None:
        return figures
    return msgspec.structs.replace(figures, **{name: figure})


def _fixed_assets(f: Figures) -> Figure | None:
    """Return capital and long-term liabilities less net current assets, unless that is negative and so no asset."""
    funds, working = f.net_assets or f.equity, f.net_current_assets
    if funds is None or working is None:
        return None
    later = [each for each in (f.creditors_after_year, f.provisions, f.accruals) if each is not None]
    value = funds.value + sum(each.value for each in later) - working.value
    if f.unpaid_share_capital is not None:
        value -= f.unpaid_share_capital.value
    if value < -_ROUNDING:
        return None
    value = 0 if value <= _ROUNDING else value
    return Figure(value, Method.DERIVED, "net assets + later liabilities - net current assets")


def _total_assets(f: Figures) -> Figure | None:
    if f.fixed_assets is None or f.current_assets is None:
        return None
    parts = (f.fixed_assets, f.current_assets, f.prepayments, f.unpaid_share_capital)
    value = sum(each.value for each in parts if each is not None)
    return Figure(value, Method.DERIVED, "fixed + current")


def _tangible_net_assets(f: Figures) -> Figure | None:
    """Return net assets where nothing in the fixed assets can be intangible; unknown is not nil."""
    funds, fixed = f.equity or f.net_assets, f.fixed_assets
    if funds is None or fixed is None:
        return None
    if f.intangible_assets is not None:
        return Figure(funds.value - f.intangible_assets.value, Method.DERIVED, "equity - intangible")
    seen = sum(each.value for each in (f.tangible_assets, f.investments) if each is not None)
    if abs(fixed.value - seen) > _ROUNDING:
        return None
    return Figure(funds.value, Method.DERIVED, "equity; no fixed asset is intangible")
