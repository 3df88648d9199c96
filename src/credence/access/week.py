"""The open hours of access rules on the coming days, including days that a clock change shortens or lengthens (D15)."""

import datetime as dt
import itertools
import math
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from credence.access.rules import AccessRules, is_open, local_time
from credence.clock import Milliseconds

_MINUTE_MS = 60_000
_STEP_MINUTES = 15
"""A step in minutes; the offsets of time zones from UTC are multiples of it."""


@dataclass(frozen=True, slots=True)
class Day:
    """One local day, from midnight to midnight, with the periods in which access is open."""

    date: dt.date
    start: Milliseconds
    end: Milliseconds
    open: tuple[tuple[Milliseconds, Milliseconds], ...]
    """The open periods: first instant, and first instant after it."""


def days_of(rules: AccessRules, now: Milliseconds, count: int = 7) -> list[Day]:
    """Return the present day of the rules' time zone and those after it. Raises ZoneInfoNotFoundError."""
    zone = ZoneInfo(rules.time_zone)
    first = local_time(rules, now).date()
    midnights = [_midnight(first + dt.timedelta(days=number), zone) for number in range(count + 1)]
    step = math.gcd(_STEP_MINUTES, *(bound for each in rules.windows for bound in (each.start, each.end))) * _MINUTE_MS
    return [
        Day(first + dt.timedelta(days=number), start, end, _open_times(rules, start, end, step))
        for number, (start, end) in enumerate(itertools.pairwise(midnights))
    ]


def _midnight(date: dt.date, zone: ZoneInfo) -> Milliseconds:
    return int(dt.datetime.combine(date, dt.time(), zone).timestamp()) * 1000


def _open_times(
    rules: AccessRules, start: Milliseconds, end: Milliseconds, step: int
) -> tuple[tuple[Milliseconds, Milliseconds], ...]:
    if not rules.windows:
        return ((start, end),)
    found: list[tuple[Milliseconds, Milliseconds]] = []
    for at in range(start, end, step):
        if not is_open(rules, at):
            continue
        if found and found[-1][1] == at:
            found[-1] = (found[-1][0], min(at + step, end))
        else:
            found.append((at, min(at + step, end)))
    return tuple(found)
