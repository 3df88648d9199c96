"""`credence alert`: the alerts of an application, and the digest of a day (D31)."""

import datetime as dt
from typing import Annotated

import msgspec
import typer

from credence.cli.deployment import AsJson, DataDir, act_on_store, application_of, record, settings_of
from credence.cli.failure import NotFound, WrongUsage
from credence.cli.output import instant, print_many, print_one
from credence.clock import DAY_MS, Milliseconds, date_of, day_start
from credence.monitoring.alerts import AlertBody, changed
from credence.monitoring.comparing import document_of
from credence.monitoring.rows import MAX_CHARACTERS
from credence.operations.audit_changes import changes
from credence.store.alerts import Alert, AlertFilter
from credence.store.contract import Store

commands = typer.Typer(help="Alerts: events as people work on them.")

Client = Annotated[str, typer.Argument(help="The client_id of an application.")]
Number = Annotated[int, typer.Argument(help="The number of the event.", min=1)]

MAX_SHOWN = 1_000


@commands.command("list")
def list_alerts(
    client: Client,
    unread: Annotated[bool, typer.Option("--unread", help="Only those that are not read.")] = False,
    assigned_to: Annotated[str, typer.Option(help="Only those assigned to this name.", show_default="any")] = "",
    after: Annotated[int, typer.Option(help="Only those above this number.", min=0)] = 0,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """List the alerts that an application may read, at most a thousand."""

    async def find(store: Store, _now: Milliseconds) -> list[dict[str, object]]:
        await application_of(store, client)
        only = AlertFilter(unread=unread, assigned_to=assigned_to)
        return [_row(each) for each in await store.alerts(client, after, MAX_SHOWN, only)]

    print_many(act_on_store(settings_of(data_dir), find), as_json=as_json)


@commands.command("set")
def change(
    client: Client,
    number: Number,
    read: Annotated[
        bool | None, typer.Option("--read/--unread", help="Whether it has been read.", show_default="unchanged")
    ] = None,
    assigned_to: Annotated[str | None, typer.Option(help="Who works on it.", show_default="unchanged")] = None,
    note: Annotated[str | None, typer.Option(help="A note.", show_default="unchanged")] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Mark an alert as read or unread, assign it, or change its note."""
    settings = settings_of(data_dir)
    for text in (assigned_to or "", note or ""):
        if not text.isprintable() or len(text) > MAX_CHARACTERS:
            raise WrongUsage(f"A text has one line of at most {MAX_CHARACTERS} characters.")

    async def save(store: Store, now: Milliseconds) -> dict[str, object]:
        await application_of(store, client)
        found = await store.alerts(client, number - 1, 1, AlertFilter())
        if not found or found[0].event.number != number:
            raise NotFound(f"There is no event {number} that this application may read.")
        kept = found[0].state
        body = AlertBody(
            kept.read_at > 0 if read is None else read,
            kept.assigned_to if assigned_to is None else assigned_to,
            kept.note if note is None else note,
        )
        state = changed(kept, body, now)
        if changes(kept, state):
            record(settings, "alert set", changes(kept, state), application=client, event=str(number))
            await store.save_alert(state)
        return _row(Alert(found[0].event, state))

    print_one(act_on_store(settings, save), as_json=as_json)


@commands.command()
def digest(
    client: Client,
    day: Annotated[str, typer.Option(help="The day (UTC), as 2026-11-21.", show_default="yesterday")] = "",
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Count the events of a day for each portfolio and rule."""
    settings = settings_of(data_dir)
    try:
        chosen = dt.date.fromisoformat(day) if day else None
    except ValueError:
        raise WrongUsage(f"{day!r} is no day: write it as 2026-11-21.") from None

    async def find(store: Store, now: Milliseconds) -> list[dict[str, object]]:
        await application_of(store, client)
        begins = day_start(chosen) if chosen else day_start(date_of(now)) - DAY_MS
        lines = await store.digest(client, begins, begins + DAY_MS)
        return [each._asdict() for each in lines]

    print_many(act_on_store(settings, find), as_json=as_json)


def _row(alert: Alert) -> dict[str, object]:
    document = document_of(alert.event.document)
    return {
        "number": alert.event.number,
        "portfolio": alert.event.portfolio,
        "rule": alert.event.rule,
        "kind": document.kind,
        "company": alert.event.company,
        "before": msgspec.json.decode(document.before),
        "after": msgspec.json.decode(document.after),
        "read_at": instant(alert.state.read_at) if alert.state.read_at else "",
        "assigned_to": alert.state.assigned_to,
        "note": alert.state.note,
    }
