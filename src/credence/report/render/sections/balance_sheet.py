"""The newest balance sheet as two bars, assets and their financing, itemised so that both have the same sum."""

from collections.abc import Iterator, Sequence

from credence.blocks.text import day, plain
from credence.blocks.values import Chart, Table
from credence.report.render.charts.drawing import WIDTH, bar, drawing, label
from credence.report.render.sections.years import WORDS, amounts_of, first_known
from credence.report.schema.assessment import YearFigures

_BAR, _LINE = 26, 18
_SHADES = ("s1", "s2", "s3", "s4", "s5", "s6")

Part = tuple[str, float]
"""Name of a part, and its positive amount."""


def sheet_chart(owns: Sequence[Part], owes: Sequence[Part], when: str, currency: str) -> Chart:
    """Return the chart; both sides must have the same sum."""
    alt = f"Balance sheet of {when}, in {currency}. Owns: {_listed(owns)}. Paid for by: {_listed(owes)}."
    rows = (
        *(("What it owns", words, plain(amount)) for words, amount in owns),
        *(("How it is paid for", words, plain(amount)) for words, amount in owes),
    )
    height = 14 + _side_height(owns) + 16 + _side_height(owes)
    svg = drawing(
        height, alt, (*_side(owns, 14, "What it owns"), *_side(owes, 30 + _side_height(owns), "How it is paid for"))
    )
    table = Table(f"Balance sheet of {when}, {currency}", ("Side", "Part", "Amount"), rows, numbers=(2,))
    return Chart("Balance sheet", alt, svg, table)


def _side(parts: Sequence[Part], top: float, title: str) -> Iterator[str]:
    whole = sum(amount for _, amount in parts)
    yield label(0, top, title, "soft")
    x = 0.0
    for (_, amount), shade in zip(parts, _SHADES, strict=False):
        width = amount / whole * WIDTH
        yield bar(x, top + 8, max(0.0, width - 1), _BAR, shade)
        x += width
    for number, ((words, amount), shade) in enumerate(zip(parts, _SHADES, strict=False)):
        y = top + 8 + _BAR + 8 + _LINE * number
        yield bar(0, y, 10, 10, shade)
        yield label(16, y + 9.5, words)
        yield label(WIDTH - 50, y + 9.5, plain(amount), "", "end")
        yield label(WIDTH - 2, y + 9.5, f"{amount / whole:.0%}", "tiny", "end")


def _side_height(parts: Sequence[Part]) -> float:
    return 8 + _BAR + 8 + _LINE * len(parts)


def _listed(parts: Sequence[Part]) -> str:
    return ", ".join(f"{words} {plain(amount)}" for words, amount in parts)


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
