"""The acts on the test clock of an application, shared by the console and the developer portal (D18)."""

from credence.errors import InvalidInput
from credence.identity.applications import application_time
from credence.management import clocks
from credence.store.records import Application
from credence.web.screens.application_change import change_application
from credence.web.screens.blocks import moment
from credence.web.screens.screen import Done, Visit, Wrong


async def advance(visit: Visit, found: Application, to: str) -> Done:
    """Move the clock forward by a span or to a time. Raises Wrong at the field `to` for any other text."""
    now = visit.request.now
    try:
        wanted = clocks.advanced(found, visit.service.settings, to.strip(), now)
    except InvalidInput as error:
        raise Wrong(str(error), "to") from None
    await change_application(visit, "clock advance", found, wanted)
    return Done(f"For {found.name} it is {moment(application_time(wanted, now)).text} now.")


async def reset(visit: Visit, found: Application) -> Done:
    """Give the application real time again."""
    wanted = clocks.reset(found, visit.service.settings, visit.request.now)
    if wanted == found:
        return Done(f"{found.name} has real time already. Nothing was changed.")
    await change_application(visit, "clock reset", found, wanted)
    return Done(f"{found.name} has real time again; its tokens and logins from before have ended.")
