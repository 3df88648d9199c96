"""Limits which accounts an operator may act on."""

from credence.identity.console_roles import role_reaches
from credence.store.records import Account
from credence.web.screens.screen import Visit, Wrong


def require_reach(visit: Visit, account: Account) -> None:
    """Raise Wrong if the account has a stronger role than the operator, who would get that role through it (threats E13)."""
    if not role_reaches(visit.account.console_role, account.console_role):
        raise Wrong(f"{account.username} has the role {account.console_role} in this console, which is above yours.")
