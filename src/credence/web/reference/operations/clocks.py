"""Documentation of the test clocks in the management API. The examples show an invented deployment."""

from dataclasses import replace

from credence.management.clocks import ClockBody, ClockState
from credence.refusals.resources import RESOURCE_CHANGED, RESOURCE_UNKNOWN
from credence.web.messages.answer import JSON
from credence.web.reference.operations.management import (
    ADD_SECRET,
    END_SECRET,
    READ_APPLICATION,
    REPLACE_APPLICATION,
)
from credence.web.routing.operation import Content

_MOVE = {"at": "2026-11-22T09:30:00Z", "ahead_seconds": 604800}
_CLOCK = {
    "client_id": "<CLIENT_ID>",
    "ahead_seconds": 604800,
    "moves": [_MOVE],
    "resets": 0,
    "time": "2026-11-29T09:30:05Z",
}
_STATE = (Content(JSON, (ClockState,), {"A week ahead": _CLOCK}),)

READ_CLOCK = replace(
    READ_APPLICATION,
    id="read_clock",
    summary="Read the test clock of an application",
    description="What time it is for an application of the sandbox, and how its clock was moved.",
    answers=_STATE,
)

ADVANCE_CLOCK = replace(
    ADD_SECRET,
    id="advance_clock",
    summary="Move the test clock of an application forward",
    description=(
        "By a span or to a time. Its tokens, logins, secrets and hours follow; other applications are not affected. In the "
        "sandbox only."
    ),
    bodies=(Content(JSON, (ClockBody,), {"By a week": {"by": "7d"}, "To a time": {"to": "2027-01-01T00:00:00Z"}}),),
    answers=_STATE,
    refusals=(RESOURCE_UNKNOWN, RESOURCE_CHANGED, *ADD_SECRET.refusals[2:]),
)

RESET_CLOCK = replace(
    END_SECRET,
    id="reset_clock",
    summary="Reset the test clock of an application",
    description="The application has real time again. Its tokens, its logins and its expired secrets end.",
    parameters=(READ_APPLICATION.parameters[0], *REPLACE_APPLICATION.parameters[1:]),
    answers=_STATE,
)
