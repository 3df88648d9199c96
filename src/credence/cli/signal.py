"""`credence signal`: the streams of security signals to applications (SSF 1.0), for the operator."""

from collections.abc import Mapping
from typing import Annotated

import typer

from credence.cli import outbox
from credence.cli.deployment import AsJson, DataDir, act_on_store, record, settings_of
from credence.cli.failure import NotFound
from credence.cli.output import print_many, print_one
from credence.clock import Milliseconds
from credence.oauth.signals import streams
from credence.operations.audit_changes import changes
from credence.store.contract import Store
from credence.store.signals import SignalStream, Status

commands = typer.Typer(help="Shared signals: streams by which applications learn of logins that end.")

StreamId = Annotated[str, typer.Argument(help="The id of the stream.")]
_ACTS: Mapping[Status, str] = {"enabled": "enable", "paused": "pause", "disabled": "disable"}

Reason = Annotated[str, typer.Option(help="What its receiver is to read.", show_default="nothing")]


@commands.command("list")
def list_streams(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List all streams with their owners and states."""

    async def find(store: Store, _now: Milliseconds) -> list[dict[str, object]]:
        return [_row(each) for each in await store.signal_streams()]

    print_many(act_on_store(settings_of(data_dir), find), as_json=as_json)


@commands.command()
def show(stream: StreamId, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Print a stream and the number of signals that wait for its receiver."""

    async def find(store: Store, _now: Milliseconds) -> dict[str, object]:
        kept = await _found(store, stream)
        about = {"events": " ".join(kept.events), "removed": len(kept.removed)}
        return {**_row(kept), **about, **await outbox.counts(store, kept.id)}

    print_one(act_on_store(settings_of(data_dir), find), as_json=as_json)


@commands.command()
def enable(stream: StreamId, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Enable a stream again, and send the signals that waited during a pause."""
    _change("enabled", stream, "", data_dir, as_json=as_json)


@commands.command()
def pause(stream: StreamId, reason: Reason = "", data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Pause a stream; its signals wait, and its receiver is notified."""
    _change("paused", stream, reason, data_dir, as_json=as_json)


@commands.command()
def disable(stream: StreamId, reason: Reason = "", data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Disable a stream and delete its waiting signals; its receiver is notified."""
    _change("disabled", stream, reason, data_dir, as_json=as_json)


@commands.command()
def delete(stream: StreamId, data_dir: DataDir = None) -> None:
    """Delete a stream with its waiting signals."""
    settings = settings_of(data_dir)

    async def away(store: Store, _now: Milliseconds) -> None:
        kept = await _found(store, stream)
        record(settings, "signal delete", changes(kept, None), stream=stream, application=kept.owner)
        await store.delete_signal_stream(kept)

    act_on_store(settings, away)


def _change(status: Status, stream: str, reason: str, data_dir: DataDir, *, as_json: bool) -> None:
    settings = settings_of(data_dir)

    async def save(store: Store, now: Milliseconds) -> dict[str, object]:
        kept = await _found(store, stream)
        wanted = {"status": status, "reason": reason, "set_by_operator": status != "enabled"}
        had = {name: getattr(kept, name) for name in wanted}
        if wanted == had:
            return _row(kept)
        record(settings, f"signal {_ACTS[status]}", changes(had, wanted), stream=stream, application=kept.owner)
        return _row(await streams.change_status(store, kept, status, reason, now, notify=True))

    print_one(act_on_store(settings, save), as_json=as_json)


async def _found(store: Store, identity: str) -> SignalStream:
    found = await store.signal_stream(identity)
    if found is None:
        raise NotFound(f"There is no stream {identity!r}.")
    return found


def _row(stream: SignalStream) -> dict[str, object]:
    return {
        "id": stream.id,
        "owner": stream.owner,
        "method": stream.method,
        "endpoint": stream.endpoint,
        "status": stream.status,
        "reason": stream.reason,
    }
