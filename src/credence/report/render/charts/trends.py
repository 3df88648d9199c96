"""Small bar charts of several measures over all filed years, side by side in one drawing."""

import datetime as dt
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from credence.blocks.text import NONE, decimal, plain, short
from credence.blocks.values import Chart, Table
from credence.report.render.charts.drawing import WIDTH, bar, drawing, label, line

MIN_YEARS = 2
"""The minimum number of known values in a trend."""

_COLUMNS, _GAP = 2, 24
_ROOM = (WIDTH - _GAP) / _COLUMNS
_HEIGHT, _BARS_TOP, _BARS_HEIGHT = 92, 22, 44


class Trend(NamedTuple):
    """One measure over the years."""

    name: str
    values: tuple[float | None, ...]
    """The value of each year, the oldest first; None if unknown."""
    unit: str = ""
    """`%`, `x` for a ratio, empty for an amount or a count."""

    @property
    def known(self) -> list[tuple[int, float]]:
        """The position and the value of each year that is known."""
        return [(place, value) for place, value in enumerate(self.values) if value is not None]


def trends_chart(ends: Sequence[dt.date], trends: Sequence[Trend], currency: str) -> Chart | None:
    """Return the drawing of the trends with at least two known years; None if there are no such trends.

    `ends` has the last days of the years, the oldest first.
    """
    drawn = [each for each in trends if len(each.known) >= MIN_YEARS]
    if not drawn:
        return None
    alt = "; ".join(_in_words(each, ends) for each in drawn) + "."
    rows = tuple((each.name, *(_cell(value, each.unit) for value in each.values)) for each in drawn)
    heads = ("Year to", *(f"{end:%d.%m.%Y}" for end in ends))
    table = Table(f"All filed years, amounts in {currency}", heads, rows, numbers=range(1, len(ends) + 1))
    height = _HEIGHT * -(-len(drawn) // _COLUMNS)
    parts = (part for place, each in enumerate(drawn) for part in _panel(each, ends, place))
    return Chart("Trends over all filed years", alt, drawing(height, alt, parts), table)


def _in_words(trend: Trend, ends: Sequence[dt.date]) -> str:
    (first, before), *_, (last, now) = trend.known
    return f"{trend.name}: {_cell(before, trend.unit)} in {ends[first].year}, {_cell(now, trend.unit)} in {ends[last].year}"


def _panel(trend: Trend, ends: Sequence[dt.date], place: int) -> Iterator[str]:
    left, top = place % _COLUMNS * (_ROOM + _GAP), place // _COLUMNS * _HEIGHT
    values = [value for _, value in trend.known]
    highest, lowest = max(0.0, *values), min(0.0, *values)
    span = highest - lowest or 1.0
    zero = top + _BARS_TOP + highest / span * _BARS_HEIGHT
    (first, _), *_, (last, newest) = trend.known
    yield label(left, top + 13, trend.name)
    yield label(left + _ROOM, top + 13, _brief(newest, trend.unit), "strong", "end")
    room = _ROOM / len(ends)
    thick = min(22.0, room * 0.7)
    for year, value in trend.known:
        tall = abs(value) / span * _BARS_HEIGHT
        middle = left + room * (year + 0.5)
        yield bar(middle - thick / 2, zero - tall if value > 0 else zero, thick, tall, "net" if value >= 0 else "down")
    yield line(left, zero, left + _ROOM, zero)
    for year in (first, last):
        yield label(left + room * (year + 0.5), top + _HEIGHT - 12, str(ends[year].year), "tiny", "middle")


def _brief(value: float, unit: str) -> str:
    return _cell(value, unit) if unit else short(value)


def _cell(value: float | None, unit: str) -> str:
    if value is None:
        return NONE
    return plain(value) if not unit else f"{decimal(value)}{unit if unit == '%' else ''}"
