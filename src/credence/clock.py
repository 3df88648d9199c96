"""Time as a value: milliseconds since the Unix epoch, read at the edge and handed on."""

import datetime as dt
import time
from collections.abc import Callable

Milliseconds = int
"""Milliseconds since 1970-01-01T00:00:00Z, as an integer."""

Clock = Callable[[], Milliseconds]


def system_clock() -> Milliseconds:
    """Return the machine's time. Only the pipeline and the commands read it."""
    return time.time_ns() // 1_000_000


def seconds() -> float:
    """Return seconds since some instant, for differences alone: they go on evenly whatever the machine's time is set to."""
    return time.monotonic()


def date_of(at: Milliseconds) -> dt.date:
    """Return the day of an instant, in UTC."""
    return (dt.datetime(1970, 1, 1) + dt.timedelta(milliseconds=at)).date()  # noqa: DTZ001 - all of it is UTC


def thread_time() -> int:
    """Return the processor time that this thread has spent, in nanoseconds: what work costs, not what time it is."""
    return time.thread_time_ns()
