"""The applications that belong to the signed-in developer, and no others (threats E13)."""

from urllib.parse import quote

from credence import paths
from credence.management.developers import applications_of
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.sites.kit.screen import Visit
from credence.store.records import Application

NEW = f"{paths.DEVELOPERS}/new"
APPLICATIONS = f"{paths.DEVELOPERS}/applications"


def address(client_id: str) -> str:
    """Return the path of the screen of an application."""
    return f"{APPLICATIONS}/{quote(client_id, safe='')}"


async def own_applications(visit: Visit) -> list[Application]:
    """Return the applications of the developer, the newest first."""
    return await applications_of(visit.service.authority.store, visit.account.username)


async def own_application(visit: Visit) -> Application:
    """Return the application that the path names.

    Raises Refused with the same 404 for another person's application as for an unknown one.
    """
    found = await visit.service.authority.store.application(visit.request.segment)
    if found is None or found.owner != visit.account.username:
        raise Refused(RESOURCE_UNKNOWN, "manage.unknown")
    return found
