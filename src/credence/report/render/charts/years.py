"""Bar charts over the filed years: net assets and working capital, and small ones of several measures side by side."""

import datetime as dt
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from credence.blocks.text import NONE, decimal, plain, short
from credence.blocks.values import Chart, Table
from credence.report.render.charts.drawing import WIDTH, bar, drawing, label, line

_LEFT, _RIGHT, _TOP, _BOTTOM, _HEIGHT = 48, 4, 28, 26, 216

Year = tuple[dt.date, float | None, float | None]
"""Last day of the year, net assets, working capital."""


def years_chart(years: Sequence[Year], currency: str) -> Chart | None:
    """Return the chart with the oldest year first; None if no value is known."""
    known = [value for _, *values in years for value in values if value is not None]
    if not known:
        return None
    alt = f"Net assets and working capital over {len(years)} years, in {currency}: " + "; ".join(
        f"{end.year}: {plain(net)} and {plain(working)}" for end, net, working in years
    )
    rows = tuple((f"{end:%d.%m.%Y}", plain(net), plain(working)) for end, net, working in years)
    table = Table(
        f"Net assets and working capital, {currency}",
        ("Year to", "Net assets", "Working capital"),
        rows,
        numbers=(1, 2),
    )
    return Chart("Net assets and working capital", alt, drawing(_HEIGHT, alt, _parts(years, known)), table)


def _parts(years: Sequence[Year], known: Sequence[float]) -> Iterator[str]:
    step = _step(max(0.0, *known) - min(0.0, *known))
    lowest, highest = _floor(min(0.0, *known), step), -_floor(-max(0.0, *known), step)
    if lowest == highest:
        highest = lowest + step

    def at(value: float) -> float:
        return _TOP + (highest - value) / (highest - lowest) * (_HEIGHT - _TOP - _BOTTOM)

    mark = lowest
    while mark <= highest + step / 2:
        yield line(_LEFT, at(mark), WIDTH - _RIGHT, at(mark), "grid" if mark else "axis")
        yield label(_LEFT - 6, at(mark) + 4, short(mark), "tiny", "end")
        mark += step
    room = (WIDTH - _LEFT - _RIGHT) / len(years)
    thick = min(26.0, room * 0.34)
    for number, (end, *values) in enumerate(years):
        middle = _LEFT + room * (number + 0.5)
        for value, kind, x in zip(values, ("net", "working"), (middle - thick - 1, middle + 1), strict=True):
            if value is not None:
                yield bar(x, at(max(0, value)), thick, abs(at(value) - at(0)), kind)
        yield label(middle, _HEIGHT - 8, str(end.year), "tiny", "middle")
    yield bar(_LEFT, 6, 10, 10, "net")
    yield label(_LEFT + 15, 15, "Net assets")
    yield bar(_LEFT + 110, 6, 10, 10, "working")
    yield label(_LEFT + 125, 15, "Working capital")


def _step(span: float) -> float:
    """Return the spacing of the grid: 1, 2 or 5 times a power of ten, for about four lines."""
    raw = max(span, 1.0) / 4
    power: float = 10 ** (len(str(int(raw))) - 1)
    return next(power * each for each in (1, 2, 5, 10) if power * each >= raw)


def _floor(value: float, step: float) -> float:
    return value // step * step


MIN_YEARS = 2
"""The minimum number of known values in a trend."""

_COLUMNS, _GAP = 2, 24
_ROOM = (WIDTH - _GAP) / _COLUMNS
_TREND_HEIGHT, _BARS_TOP, _BARS_HEIGHT = 92, 22, 44


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
    height = _TREND_HEIGHT * -(-len(drawn) // _COLUMNS)
    parts = (part for place, each in enumerate(drawn) for part in _panel(each, ends, place))
    return Chart("Trends over all filed years", alt, drawing(height, alt, parts), table)


def _in_words(trend: Trend, ends: Sequence[dt.date]) -> str:
    (first, before), *_, (last, now) = trend.known
    return f"{trend.name}: {_cell(before, trend.unit)} in {ends[first].year}, {_cell(now, trend.unit)} in {ends[last].year}"


def _panel(trend: Trend, ends: Sequence[dt.date], place: int) -> Iterator[str]:
    left, top = place % _COLUMNS * (_ROOM + _GAP), place // _COLUMNS * _TREND_HEIGHT
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
        yield label(left + room * (year + 0.5), top + _TREND_HEIGHT - 12, str(ends[year].year), "tiny", "middle")


def _brief(value: float, unit: str) -> str:
    return _cell(value, unit) if unit else short(value)


def _cell(value: float | None, unit: str) -> str:
    if value is None:
        return NONE
    return plain(value) if not unit else f"{decimal(value)}{unit if unit == '%' else ''}"
