"""The line in the audit trail of what an operator does in the console: written before the act (threats F2)."""

from credence.identity.console_roles import may
from credence.store.records import Account
from credence.web.console.screen import CONSOLE, Visit, Wrong
from credence.web.messages.recorded import record_act


async def record(visit: Visit, act: str, **fields: str) -> None:
    """Write the line, with the name that the act has on the command line."""
    await record_act(visit.service, visit.request, visit.operator.username, CONSOLE, act, **fields)


def require_reach(visit: Visit, account: Account) -> None:
    """Refuse to act on an account with a stronger role: through it the operator would get that role (threats E13)."""
    if not may(visit.operator.console_role, account.console_role):
        raise Wrong(f"{account.username} has the role {account.console_role} in this console, which is above yours.")
