"""The test clock of an application: moved forward and reset, in the sandbox alone (D18)."""

from dataclasses import replace
from typing import Annotated

import msgspec
from msgspec import UNSET, Struct, UnsetType

from credence.clock import DAY_MS, Milliseconds, rfc3339
from credence.errors import InvalidInput
from credence.identity.applications import application_time, resets
from credence.meanings import Input, meaning
from credence.oauth.parameters.scopes import MANAGE_APPLICATIONS
from credence.operations.acting import READ, Access, Acting
from credence.operations.applications import APPLICATION
from credence.operations.operation import Change, Noun, operation
from credence.operations.reading import showing
from credence.request_log.query import instant, span
from credence.settings import Environment, Settings
from credence.store.records import Application, ApplicationClock, ClockMove

MAX_AHEAD_MS = 5 * 366 * DAY_MS
"""The maximum distance of a test clock from real time: about five years."""

MAX_MOVES = 200
"""Maximum number of moves between two resets, because all are read with the application."""


class ClockBody(Struct, forbid_unknown_fields=True):
    """The new time of a test clock, given by one of the two members."""

    by: Annotated[str | UnsetType, meaning("A span: `90s`, `15m`, `1h` or `7d`.", example="7d")] = UNSET
    to: Annotated[str | UnsetType, meaning("A time of the application.", example="2027-01-01T00:00:00Z")] = UNSET


class TypedMove(Struct):
    """The new time of a test clock as a person types it: a span or a time."""

    to: Annotated[
        str,
        Input("A span such as 90s, 15m, 1h or 7d, or a time: 2027-01-01T00:00:00Z.", argument=True, label="By or to"),
    ]

    def body(self) -> ClockBody:
        """Return what the management API takes."""
        text = self.to.strip()
        return ClockBody(to=text) if span(text) is None else ClockBody(by=text)


class ClockMoveState(Struct):
    """One move of a test clock."""

    at: Annotated[str, meaning("When it was made, in real time.")]
    ahead_seconds: Annotated[int, meaning("How far the clock is ahead of real time since then.", unit="seconds")]


class ClockState(Struct):
    """The test clock of an application."""

    client_id: Annotated[str, meaning("The application.")]
    ahead_seconds: Annotated[int, meaning("How far it is ahead of real time; 0: it has real time.", unit="seconds")]
    moves: Annotated[list[ClockMoveState], meaning("Its changes since the last reset, oldest first.")]
    resets: Annotated[int, meaning("How often it was reset.")]
    time: Annotated[str, meaning("What time it is for the application.", example="2027-01-01T00:00:00Z")] = ""


def clock_of(application: Application, now: Milliseconds) -> ClockState:
    """Return the test clock of an application, with its time at a real instant."""
    moves = application.clock.moves if application.clock is not None else ()
    shown = [ClockMoveState(rfc3339(move.at), move.ahead // 1000) for move in moves]
    ahead = moves[-1].ahead // 1000 if moves else 0
    time = rfc3339(application_time(application, now))
    return ClockState(application.client_id, ahead, shown, resets(application), time)


async def _state(by: Acting, application: Application) -> ClockState:
    return clock_of(application, by.now)


CLOCK: Noun[Application] = replace(APPLICATION, path="applications/{client_id}/clock", state=_state, untagged=("time",))

_ACCESS = Access(MANAGE_APPLICATIONS, "operator", owner=True)


def _in_sandbox(settings: Settings) -> bool:
    return settings.environment is Environment.SANDBOX


def _moved(found: Application) -> bool:
    return found.clock is not None and bool(found.clock.moves)


read_clock = showing(
    CLOCK,
    "clock show",
    id="read_clock",
    access=READ,
    title="Read the test clock of an application",
    text="Show the test clock of an application and how far it was moved.",
)


@operation(
    "clock advance", on=CLOCK, api=("POST", ""), access=_ACCESS, title="Move the test clock forward", typed=TypedMove
)
async def advance_clock(by: Acting, found: Application, body: ClockBody) -> Change[Application]:
    """Move the clock forward: tokens, logins, secrets and hours of the application follow. Others are not affected."""
    changed = advanced(found, by.means.settings, body, by.now)
    time = rfc3339(application_time(changed, by.now))
    return Change(changed, said=f"For {found.name} it is {time} now.")


@operation(
    "clock reset",
    on=CLOCK,
    api=("DELETE", ""),
    access=_ACCESS,
    title="Reset the test clock",
    dangerous=True,
    offered=_moved,
)
async def reset_clock(by: Acting, found: Application, _body: None) -> Change[Application]:
    """Give the application real time again. Its tokens, its logins and its expired secrets end."""
    changed = reset(found, by.means.settings, by.now)
    if changed == found:
        return Change(found, said=f"{found.name} has real time already.")
    return Change(changed, said=f"{found.name} has real time again; its tokens and logins from before have ended.")


def advanced(application: Application, settings: Settings, body: ClockBody, now: Milliseconds) -> Application:
    """Return the application with its clock moved forward by a span such as `7d`, or to a given time.

    Raises InvalidInput outside the sandbox, and for a time that is not later or is too far away.
    """
    _require_sandbox(settings)
    clock = application.clock or ApplicationClock()
    if clock.moves:  # another node, whose clock is ahead, may have made the last move
        now = max(now, clock.moves[-1].at)
    present = application_time(application, now)
    ahead = present - now + _seconds(body, present) * 1000
    if ahead <= present - now:
        raise InvalidInput(f"A test clock only moves forward; for the application it is {rfc3339(present)}.")
    if ahead > MAX_AHEAD_MS:
        raise InvalidInput(f"A test clock is at most {MAX_AHEAD_MS // DAY_MS:,} days ahead.")
    if len(clock.moves) >= MAX_MOVES:
        raise InvalidInput(f"A test clock moves at most {MAX_MOVES} times; reset it.")
    earlier = tuple(move for move in clock.moves if move.at < now)  # a second move at one instant replaces the first
    moved = msgspec.structs.replace(clock, moves=(*earlier, ClockMove(now, ahead)))
    return msgspec.structs.replace(application, clock=moved)


def _seconds(body: ClockBody, present: Milliseconds) -> int:
    """Return by how many seconds a clock moves; raises InvalidInput unless exactly one member is given, in its form."""
    match body.by, body.to:
        case str(text), UnsetType():
            by = span(text)
            if by is not None:
                return (by + 999) // 1000
        case UnsetType(), str(text):
            if span(text) is None:
                return (instant(text) - present + 999) // 1000
        case _:
            raise InvalidInput("Give either by (a duration) or to (a time).")
    raise InvalidInput("by is a span such as 7d, and to is a time such as 2027-01-01T00:00:00Z.")


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
    return msgspec.structs.replace(application, clock=clock, secrets=secrets)


def _require_sandbox(settings: Settings) -> None:
    if not _in_sandbox(settings):
        raise InvalidInput("Only applications of the sandbox have a test clock.")
