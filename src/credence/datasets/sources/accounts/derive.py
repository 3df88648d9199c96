"""A column as filed becomes a period: repaired, checked, and completed by arithmetic (credit §3.4)."""

from credence.companies.balance_sheet import derive
from credence.companies.facts.accounts import Figures, Period
from credence.datasets.sources.accounts.periods import Column
from credence.datasets.sources.accounts.repair import is_balanced, repair


def complete(column: Column) -> Period:
    """Return the period of a column."""
    tolerance = 2 * column.rounding  # four lines, each rounded by half a unit at most
    lines = repair(column.figures, tolerance)
    return Period(column.end, column.start, Figures(**derive(lines)), is_balanced(lines, tolerance))
