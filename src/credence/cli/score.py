"""`credence score`: scores every company of the register (credit §7)."""

from typing import Annotated

import msgspec
import typer

from credence.cli.data_publish import publish_of
from credence.cli.deployment import AsJson, DataDir, settings_of
from credence.cli.operation_commands import add_to
from credence.cli.output import print_many, print_one, progress_bar, say
from credence.cli.policy import batch
from credence.cli.score_backtest import backtest
from credence.clock import system_clock
from credence.operations.table import commands_of

commands = typer.Typer(help="The credit score.")
commands.command()(batch)
commands.command()(backtest)
add_to(commands, *commands_of("score"))


@commands.command()
def run(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Score every company of the register and keep earlier scores. The old scores serve until the run is complete."""
    # Imported late: every other command starts sooner without the readers of all sources.
    from credence.scoring.runs.run import score_all

    settings = settings_of(data_dir)
    with progress_bar("Scoring", "companies") as report_progress:
        done = score_all(settings.credit_folder, system_clock(), report_progress, publish_of(settings))
    print_one(msgspec.to_builtins(done), as_json=as_json)


@commands.command()
def compare(
    number: Annotated[str, typer.Argument(metavar="RUN", help="The later run.", show_default="the newest")] = "",
    since: Annotated[
        str, typer.Option(help="The earlier run, or fitting: the fitting data.", show_default="the run before")
    ] = "",
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Print what changed between two runs: bands, scores, and how far the inputs drifted (population stability index)."""
    from credence.management.score_runs import compared  # imported late, as above

    found = msgspec.to_builtins(compared(settings_of(data_dir), number, since))
    if as_json:
        print_one(found, as_json=True)
        return
    lists = {name: found.pop(name) or [] for name in ("bands", "differences", "drift")}
    print_one(found, as_json=False)
    for rows in lists.values():
        if rows:
            say("")
            print_many(rows, as_json=False)
