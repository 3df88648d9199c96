"""A published model as a value, its inputs by their names in the report, and its outcome for one period (credit §6).

A profit is never imputed.
"""

from collections.abc import Callable, Mapping

import msgspec

from credence.companies.durations import LEAST_DAYS
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


Lines = Mapping[str, float]
"""Name of an input in the report -> its value."""


class Verdict(msgspec.Struct, frozen=True):
    """The zone of a value; None when the authors of the model define no zones."""

    zone: str | None
    probability: float | None = None
    """Probability of failure within a year in the authors' sample; most models give none."""


class Model(msgspec.Struct, frozen=True, kw_only=True):
    """One model as its authors published it."""

    name: str
    source: str
    formula: str
    meant_for: str
    zones: str
    needs: tuple[str, ...]
    """Inputs, in the order of the report."""
    positive: tuple[str, ...]
    """The inputs that must be above zero, because the formula divides by them."""
    value: Callable[[Lines], float] | None = None
    """The formula; None for a model that is never computed."""
    verdict: Callable[[float, Lines], Verdict] = lambda _value, _lines: Verdict(None)
    never: tuple[str, ...] = ()
    """Inputs that no filing contains."""


class ModelOutcome(msgspec.Struct, frozen=True):
    """The value of a model, or in `not_computable` the reason why it has none."""

    model: Model
    inputs: tuple[Input, ...]
    value: float | None = None
    verdict: Verdict | None = None
    not_computable: str = ""


def evaluate(model: Model, known: Mapping[str, Input], *, as_filed: bool) -> ModelOutcome:
    """Return the outcome of a model on the known inputs of a year, `as_filed` or brought from a period of another length."""
    inputs = tuple([known[words] for words in model.needs if words in known])
    missing = [words for words in model.needs if words not in known]
    missing += [f"{each.words} above zero" for each in inputs if each.words in model.positive and each.value <= 0]
    if not as_filed and OF_THE_YEAR & set(missing):
        missing.append(f"a profit and loss account of at least {LEAST_DAYS} days")
    missing += model.never
    if missing or model.value is None:
        return ModelOutcome(model, inputs, not_computable=f"Missing: {', '.join(missing)}.")
    lines = {each.words: each.value for each in inputs}
    value = model.value(lines)
    return ModelOutcome(model, inputs, value, model.verdict(value, lines))
