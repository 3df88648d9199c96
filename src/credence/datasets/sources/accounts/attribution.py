"""Decides whether figures without a dimension in consolidated accounts are the company's or its group's (credit §3.2).

Accounts of a parent hold two sets of statements, and many tag the group's lines without the dimension that marks a group:
the profit of the year as consolidated, but profit before tax and tax as if they were the company's. A parent need not file
a profit and loss account of its own (Companies Act 2006, section 408). Arithmetic decides: a profit and loss account whose
profit before tax less tax is the consolidated profit, and not the company's, is the group's with all of its lines.
"""

from collections.abc import Sequence

from credence.companies.facts.accounts import Figure
from credence.companies.invariants import TOLERANCE_UNITS
from credence.datasets.sources.accounts.periods import Column

_STATEMENT_OF_PROFIT = (
    "turnover",
    "cost_of_sales",
    "gross_profit",
    "operating_profit",
    "depreciation",
    "interest_payable",
    "profit_before_tax",
    "tax",
    "employees",
)
"""The lines of one statement. `profit` and `dividends` are also in the company's statement of changes in equity."""

_OF_NOTE = "IncreaseFromDepreciationChargeForYearPropertyPlantEquipment"
"""A tag of the note on tangible assets, which belongs to the balance sheet and not to the profit and loss account."""

_PARTS = (
    ("fixed_assets", ("tangible_assets", "intangible_assets", "investments")),
    ("current_assets", ("stocks", "debtors", "cash")),
)
"""Totals and their parts; the sum of the parts must not exceed the total."""


def attribute(own: Sequence[Column], group: Sequence[Column]) -> tuple[list[Column], list[Column]]:
    """Return the columns of company and group, after moving to the group the lines that arithmetic shows to be its own."""
    of_group = {column.end: column for column in group}
    left: list[Column] = []
    for column in own:
        consolidated = of_group.get(column.end)
        if consolidated is None:
            left.append(column)
        else:
            kept, of_group[column.end] = _attributed(column, consolidated)
            left.append(kept)
    return left, [of_group[column.end] for column in group]


def _attributed(own: Column, group: Column) -> tuple[Column, Column]:
    """Return both columns of one day after moving the group's lines."""
    moved = _of_group(own, group)
    kept = {name: figure for name, figure in own.figures.items() if name not in moved}
    gained = group.figures | {name: own.figures[name] for name in moved}
    rounding = max(own.rounding, group.rounding)
    return own._replace(figures=kept), group._replace(
        figures=gained, start=group.start or own.start, rounding=rounding if moved else group.rounding
    )


def _of_group(own: Column, group: Column) -> list[str]:
    """Return the fields of the company's column that are the group's."""
    tolerance = TOLERANCE_UNITS * max(own.rounding, group.rounding)
    found: list[str] = []
    if _has_profit_of_group(own.figures, group.figures, tolerance):
        found += [
            name
            for name in _STATEMENT_OF_PROFIT
            if name in own.figures and name not in group.figures and own.figures[name].tag != _OF_NOTE
        ]
    for total, parts in _PARTS:
        found += _foreign_part(own.figures, group.figures, total, parts, tolerance)
    return found


def _has_profit_of_group(own: dict[str, Figure], group: dict[str, Figure], tolerance: float) -> bool:
    """Return whether profit before tax and tax in the company's column give the group's profit and not the company's."""
    tax = own.get("tax") or group.get("tax")
    if "profit_before_tax" not in own or "profit_before_tax" in group or tax is None or "profit" not in group:
        return False
    result = own["profit_before_tax"].value - tax.value
    is_own = "profit" in own and abs(result - own["profit"].value) <= tolerance
    return not is_own and abs(result - group["profit"].value) <= tolerance


def _foreign_part(
    own: dict[str, Figure], group: dict[str, Figure], total: str, parts: Sequence[str], tolerance: float
) -> list[str]:
    """Return the one part without which the others are exactly the company's total, if with it they exceed the total."""
    shown = {name: own[name].value for name in parts if name in own}
    if total not in own or sum(shown.values()) - own[total].value <= tolerance:
        return []
    fitting = [
        name
        for name, value in shown.items()
        if value and name not in group and abs(sum(shown.values()) - value - own[total].value) <= tolerance
    ]
    return fitting if len(fitting) == 1 else []
