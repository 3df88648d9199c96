"""Whom an operator may act on."""

from credence.identity.console_roles import may
from credence.store.records import Account
from credence.web.screens.screen import Visit, Wrong


def require_reach(visit: Visit, account: Account) -> None:
    """Refuse to act on an account with a stronger role: through it the operator would get that role (threats E13)."""
    if not may(visit.account.console_role, account.console_role):
        raise Wrong(f"{account.username} has the role {account.console_role} in this console, which is above yours.")
