"""Operations of operators on the streams of shared signals (SSF 1.0); their receivers have the API that SSF defines."""

from functools import partial
from typing import Annotated, Final

from msgspec import Struct

from credence.clock import rfc3339
from credence.meanings import Input, meaning
from credence.oauth.parameters.scopes import MANAGE_APPLICATIONS
from credence.oauth.signals.streams import status_changed
from credence.operations.acting import READ, Access, Acting
from credence.operations.operation import Change, Noun, operation
from credence.operations.reading import listing, showing
from credence.store.signals import STREAMS, SignalStream, Status


class SignalStreamState(Struct):
    """A stream of signals to an application."""

    id: Annotated[str, meaning("Its id.", example="<STREAM>")]
    owner: Annotated[str, meaning("The application that made it.", example="<CLIENT_ID>")]
    method: Annotated[str, meaning("How its signals are delivered: `push` or `poll`.")]
    endpoint: Annotated[str, meaning("The address to which they are pushed; empty for a polled stream.")]
    events: Annotated[list[str], meaning("The events that its receiver requests.")]
    description: Annotated[str, meaning("The receiver's own words.")]
    status: Annotated[str, meaning("`enabled`, `paused` or `disabled`.")]
    reason: Annotated[str, meaning("Why, for its receiver.")]
    set_by_operator: Annotated[bool, meaning("Whether an operator stopped it, which its receiver cannot undo.")]
    removed: Annotated[int, meaning("How many accounts its receiver wants no signals about.")]
    created_at: Annotated[str, meaning("When it was made.")]
    waiting: Annotated[int, meaning("How many signals wait for its receiver.")]
    given_up: Annotated[int, meaning("How many signals were given up.")]


class SignalStreams(Struct):
    """The streams of signals."""

    streams: Annotated[list[SignalStreamState], meaning("The streams, by id.")]
    next_page_token: Annotated[str, meaning("The token of the next page; empty at the end.")]


class ReasonBody(Struct, forbid_unknown_fields=True):
    """Why a stream is stopped."""

    reason: Annotated[str, meaning("What its receiver is to read."), Input(default="nothing")] = ""


async def _state(by: Acting, stream: SignalStream) -> SignalStreamState:
    waiting, given_up = await by.means.store.count_deliveries(stream.id)
    names = ("id", "owner", "method", "endpoint", "description", "status", "reason", "set_by_operator")
    return SignalStreamState(
        **{name: getattr(stream, name) for name in names},
        events=list(stream.events),
        removed=len(stream.removed),
        created_at=rfc3339(stream.created_at),
        waiting=waiting,
        given_up=given_up,
    )


STREAM: Final[Noun[SignalStream]] = Noun(
    name="stream",
    path="streams/{id}",
    help="The id of the stream.",
    example="<STREAM>",
    kept=STREAMS,
    state=_state,
    also_named=lambda stream: {"application": stream.owner},
    untagged=("waiting", "given_up"),
)
_operation = partial(operation, on=STREAM, access=Access(MANAGE_APPLICATIONS, "operator"))

list_streams = listing(
    STREAM,
    "signal list",
    SignalStreams,
    id="list_signal_streams",
    access=READ,
    columns=("id", "owner", "method", "endpoint", "status", "reason", "waiting"),
    title="List the streams of signals",
    text="List all streams with their owners and states.",
)
read_stream = showing(
    STREAM,
    "signal show",
    id="read_signal_stream",
    access=READ,
    title="Read a stream of signals",
    text="Show a stream and the number of signals that wait for its receiver.",
)


@_operation("signal enable", api=("POST", "enable"), title="Enable a stream", id="enable_signal_stream")
async def enable(by: Acting, found: SignalStream, _body: None) -> Change[SignalStream]:
    """Enable a stream again, and send the signals that waited during a pause."""
    return _with(by, found, "enabled", "")


@_operation("signal pause", api=("POST", "pause"), title="Pause a stream", id="pause_signal_stream")
async def pause(by: Acting, found: SignalStream, body: ReasonBody) -> Change[SignalStream]:
    """Pause a stream; its signals wait, and its receiver is notified."""
    return _with(by, found, "paused", body.reason)


@_operation("signal disable", api=("POST", "disable"), title="Disable a stream", id="disable_signal_stream")
async def disable(by: Acting, found: SignalStream, body: ReasonBody) -> Change[SignalStream]:
    """Disable a stream and delete its waiting signals; its receiver is notified."""
    return _with(by, found, "disabled", body.reason)


@_operation("signal delete", api=("DELETE", ""), title="Delete a stream", id="delete_signal_stream", silent=True)
async def delete_stream(_by: Acting, _found: SignalStream, _body: None) -> Change[SignalStream]:
    """Delete a stream with its waiting signals."""
    return Change(None)


def _with(by: Acting, found: SignalStream, status: Status, reason: str) -> Change[SignalStream]:
    if (found.status, found.reason, found.set_by_operator) == (status, reason, status != "enabled"):
        return Change(found)
    after, also = status_changed(found, status, reason, by.now, notify=True)
    return Change(after, also=also)
