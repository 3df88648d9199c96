"""`credence audit`: verifies that the audit trail is complete and unchanged, and searches the refusals."""

from typing import Annotated

import typer

from credence.cli.deployment import AsJson, DataDir, settings_of
from credence.cli.failure import NotFound, WrongContent
from credence.cli.output import print_many, print_one
from credence.cli.refusal_lines import matching
from credence.telemetry.audit_chain import verify as verify_trail
from credence.telemetry.audit_files import DEEDS

commands = typer.Typer(help="The audit trail.")


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


@commands.command()
def refusals(
    application: Annotated[
        str | None, typer.Option(metavar="CLIENT_ID", show_default="any", help="Of this application.")
    ] = None,
    account: Annotated[
        str | None, typer.Option(metavar="USERNAME", show_default="any", help="Of this account.")
    ] = None,
    address: Annotated[str | None, typer.Option(show_default="any", help="From this address.")] = None,
    reason: Annotated[str | None, typer.Option(show_default="any", help="With this reason code.")] = None,
    node: Annotated[
        str | None, typer.Option(show_default="any", help="Answered by this node of a shared store.")
    ] = None,
    newest: Annotated[int, typer.Option(min=1, max=10_000, help="How many at most.")] = 50,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """List the newest refusals, the newest first: of all nodes that share a store, otherwise of this one."""
    settings = settings_of(data_dir)
    given = {"application": application, "account": account, "address": address, "reason": reason, "node": node}
    lines = matching(settings, {name: value for name, value in given.items() if value is not None}, newest)
    columns = ("time", "node", "request_id", "status", "reason", "route", "application", "account", "address")
    shown = columns if settings.store else tuple(name for name in columns if name != "node")
    print_many([{name: line.get(name) for name in shown} for line in lines], as_json=as_json)
