"""Bar chart of net assets and working capital over the years."""

import datetime as dt
from collections.abc import Iterator, Sequence

from credence.blocks.text import plain, short
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
