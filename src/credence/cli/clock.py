"""`credence clock`: the test clock of an application in the sandbox (D18)."""

import asyncio
from typing import Annotated

import msgspec
import typer

from credence.cli.application_change import change_application
from credence.cli.deployment import AsJson, DataDir, application_of, opened, settings_of, time_of
from credence.cli.output import print_one
from credence.clock import Milliseconds, rfc3339
from credence.identity.applications import application_time
from credence.management.clocks import ClockState, advanced, clock_of, reset
from credence.store.records import Application

commands = typer.Typer(help="Test clocks of applications of the sandbox.")

ClientId = Annotated[str, typer.Argument(help="The application's client_id.")]


@commands.command()
def show(client_id: ClientId, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Print what time it is for an application, and how its clock was moved."""

    async def act() -> ClockState:
        async with opened(settings_of(data_dir)) as store:
            return _with_time(await application_of(store, client_id), time_of(store))

    _print(asyncio.run(act()), as_json=as_json)


@commands.command()
def advance(
    client_id: ClientId,
    to: Annotated[str, typer.Argument(help="A span such as 90s, 15m, 1h or 7d, or a time: 2027-01-01T00:00:00Z.")],
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Move the clock forward: tokens, logins, secrets and hours of the application follow. Others are not affected."""
    settings = settings_of(data_dir)
    moved = change_application(
        settings, "clock advance", client_id, lambda found, now: advanced(found, settings, to, now)
    )
    _print(_with_time(*moved), as_json=as_json)


@commands.command("reset")
def reset_clock(client_id: ClientId, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Give the application real time again. Its tokens, its logins and its expired secrets end."""
    settings = settings_of(data_dir)
    changed = change_application(settings, "clock reset", client_id, lambda found, now: reset(found, settings, now))
    _print(_with_time(*changed), as_json=as_json)


def _with_time(application: Application, now: Milliseconds) -> ClockState:
    time = rfc3339(application_time(application, now))
    return msgspec.structs.replace(clock_of(application), time=time)


def _print(clock: ClockState, *, as_json: bool) -> None:
    print_one(msgspec.to_builtins(clock), as_json=as_json)
