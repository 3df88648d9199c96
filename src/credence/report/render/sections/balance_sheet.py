"""The chart of the newest balance sheet, itemised so that both sides have the same sum."""

from collections.abc import Sequence

from credence.blocks.text import day
from credence.blocks.values import Chart
from credence.report.render.charts.balance_sheet import Part, sheet_chart
from credence.report.render.sections.years import WORDS, amounts_of, first_known
from credence.report.schema.assessment import YearFigures


def balance_sheet(year: YearFigures, currency: str) -> Chart | None:
    """Return the chart of a balance sheet; None if a side is unknown or the sums differ."""
    found = amounts_of(year)
    fixed, current, worth = (
        found.get("Fixed assets"),
        found.get("Current assets"),
        first_known(found, "Net assets", "Equity"),
    )
    if fixed is None or current is None or worth is None or min(fixed, current) < 0 or fixed + current <= 0:
        return None
    owns = [("Fixed assets", fixed), *_named(found, ("Stocks", "Debtors", "Cash"))]
    owns.append(("Other current assets", fixed + current - _sum(owns)))
    owes = [
        *(
            (WORDS.get(name, name), amount)
            for name, amount in _named(found, ("Creditors within year", "Creditors after year"))
        ),
        *_named(found, ("Provisions",)),
    ]
    if worth < 0:
        owns.append(("Shortfall: net liabilities", -worth))
    owes.append(("Liabilities not itemised", fixed + current - worth - _sum(owes)))
    owes.append(("Net assets", max(0, worth)))
    if min(amount for _, amount in (*owns, *owes)) < -1:
        return None
    return sheet_chart(_visible(owns), _visible(owes), day(year.DateOfAccounts), currency)


def _named(found: dict[str, float], names: Sequence[str]) -> list[Part]:
    return [(name, found[name]) for name in names if name in found]


def _sum(parts: Sequence[Part]) -> float:
    return sum(amount for _, amount in parts)


def _visible(parts: Sequence[Part]) -> list[Part]:
    return [(words, amount) for words, amount in parts if amount >= 1]
