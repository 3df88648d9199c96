"""`credence webhook`: the webhooks of applications, for the operator (D31)."""

import typer

from credence.cli.operation_commands import add_to
from credence.operations.table import commands_of

commands = typer.Typer(help="Webhooks: where applications get their events.")
add_to(commands, *commands_of("webhook"))
