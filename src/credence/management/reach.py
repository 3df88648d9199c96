"""Which applications a person may change, by role (threats E13)."""

from collections.abc import Iterable

from credence.identity.console_roles import role_reaches
from credence.oauth.parameters.scopes import MANAGE_SCOPES
from credence.store.records import ConsoleRole


def may_hand_on(role: ConsoleRole, scopes: Iterable[str]) -> bool:
    """Return whether a person of this role may give an application these scopes, or change one that has them.

    An application has no role: with the secret of one that may manage the service, an operator could do what only an owner
    may do.
    """
    return role_reaches(role, "owner") or MANAGE_SCOPES.keys().isdisjoint(scopes)
