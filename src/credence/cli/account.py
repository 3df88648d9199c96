"""`credence account`: users and service accounts, their passwords, status and access rules (spec §2.1, D14, D15)."""

import typer

from credence.cli.operation_commands import add_to
from credence.operations.account_access import (
    count_attempts,
    end_all,
    give_role,
    let_into_portal,
    let_into_workbench,
    set_password,
    unlock,
)
from credence.operations.accounts import CHANGES, list_accounts, make_account, read_account
from credence.operations.logins import (
    end_login,
    end_session,
    list_consents,
    list_factors,
    list_logins,
    list_sessions,
    remove_factors,
    withdraw_consent,
)
from credence.operations.password_links import invite, reset_link

commands = typer.Typer(help="Users and service accounts.")
add_to(commands, make_account, list_accounts, read_account, *CHANGES, count_attempts, unlock, set_password)
add_to(commands, invite, reset_link, give_role, let_into_workbench, let_into_portal)
add_to(commands, list_sessions, end_session, list_logins, end_login, list_consents, withdraw_consent)
add_to(commands, list_factors, remove_factors, end_all)
