"""`credence alert`: the alerts of an application, and the digest of a day (D31)."""

import datetime as dt
from typing import Annotated

import msgspec
import typer

from credence.cli.deployment import AsJson, DataDir, act_on_store, application_of, settings_of
from credence.cli.failure import WrongUsage
from credence.cli.operation_commands import add_to
from credence.cli.output import instant, print_many
from credence.clock import DAY_MS, Milliseconds, date_of, day_start, london_day
from credence.monitoring.comparing import document_of
from credence.operations.table import commands_of
from credence.store.alerts import Alert, AlertFilter
from credence.store.contract import Store

commands = typer.Typer(help="Alerts: events as people work on them.")
add_to(commands, *commands_of("alert"))

Client = Annotated[str, typer.Argument(help="The client_id of an application.")]

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

    async def find(store: Store, now: Milliseconds) -> list[dict[str, object]]:
        await application_of(store, client)
        only = AlertFilter(unread=unread, today=london_day(now).isoformat(), assigned_to=assigned_to)
        return [_row(each) for each in await store.alerts(client, after, MAX_SHOWN, only)]

    print_many(act_on_store(settings_of(data_dir), find), as_json=as_json)


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
