"""The test clock of an application of the sandbox, as its record has it (`identity/applications.py`)."""

import msgspec

from credence.clock import Milliseconds


class ClockMove(msgspec.Struct, frozen=True, array_like=True):
    """One move of a test clock."""

    at: Milliseconds
    """The real time of the move."""
    ahead: Milliseconds
    """How far the clock is ahead of real time after the move, in whole seconds; it only grows."""


class ApplicationClock(msgspec.Struct, frozen=True):
    """The moves since the last reset, the oldest first, and how many resets there were."""

    moves: tuple[ClockMove, ...] = ()
    resets: int = 0
