"""`credence account`: users and service accounts, their passwords, status and access rules (spec §2.1, D14, D15)."""

import typer

from credence.cli.operation_commands import add_to
from credence.operations.table import commands_of

commands = typer.Typer(help="Users and service accounts.")
add_to(commands, *commands_of("account"))
