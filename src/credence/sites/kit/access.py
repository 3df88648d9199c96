"""Who may see a screen of a site, and do its acts (D30, threats E1).

`Site.admit` returns the roles or scopes of the person who is signed in. `Screen.needs` and `Act.needs` name one of them:
without it the gate (`gate.py`) answers 403, and neither the navigation nor a page shows it. An act also needs its screen.

| Site | `needs` is | The person has it by |
|---|---|---|
| operator console | a role | the role of the account, which has what the weaker roles have (`identity/console_roles.py`) |
| developer portal | the role `developer` | an account that may develop (`management/developers.py`) |
| workbench | a scope | the application for which the account works (`workbench/reader.py`) |
"""

from dataclasses import dataclass

from credence.identity.gate import SIGNED_IN, Needs
from credence.store.records import Application


@dataclass(frozen=True, slots=True)
class Admitted:
    """What a person may do on a site."""

    label: str = ""
    """The role, or the name of the application for which the person works; each page shows it."""
    rights: frozenset[str] = frozenset()
    """Roles, or scopes of the application."""
    application: Application | None = None
    """The application for which the person works; None on a site with roles."""
    needs: Needs = SIGNED_IN
    """What that application requires of the person's sign-in."""


NO_RIGHTS = Admitted()
"""What a person has who is signed in but has no place on the site."""
