"""`credence score`: scores every company of the register (credit §7)."""

import msgspec
import typer

from credence.cli.data_publish import publish_of
from credence.cli.deployment import AsJson, DataDir, settings_of
from credence.cli.operation_commands import add_to
from credence.cli.output import print_one, progress_bar
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
