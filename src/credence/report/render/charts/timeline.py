"""Timeline of filings, charges and notices."""

import datetime as dt
from collections.abc import Iterator, Sequence

from credence.blocks.text import count, day
from credence.blocks.values import Chart, Table, capped
from credence.report.render.charts.drawing import WIDTH, dot, drawing, label, line

_LEFT, _RIGHT, _LANE, _TOP = 72, 10, 30, 18
_MIN_SPAN_DAYS = 730

Event = tuple[dt.date, str, str]
"""Day, lane and description."""


def timeline(events: Sequence[Event], lanes: Sequence[str], today: dt.date) -> Chart | None:
    """Return the chart of the events up to today; None without any. The table has the newest first."""
    past = sorted((each for each in events if each[0] <= today), reverse=True)
    if not past:
        return None
    used = [lane for lane in lanes if any(each[1] == lane for each in past)]
    counts = ", ".join(count(sum(each[1] == lane for each in past), lane.lower()[:-1], lane.lower()) for lane in used)
    alt = f"{counts} from {day(past[-1][0])} to {day(past[0][0])}."
    rows, more = capped(past, lambda each: (day(each[0]), each[1], each[2]))
    table = Table("Events, the newest first", ("Day", "Kind", "Event"), rows, more=more)
    svg = drawing(_TOP + _LANE * len(used) + 24, alt, _parts(past, used, today))
    return Chart("Filings, charges and notices", alt, svg, table)


def _parts(events: Sequence[Event], lanes: Sequence[str], today: dt.date) -> Iterator[str]:
    first = min(events[-1][0], today - dt.timedelta(days=_MIN_SPAN_DAYS))
    span = (today - first).days

    def at(when: dt.date) -> float:
        return _LEFT + (when - first).days / span * (WIDTH - _LEFT - _RIGHT)

    bottom = _TOP + _LANE * len(lanes)
    for year in _years(first, today):
        x = at(dt.date(year, 1, 1))
        yield line(x, 6, x, bottom, "grid")
        yield label(x, bottom + 14, str(year), "tiny", "middle")
    for number, lane in enumerate(lanes):
        y = _TOP + _LANE * number + 4
        yield label(0, y + 4, lane)
        yield line(_LEFT, y, WIDTH - _RIGHT, y, "axis")
        for when, _, _ in (each for each in events if each[1] == lane):
            yield dot(at(when), y, f"event e{number + 1}")


def _years(first: dt.date, last: dt.date) -> Iterator[int]:
    years = range(first.year + 1, last.year + 1)
    yield from years[:: max(1, -(-len(years) // 7))]
