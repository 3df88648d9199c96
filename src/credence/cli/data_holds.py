"""`credence data hold`, `release` and `loads`: stop and allow loads of a source, and list the latest loads."""

from typing import Annotated

import msgspec
import typer

from credence.cli.deployment import AsJson, DataDir, operator, record, settings_of
from credence.cli.output import print_many, print_one
from credence.clock import system_clock
from credence.management import data_holds
from credence.management.data_history import loads as listed_loads
from credence.operations.audit_changes import changes

SourceName = Annotated[str, typer.Argument(help=f"One of {', '.join(data_holds.NAMES)}.")]
Preview = Annotated[bool, typer.Option("--preview", help="Print what would be, and change nothing.")]


def hold(
    source: SourceName,
    reason: Annotated[str, typer.Option(help="Why, in one line, for the next operator.")],
    preview: Preview = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Keep the data of a source as it is: loads, refreshes and scoring runs of it are refused until its release."""
    settings, now = settings_of(data_dir), system_clock()
    found = data_holds.hold_of(settings, source)
    state = data_holds.held(settings, source, operator(), reason, now, preview=True)
    changed = changes(found, state)
    if changed and not preview:
        record(settings, data_holds.HOLD, changed, source=source)
        state = data_holds.held(settings, source, operator(), reason, now)
    print_one(msgspec.to_builtins(state), as_json=as_json)


def release(source: SourceName, preview: Preview = False, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Let newer data of a held source be loaded again. Nothing is loaded by that."""
    settings = settings_of(data_dir)
    found = data_holds.hold_of(settings, source)
    if found.held and not preview:
        gone = data_holds.released(settings, source, preview=True)
        record(settings, data_holds.RELEASE, changes(found, gone), source=source)
    state = data_holds.released(settings, source, preview=preview or not found.held)
    print_one(msgspec.to_builtins(state), as_json=as_json)


def loads(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Show the newest loads and scoring runs of this node, newest first: when, how long, rows and rejected rows."""
    rows = listed_loads(settings_of(data_dir)).loads
    print_many([msgspec.to_builtins(each) for each in rows], as_json=as_json)
