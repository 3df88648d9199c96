"""`credence clock`: the test clock of an application in the sandbox (D18)."""

import typer

from credence.cli.operation_commands import add_to
from credence.operations.table import commands_of

commands = typer.Typer(help="Test clocks of applications of the sandbox.")
add_to(commands, *commands_of("clock"))
