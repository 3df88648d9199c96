"""`credence app`: client applications, their authentication and their rights (spec §2.1, §5.1, D15, D25)."""

import typer

from credence.cli.operation_commands import add_to
from credence.cli.password_grant_report import report
from credence.operations.application_changes import CHANGES
from credence.operations.application_logins import end_every_login, end_logins
from credence.operations.applications import list_applications, make_application, read_application
from credence.operations.client_hosts import decide, list_hosts
from credence.operations.invitations import invite
from credence.operations.secrets import end_secret, rotate_secret

commands = typer.Typer(help="Client applications.")
add_to(commands, make_application, list_applications, read_application, *CHANGES, rotate_secret, end_secret)
commands.command()(report)
add_to(commands, invite, list_hosts, decide, end_logins, end_every_login)
