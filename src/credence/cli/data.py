"""`credence data`: what the credit reports are made from (credit §2.2)."""

from contextlib import closing
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from credence.cli.deployment import AsJson, DataDir, settings_of
from credence.cli.output import instant, print_one
from credence.clock import system_clock
from credence.credit.register import Register
from credence.credit.sources.register import load as load_register

commands = typer.Typer(help="Credit data.")
loads = typer.Typer(help="Replace a data set by what its source publishes.")
commands.add_typer(loads, name="load")


@loads.command()
def register(
    files: Annotated[
        list[Path], typer.Argument(help="A snapshot of Companies House: CSV or zip, in one or more parts.")
    ],
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Load the company register. The old data set serves until the new one is complete."""
    settings, now = settings_of(data_dir), system_clock()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,} rows"),
        TimeElapsedColumn(),
    )
    terminal = Console(stderr=True)
    with Progress(*columns, console=terminal, transient=True, disable=not terminal.is_terminal) as progress:
        task = progress.add_task("Loading the register", total=None)  # how many rows there are is known at the end
        summary = load_register(files, settings.register_file, now, lambda rows: progress.update(task, completed=rows))
    print_one(msgspec.to_builtins(summary, enc_hook=str), as_json=as_json)


@commands.command()
def status(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Show what is loaded."""
    path = settings_of(data_dir).register_file
    with closing(Register(path)) as register:
        about = register.about()
    if about is None:
        print_one({"register": None}, as_json=as_json)
        return
    fields = {
        "register": str(path),
        "source": about.source,
        "snapshot": about.snapshot.isoformat() if about.snapshot else None,
        "companies": about.companies,
        "loaded_at": instant(about.loaded_at),
    }
    print_one(fields, as_json=as_json)
