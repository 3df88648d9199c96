"""How far the role of a person reaches among applications (threats E13)."""

from collections.abc import Iterable

from credence.identity.console_roles import may
from credence.oauth.parameters.scopes import MANAGE_SCOPES
from credence.store.records import ConsoleRole


def may_hand_on(role: ConsoleRole, scopes: Iterable[str]) -> bool:
    """Return whether a person of this role may give an application these scopes, or touch one that has them.

    An application that may manage the service has no role: with its secret an operator would do what only an owner may.
    """
    return may(role, "owner") or MANAGE_SCOPES.keys().isdisjoint(scopes)
