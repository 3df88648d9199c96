"""Saves what a person changes of an application on a site, if they may change it (D30, D40)."""

from credence.identity.console_roles import role_reaches
from credence.management.applications import publish_keys, require_offered
from credence.management.protected import require_changeable
from credence.operations.audit_changes import changes
from credence.store.records import Application
from credence.web.screens.screen import Visit
from credence.web.screens.trail import record


def require_changeable_here(visit: Visit, found: Application, wanted: Application | None) -> None:
    """Raise Protected or OwnerNeeded if the person may not make this change (`management/protected.py`)."""
    by_owner = role_reaches(visit.account.console_role, "owner")
    require_changeable(found, wanted, visit.service.settings, by_owner=by_owner)


async def change_application(visit: Visit, act: str, found: Application, wanted: Application) -> None:
    """Write the audit line and save the application; `act` is the name of the act on the command line.

    Raises Protected or OwnerNeeded before anything is done, and Conflict.
    """
    require_changeable_here(visit, found, wanted)
    require_offered(visit.service.settings, wanted)
    authority, now = visit.service.authority, visit.request.now
    await record(visit, act, changes(found, wanted), application=found.client_id)
    await publish_keys(authority.store, authority.keks, visit.service.settings, wanted, now)
    await authority.store.save_application(wanted, now)
