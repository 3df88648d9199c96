"""What the balance sheet itself says of a total that a filing does not show (credit §3.4, report schema §2).

A filed balance sheet balances, and a line without an amount is not shown. So the total of fixed assets, which clients
read as a number, follows from the others; where it does not follow it stays unknown.
"""

import msgspec

from credence.credit.facts.accounts import Figure, Figures, Method

_ROUNDING = 1
"""Whole units that a sum of rounded figures may be out."""


def completed(figures: Figures) -> Figures:
    """Return the figures with what follows added: net assets and equity, fixed and total assets, net worth."""
    figures = _replaced(figures, "net_assets", _same(figures.equity, "equity"))
    figures = _replaced(figures, "equity", _same(figures.net_assets, "net assets"))
    figures = _replaced(figures, "fixed_assets", _fixed_assets(figures))
    figures = _replaced(figures, "total_assets", _total_assets(figures))
    return _replaced(figures, "tangible_net_assets", _tangible_net_assets(figures))


def _replaced(figures: Figures, name: str, figure: Figure | None) -> Figures:
    if figure is None or getattr(figures, name) is not None:
        return figures
    return msgspec.structs.replace(figures, **{name: figure})


def _same(figure: Figure | None, words: str) -> Figure | None:
    """Return net assets as equity, or the other way round: the two sides of a balance sheet."""
    return None if figure is None else Figure(figure.value, Method.DERIVED, words)


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


def _total_assets(f: Figures) -> Figure | None:
    if f.fixed_assets is None or f.current_assets is None:
        return None
    value = _sum(f.fixed_assets, f.current_assets, f.prepayments, f.unpaid_share_capital)
    return Figure(value, Method.DERIVED, "fixed + current")


def _tangible_net_assets(f: Figures) -> Figure | None:
    """Return net assets where nothing in the fixed assets can be intangible; unknown is not nil."""
    funds, fixed = f.equity, f.fixed_assets
    if funds is None or fixed is None:
        return None
    if f.intangible_assets is not None:
        return Figure(funds.value - f.intangible_assets.value, Method.DERIVED, "equity - intangible")
    if abs(fixed.value - _sum(f.tangible_assets, f.investments)) > _ROUNDING:
        return None
    return Figure(funds.value, Method.DERIVED, "equity; no fixed asset is intangible")
