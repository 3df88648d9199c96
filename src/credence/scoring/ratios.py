"""The balance-sheet ratios that the fitted layer scores, from the newest accounts of the legal entity (credit §7.2).

Each is None where an input is unknown or the ratio is undefined. Unknown is neutral and never learned from. There are
two tables of them: accounts that split capital from reserves are scored by the `full` one, the shortest balance sheets,
which do not, by the `short` one.
"""

from collections.abc import Callable, Mapping

from credence.companies.facts.accounts import Figure, Figures, Period

SMALLEST = 3_000
"""Total assets, in pounds, below which ratios say nothing (credit §6, missing inputs)."""

FINANCIAL = frozenset({"64", "65", "66"})
"""Divisions of SIC 2007 whose balance sheets mean something else (credit §6, missing inputs)."""


def working_capital_to_total_assets(figures: Figures) -> float | None:
    """Net current assets over total assets."""
    return _over(amount(figures.net_current_assets), amount(figures.total_assets))


def current_assets_to_current_liabilities(figures: Figures) -> float | None:
    """Current assets over creditors due within a year: the current ratio."""
    return _over(amount(figures.current_assets), amount(figures.creditors_within_year))


def quick_assets_to_current_liabilities(figures: Figures) -> float | None:
    """Current assets without stocks over creditors due within a year; where stocks are untagged, debtors and cash."""
    current, stocks = amount(figures.current_assets), amount(figures.stocks)
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
    return _over(_net_assets(figures), amount(figures.total_assets))


def reserves_to_total_assets(figures: Figures) -> float | None:
    """Net assets less share capital, over total assets."""
    net, capital = _net_assets(figures), amount(figures.share_capital)
    return _over(None if net is None or capital is None else net - capital, amount(figures.total_assets))


def retained_earnings_to_total_assets(figures: Figures) -> float | None:
    """The profit and loss reserve over total assets, only as reported: derived, it would be the reserves again."""
    retained = figures.retained_earnings
    reported = retained is not None and retained.method != "derived"
    return _over(amount(retained) if reported else None, amount(figures.total_assets))


def current_liabilities_to_total_assets(figures: Figures) -> float | None:
    """Creditors due within a year over total assets."""
    return _over(amount(figures.creditors_within_year), amount(figures.total_assets))


RATIOS: Mapping[str, Callable[[Figures], float | None]] = {
    "working-capital": working_capital_to_total_assets,
    "current-ratio": current_assets_to_current_liabilities,
    "quick-ratio": quick_assets_to_current_liabilities,
    "cash-ratio": cash_to_current_liabilities,
    "equity": equity_to_total_assets,
    "reserves": reserves_to_total_assets,
    "retained-earnings": retained_earnings_to_total_assets,
    "current-liabilities": current_liabilities_to_total_assets,
}
"""Factor code -> the ratio it scores."""

WHY_NOT: Mapping[str, str] = {
    "ratios.no-accounts": "No accounts are held, so no ratio is scored.",
    "ratios.dormant": "The company is dormant, so its balance sheet says nothing of how it trades.",
    "ratios.financial": "The balance sheets of financial companies mean something else and are not scored.",
    "ratios.unbalanced": "The figures of the newest accounts contradict each other, so they are not scored.",
    "ratios.no-total": "The newest accounts do not tell total assets, so no ratio can be computed.",
    "ratios.too-small": f"Total assets are below {SMALLEST:,}, where ratios say nothing.",
}
"""Code of the reason why a balance sheet gets no points -> a sentence."""


def unfit(period: Period, *, dormant: bool | None, divisions: frozenset[str]) -> str | None:
    """Return the code of the reason why this balance sheet gets no points, or None (credit §6, missing inputs)."""
    total = amount(period.figures.total_assets)
    if dormant:
        return "ratios.dormant"
    if divisions & FINANCIAL:
        return "ratios.financial"
    if period.balanced is False:
        return "ratios.unbalanced"
    if total is None:
        return "ratios.no-total"
    return "ratios.too-small" if total < SMALLEST else None


def amount(figure: Figure | None) -> float | None:
    """Return a figure's value, None if it is unknown."""
    return None if figure is None else figure.value


def _net_assets(figures: Figures) -> float | None:
    net = amount(figures.net_assets)
    return amount(figures.equity) if net is None else net


def _plus(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one + other


def _over(numerator: float | None, denominator: float | None) -> float | None:
    return None if numerator is None or not denominator or denominator < 0 else numerator / denominator
