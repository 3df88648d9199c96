"""The ratios of the fitted tables, from the newest accounts of the legal entity (credit §7.2).

A function returns None for an unknown input and an undefined ratio; such a ratio gives no points, as the typical company.
"""

from collections.abc import Callable, Mapping

from credence.companies.facts.accounts import Figure, Figures, Period
from credence.companies.invariants import fails_a_check

MIN_TOTAL_ASSETS_GBP = 3_000
"""Ratios of smaller balance sheets are not informative (credit §6, missing inputs)."""

ROUNDING = 1
"""The difference in pounds up to which parts equal their total."""


def working_capital_to_total_assets(figures: Figures) -> float | None:
    """Net current assets over total assets."""
    return _over(amount(figures.net_current_assets), amount(figures.total_assets))


def current_assets_to_current_liabilities(figures: Figures) -> float | None:
    """Current assets over creditors due within a year: the current ratio."""
    return _over(amount(figures.current_assets), amount(figures.creditors_within_year))


def quick_assets_to_current_liabilities(figures: Figures) -> float | None:
    """Current assets less stocks, over creditors due within a year: the quick ratio.

    Where current assets or stocks are unknown, debtors plus cash take the place of their difference.
    """
    current, stocks = amount(figures.current_assets), stocks_of(figures)
    if current is not None and stocks is not None:
        quick: float | None = current - stocks
    else:
        quick = _plus(amount(figures.debtors), amount(figures.cash))
    return _over(quick, amount(figures.creditors_within_year))


def cash_to_current_liabilities(figures: Figures) -> float | None:
    """Cash over creditors due within a year."""
    return _over(amount(figures.cash), amount(figures.creditors_within_year))


def equity_to_total_assets(figures: Figures) -> float | None:
    """Net assets over total assets."""
    return _over(net_assets(figures), amount(figures.total_assets))


def reserves_to_total_assets(figures: Figures) -> float | None:
    """Net assets less share capital, over total assets."""
    net, capital = net_assets(figures), amount(figures.share_capital)
    return _over(None if net is None or capital is None else net - capital, amount(figures.total_assets))


def current_liabilities_to_total_assets(figures: Figures) -> float | None:
    """Creditors due within a year over total assets."""
    return _over(amount(figures.creditors_within_year), amount(figures.total_assets))


def current_assets_to_total_assets(figures: Figures) -> float | None:
    """Current assets over total assets."""
    return _over(amount(figures.current_assets), amount(figures.total_assets))


def later_liabilities_to_total_assets(figures: Figures) -> float | None:
    """All liabilities but the creditors due within a year, over total assets: later creditors, provisions, accruals."""
    total, within_year, net = amount(figures.total_assets), amount(figures.creditors_within_year), net_assets(figures)
    return None if total is None or within_year is None or net is None else _over(total - net - within_year, total)


def debtors_to_total_assets(figures: Figures) -> float | None:
    """Debtors over total assets."""
    return _over(amount(figures.debtors), amount(figures.total_assets))


def stocks_to_total_assets(figures: Figures) -> float | None:
    """Stocks over total assets; untagged stocks are nil if debtors and cash are all current assets."""
    return _over(stocks_of(figures), amount(figures.total_assets))


def profit_before_tax_to_total_assets(figures: Figures) -> float | None:
    """Profit before tax over total assets."""
    return _over(amount(figures.profit_before_tax), amount(figures.total_assets))


def operating_profit_to_total_assets(figures: Figures) -> float | None:
    """Operating profit over total assets."""
    return _over(amount(figures.operating_profit), amount(figures.total_assets))


def profit_before_tax_to_current_liabilities(figures: Figures) -> float | None:
    """Profit before tax over creditors due within a year."""
    return _over(amount(figures.profit_before_tax), amount(figures.creditors_within_year))


def turnover_to_total_assets(figures: Figures) -> float | None:
    """Turnover over total assets."""
    return _over(amount(figures.turnover), amount(figures.total_assets))


RATIOS: Mapping[str, Callable[[Figures], float | None]] = {
    "working-capital": working_capital_to_total_assets,
    "current-ratio": current_assets_to_current_liabilities,
    "equity": equity_to_total_assets,
    "current-liabilities": current_liabilities_to_total_assets,
    "later-liabilities": later_liabilities_to_total_assets,
    "current-assets": current_assets_to_total_assets,
    "quick-ratio": quick_assets_to_current_liabilities,
    "cash-ratio": cash_to_current_liabilities,
    "reserves": reserves_to_total_assets,
    "debtors": debtors_to_total_assets,
    "stocks": stocks_to_total_assets,
    "profit-before-tax": profit_before_tax_to_total_assets,
    "operating-profit": operating_profit_to_total_assets,
    "profit-to-creditors": profit_before_tax_to_current_liabilities,
    "turnover": turnover_to_total_assets,
}
"""Factor code -> the function of its ratio."""

WHY_NOT: Mapping[str, str] = {
    "ratios.no-accounts": "No accounts are on record, so no ratio is scored.",
    "ratios.group-only": "Only accounts of the group are on record; the company is scored, so no ratio is.",
    "ratios.dormant": "The company was dormant, so its balance sheet says nothing of how it trades.",
    "ratios.financial": "The balance sheets of financial companies are not comparable with those of others.",
    "ratios.unbalanced": "The figures of the newest accounts fail a check, so they are not scored.",
    "ratios.no-total": "The newest accounts do not tell total assets, so no ratio can be computed.",
    "ratios.too-small": f"Total assets are below {MIN_TOTAL_ASSETS_GBP:,}, where ratios say nothing.",
}
"""Code of the reason why a balance sheet gets no points -> its sentence."""


def unfit(period: Period, *, dormant: bool | None, financial: bool) -> str | None:
    """Return the code of the reason why this balance sheet gets no points, or None (credit §6, missing inputs)."""
    total = amount(period.figures.total_assets)
    if dormant:
        return "ratios.dormant"
    if financial:
        return "ratios.financial"
    if fails_a_check(period.balanced, period.contradictions):
        return "ratios.unbalanced"
    if total is None:
        return "ratios.no-total"
    return "ratios.too-small" if total < MIN_TOTAL_ASSETS_GBP else None


def amount(figure: Figure | None) -> float | None:
    """Return the value of a figure; None if it is unknown."""
    return None if figure is None else figure.value


def net_assets(figures: Figures) -> float | None:
    """Return the net assets; without them the equity, the other side of the balance sheet."""
    net = amount(figures.net_assets)
    return amount(figures.equity) if net is None else net


def stocks_of(figures: Figures) -> float | None:
    """Return the stocks; nil if they are untagged and debtors and cash are all current assets, None if they are unknown."""
    stocks, shown = amount(figures.stocks), _plus(amount(figures.debtors), amount(figures.cash))
    current = amount(figures.current_assets)
    if stocks is None and shown is not None and current is not None and abs(current - shown) <= ROUNDING:
        return 0.0
    return stocks


def _plus(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one + other


def _over(numerator: float | None, denominator: float | None) -> float | None:
    return None if numerator is None or not denominator or denominator < 0 else numerator / denominator
