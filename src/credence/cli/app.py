"""`credence app`: client applications, their authentication and their rights (spec §2.1, §5.1, D15, D25)."""

import typer

from credence.cli.operation_commands import add_to
from credence.cli.password_grant_report import report
from credence.operations.table import commands_of

commands = typer.Typer(help="Client applications.")
add_to(commands, *commands_of("app"))
commands.command()(report)
