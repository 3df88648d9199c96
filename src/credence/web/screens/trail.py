"""Writes the audit line of a person's act on a site, before the act (threats F2)."""

from credence.web.messages.recorded import record_act
from credence.web.screens.screen import Visit


async def record(visit: Visit, act: str, **fields: str) -> None:
    """Write the audit line; `act` is the name of the act on the command line."""
    await record_act(visit.service, visit.request, visit.account.username, visit.site.name, act, **fields)
