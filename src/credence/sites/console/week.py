"""The weekly hours of access rules as a chart with its table: the next seven days, local time and UTC (D15)."""

import datetime as dt
from zoneinfo import ZoneInfoNotFoundError

from credence.access.rules import AccessRules, local_time
from credence.access.week import Day, days_of
from credence.clock import Milliseconds
from credence.sites.kit.blocks import Block, Cell, Line, Note, Span, Table, TimeLine

_HOUR_MS = 3_600_000
_DAY_HOURS = 24


def week_of(rules: AccessRules, now: Milliseconds) -> list[Block]:
    """Return chart and table of the hours; an empty list if the rules have no hours."""
    if not rules.windows:
        return []
    try:
        days = days_of(rules, now)
    except ZoneInfoNotFoundError:
        return [Note(f"The time zone {rules.time_zone} is not known on this machine, so every call is refused.", "bad")]
    lines = [Line(f"{day.date:%a %d %b}", _spans(rules, day)) for day in days]
    rows = [
        [
            Cell(f"{day.date:%a %d %b %Y}"),
            Cell(", ".join(_times(rules, day, each) for each in day.open) or "closed"),
            Cell(", ".join(f"{_utc(first)} to {_utc(last)}" for first, last in day.open)),
            _length(day),
        ]
        for day in days
    ]
    zone = rules.time_zone
    return [
        TimeLine(f"Hours of the next seven days, {zone}", lines, None, "00:00", "24:00"),
        Table("The same hours", ("Day", f"Open, {zone}", "Open, UTC", "Length of the day"), rows, ""),
    ]


def _spans(rules: AccessRules, day: Day) -> list[Span]:
    def place(at: Milliseconds) -> int:
        return round(1000 * (at - day.start) / (day.end - day.start))

    return [Span(place(first), place(last), "good", _times(rules, day, (first, last))) for first, last in day.open]


def _times(rules: AccessRules, day: Day, span: tuple[Milliseconds, Milliseconds]) -> str:
    first, last = span
    end = "24:00" if last == day.end else f"{local_time(rules, last):%H:%M}"
    return f"{local_time(rules, first):%H:%M} to {end}"


def _utc(at: Milliseconds) -> str:
    return f"{dt.datetime.fromtimestamp(at // 1000, dt.UTC):%a %H:%M}"


def _length(day: Day) -> Cell:
    hours = (day.end - day.start) / _HOUR_MS
    changed = hours != _DAY_HOURS
    return Cell(f"{hours:g} h{': the clocks change' if changed else ''}", tone="warn" if changed else "")
