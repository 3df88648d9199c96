"""The inputs of the published models, by the names in the report. A profit is never imputed (credit §6)."""

from collections.abc import Callable, Mapping

import msgspec

from credence.companies.facts.accounts import Figure, Figures, Method


class Input(msgspec.Struct, frozen=True):
    """One input of a model. `method` is reported, repaired or derived."""

    words: str
    value: float
    method: Method


CURRENT_ASSETS = "current assets"
CURRENT_LIABILITIES = "current liabilities"
COSTS = "costs of the year (sales less profit before tax and depreciation)"
EBIT = "profit before interest and tax"
EQUITY = "book equity"
NET_PROFIT = "net profit"
PROFIT_BEFORE_TAX = "profit before tax"
QUICK_ASSETS = "quick assets"
RETAINED_EARNINGS = "retained earnings"
SALES = "sales"
TOTAL_ASSETS = "total assets"
TOTAL_LIABILITIES = "total liabilities"
WORKING_CAPITAL = "working capital"

OF_THE_YEAR = frozenset({COSTS, EBIT, NET_PROFIT, PROFIT_BEFORE_TAX, SALES})
"""Inputs from the profit and loss account, which are brought to a year."""


def read(figures: Figures) -> dict[str, Input]:
    """Return the known inputs by their names in the report."""
    lines = [(words, line(figures)) for words, line in _LINES.items()]
    return {words: Input(words, figure.value, figure.method) for words, figure in lines if figure is not None}


def _ebit(figures: Figures) -> Figure | None:
    """Return the operating profit; if it was not filed, profit before tax plus interest payable."""
    return figures.operating_profit or _sum(figures.profit_before_tax, figures.interest_payable)


def _equity(figures: Figures) -> Figure | None:
    return figures.net_assets or figures.equity


def _quick_assets(figures: Figures) -> Figure | None:
    """Return current assets less stocks; if stocks are not tagged, debtors plus cash."""
    return _sum(figures.current_assets, figures.stocks, -1) or _sum(figures.debtors, figures.cash)


def _total_liabilities(figures: Figures) -> Figure | None:
    return figures.total_liabilities or _sum(figures.total_assets, _equity(figures), -1)


def _sum(one: Figure | None, other: Figure | None, sign: int = 1) -> Figure | None:
    return None if one is None or other is None else Figure(one.value + sign * other.value, Method.DERIVED)


_LINES: Mapping[str, Callable[[Figures], Figure | None]] = {
    CURRENT_ASSETS: lambda figures: figures.current_assets,
    CURRENT_LIABILITIES: lambda figures: figures.creditors_within_year,
    COSTS: lambda figures: _sum(_sum(figures.turnover, figures.profit_before_tax, -1), figures.depreciation, -1),
    EBIT: _ebit,
    EQUITY: _equity,
    NET_PROFIT: lambda figures: figures.profit,
    PROFIT_BEFORE_TAX: lambda figures: figures.profit_before_tax,
    QUICK_ASSETS: _quick_assets,
    RETAINED_EARNINGS: lambda figures: figures.retained_earnings,
    SALES: lambda figures: figures.turnover,
    TOTAL_ASSETS: lambda figures: figures.total_assets,
    TOTAL_LIABILITIES: _total_liabilities,
    WORKING_CAPITAL: lambda figures: figures.net_current_assets,
}
