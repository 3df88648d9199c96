"""Time as a value: milliseconds since the Unix epoch, read only by the pipeline and commands and passed as an argument."""

import datetime as dt
import time
from collections.abc import Callable
from functools import lru_cache

Milliseconds = int
"""Milliseconds since 1970-01-01T00:00:00Z, or a duration in milliseconds."""

HOUR_MS, DAY_MS = 3_600_000, 86_400_000

_FIRST_DAY = dt.date(1970, 1, 1).toordinal()

Clock = Callable[[], Milliseconds]

seconds = time.monotonic
"""Returns monotonic seconds since an arbitrary instant, for durations: setting the machine's clock does not affect it.
It is the built-in function itself, because every request calls it twice."""


sleep = time.sleep
"""Waits for a number of seconds. Only commands and threads call it; an event loop has its own."""


def system_clock() -> Milliseconds:
    """Return this machine's time. Only the request pipeline and the commands call it."""
    return time.time_ns() // 1_000_000


def monotonic_ms() -> Milliseconds:
    """Return monotonic milliseconds since an arbitrary instant, for rate limits."""
    return time.monotonic_ns() // 1_000_000


def date_of(at: Milliseconds) -> dt.date:
    """Return the UTC date of an instant."""
    return dt.date.fromordinal(_FIRST_DAY + at // DAY_MS)


def london_day(at: Milliseconds) -> dt.date:
    """Return the date of an instant in London, the day of what UK publishers date: an hour ahead of UTC in summer.

    Computed by the rule of the Summer Time Order 2002, because a machine may have no data of time zones.
    """
    return _london_day(at // HOUR_MS)


@lru_cache(maxsize=1024)
def _london_day(hour: int) -> dt.date:
    year = date_of(hour * HOUR_MS).year
    is_summer = _last_sunday(year, 3) <= hour < _last_sunday(year, 10)
    return date_of((hour + is_summer) * HOUR_MS)


@lru_cache(maxsize=64)
def _last_sunday(year: int, month: int) -> int:
    """Return the hour since the epoch that begins at 1:00 UTC on the last Sunday of a month of 31 days."""
    last = dt.date(year, month, 31)
    return day_start(last - dt.timedelta(days=last.isoweekday() % 7)) // HOUR_MS + 1


def rfc3339(at: Milliseconds) -> str:
    """Return an instant in UTC to the second, as `2026-11-22T09:30:00Z`."""
    return (dt.datetime(1970, 1, 1) + dt.timedelta(seconds=at // 1000)).isoformat() + "Z"  # noqa: DTZ001 - UTC throughout


def day_start(day: dt.date) -> Milliseconds:
    """Return the instant at which a day begins in UTC."""
    return (day.toordinal() - _FIRST_DAY) * DAY_MS


def thread_time() -> int:
    """Return the CPU time of this thread in nanoseconds."""
    return time.thread_time_ns()


@lru_cache(maxsize=1024)
def day_in_words(day: dt.date) -> str:
    """Return a date as text: `1 May 2026`."""
    return f"{day.day} {day:%B} {day.year}"
