"""`credence audit`: verifies that the audit trail is complete and unchanged, and searches it."""

from typing import Annotated

import typer

from credence.cli.deployment import AsJson, DataDir, settings_of
from credence.cli.failure import NotFound, WrongContent
from credence.cli.operation_commands import add_to
from credence.cli.output import print_one
from credence.operations.table import commands_of
from credence.telemetry.audit_chain import verify as verify_trail
from credence.telemetry.audit_files import DEEDS

commands = typer.Typer(help="The audit trail.")
add_to(commands, *commands_of("audit"))


@commands.command()
def verify(
    noted: Annotated[
        str | None,
        typer.Option(
            "--contains", help="A digest that was noted earlier: its line must still be there.", show_default="none"
        ),
    ] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Check that no line was changed or removed. Note the last digest elsewhere: it also shows a trail cut at its end."""
    settings = settings_of(data_dir)
    found = verify_trail(settings.audit_folder, DEEDS, noted)
    if not found.lines:
        raise NotFound(f"There is no audit trail in {settings.audit_folder}.")
    missing = () if found.noted_found else (f"No line has the digest {noted!r}: the trail was cut, or it is older.",)
    if found.faults or missing:
        raise WrongContent(*(f"{settings.audit_folder}/{fault}." for fault in found.faults), *missing)
    told = {"files": found.files, "lines": found.lines, "since": found.since, "until": found.until}
    print_one({**told, "last_digest": found.last_digest}, as_json=as_json)
