"""Decides whether the clock may be trusted with irreversible work: deletions and the dates of keys (threats T11).

A clock that runs ahead for a moment must not cause the deletion of revocations of tokens that are still valid.
Decisions about a request use the clock unchecked: a wrong one lasts only as long as the clock is wrong.
"""

from collections.abc import Callable

from credence import clock
from credence.clock import Clock, Milliseconds
from credence.telemetry.log import error

LEAP_MS = 60_000
"""The change of the clock against monotonic time, between two readings, that counts as a leap.

Clocks are slewed more slowly.
"""

CONFIRMATION_SECONDS = 3_600
"""Seconds for which a clock must run evenly, since the start or a leap, before it is trusted."""


class ClockWatch:
    """Compares the clock with monotonic time at every call of `trusted`."""

    def __init__(self, wall: Clock, seconds: Callable[[], float] = clock.seconds) -> None:
        self._wall = wall
        self._seconds = seconds
        self._offset = self._offset_now()
        self._even_since = seconds()
        self.leaped = False
        """Whether the clock has leaped and has not yet run evenly for CONFIRMATION_SECONDS."""

    def trusted(self) -> Milliseconds | None:
        """Return the time, or None until the clock has run evenly for CONFIRMATION_SECONDS. Logs a leap."""
        offset, now = self._offset_now(), self._seconds()
        leap, self._offset = offset - self._offset, offset
        if abs(leap) > LEAP_MS:
            self._even_since, self.leaped = now, True
            error("clock_leaped", seconds=leap / 1000, nothing_deleted_for_seconds=CONFIRMATION_SECONDS)
        if now - self._even_since < CONFIRMATION_SECONDS:
            return None
        self.leaped = False
        return self._wall()

    def _offset_now(self) -> float:
        return self._wall() - self._seconds() * 1000
