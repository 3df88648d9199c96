"""The test clock of an application: displayed, moved forward and reset by operators and developers (sandbox only)."""

from typing import Annotated

import msgspec
from msgspec import UNSET, Struct, UnsetType

from credence.clock import DAY_MS, Milliseconds, rfc3339
from credence.errors import InvalidInput
from credence.identity.applications import application_time, resets
from credence.meanings import meaning
from credence.request_log.query import instant, span
from credence.settings import Environment, Settings
from credence.store.application_clock import ApplicationClock, ClockMove
from credence.store.records import Application

MAX_AHEAD_MS = 5 * 366 * DAY_MS
"""The maximum distance of a test clock from real time: about five years."""

MAX_MOVES = 200
"""Maximum number of moves between two resets, because all are read with the application."""


class ClockBody(Struct, forbid_unknown_fields=True):
    """The new time of a test clock, given by one of the two members."""

    by: Annotated[str | UnsetType, meaning("A span: `90s`, `15m`, `1h` or `7d`.", example="7d")] = UNSET
    to: Annotated[str | UnsetType, meaning("A time of the application.", example="2027-01-01T00:00:00Z")] = UNSET


class ClockMoveState(Struct):
    """One move of a test clock."""

    at: Annotated[str, meaning("When it was made, in real time.")]
    ahead_seconds: Annotated[int, meaning("How far the clock is ahead of real time since then.", unit="seconds")]


class ClockState(Struct):
    """The test clock of an application."""

    client_id: Annotated[str, meaning("The application.")]
    ahead_seconds: Annotated[int, meaning("How far it is ahead of real time; 0: it has real time.", unit="seconds")]
    moves: Annotated[list[ClockMoveState], meaning("Its moves since the last reset, the oldest first.")]
    resets: Annotated[int, meaning("How often it was reset.")]
    time: Annotated[str, meaning("What time it is for the application.", example="2027-01-01T00:00:00Z")] = ""


def clock_of(application: Application) -> ClockState:
    """Return the test clock of an application, without its present time."""
    moves = application.clock.moves if application.clock is not None else ()
    shown = [ClockMoveState(rfc3339(move.at), move.ahead // 1000) for move in moves]
    return ClockState(application.client_id, moves[-1].ahead // 1000 if moves else 0, shown, resets(application))


def wish_of(body: ClockBody) -> str:
    """Return the span or time in a body; raises InvalidInput unless exactly one is given."""
    present = [each for each in (body.by, body.to) if each is not UNSET]
    if len(present) != 1:
        raise InvalidInput("Give either by, a span, or to, a time.")
    if (span(present[0]) is None) is (body.to is UNSET):
        raise InvalidInput("by is a span such as 7d, and to is a time such as 2027-01-01T00:00:00Z.")
    return present[0]


def advanced(application: Application, settings: Settings, wish: str, now: Milliseconds) -> Application:
    """Return the application with its clock moved forward by a span such as `7d`, or to a given time.

    Raises InvalidInput outside the sandbox, and for a time that is not later or is too far away.
    """
    _require_sandbox(settings)
    clock = application.clock or ApplicationClock()
    if clock.moves:  # another node, whose clock is ahead, may have made the last move
        now = max(now, clock.moves[-1].at)
    present = application_time(application, now)
    by = span(wish)
    seconds = ((instant(wish) - present if by is None else by) + 999) // 1000
    ahead = present - now + seconds * 1000
    if seconds <= 0:
        raise InvalidInput(f"A test clock only moves forward; for the application it is {rfc3339(present)}.")
    if ahead > MAX_AHEAD_MS:
        raise InvalidInput(f"A test clock is at most {MAX_AHEAD_MS // DAY_MS:,} days ahead.")
    if len(clock.moves) >= MAX_MOVES:
        raise InvalidInput(f"A test clock moves at most {MAX_MOVES} times; reset it.")
    earlier = tuple(move for move in clock.moves if move.at < now)  # a second move at one instant replaces the first
    moved = msgspec.structs.replace(clock, moves=(*earlier, ClockMove(now, ahead)))
    return msgspec.structs.replace(application, clock=moved, version=application.version + 1)


def reset(application: Application, settings: Settings, now: Milliseconds) -> Application:
    """Return the application with real time again; its earlier tokens and logins end, and its expired secrets are removed.

    Otherwise what had expired would be valid again. Raises InvalidInput outside the sandbox.
    """
    _require_sandbox(settings)
    if application.clock is None or not application.clock.moves:
        return application
    present = application_time(application, now)
    secrets = tuple(each for each in application.secrets if each.expires_at is None or each.expires_at > present)
    clock = ApplicationClock(resets=application.clock.resets + 1)
    return msgspec.structs.replace(application, clock=clock, secrets=secrets, version=application.version + 1)


def _require_sandbox(settings: Settings) -> None:
    if settings.environment is not Environment.SANDBOX:
        raise InvalidInput("Only applications of the sandbox have a test clock.")
