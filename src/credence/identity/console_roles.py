"""The roles of the operator console. Each role includes those before it (D30)."""

from typing import get_args

import msgspec

from credence.store.records import Account, ConsoleRole

CONSOLE_ROLES: tuple[ConsoleRole, ...] = get_args(ConsoleRole)
"""All roles, weakest first.

`reader` reads what concerns no person, `support` manages accounts, `operator` changes applications and keys, `owner` does
what cannot be undone.
"""


def role_reaches(role: ConsoleRole, needed: ConsoleRole) -> bool:
    """Return whether a role includes the needed one."""
    return CONSOLE_ROLES.index(role) >= CONSOLE_ROLES.index(needed)


def with_console_role(account: Account, role: ConsoleRole) -> Account:
    """Return the account with this role; its tokens and sessions stay valid."""
    if account.console_role == role:
        return account
    return msgspec.structs.replace(account, console_role=role, version=account.version + 1)
