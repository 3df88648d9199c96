"""`credence clock`: the test clock of an application in the sandbox (D18)."""

import typer

from credence.cli.operation_commands import add_to
from credence.operations.clocks import advance_clock, read_clock, reset_clock

commands = typer.Typer(help="Test clocks of applications of the sandbox.")
add_to(commands, read_clock, advance_clock, reset_clock)
