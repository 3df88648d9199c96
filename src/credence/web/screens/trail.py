"""The line in the audit trail of what a person does on a site: written before the act (threats F2)."""

from credence.web.messages.recorded import record_act
from credence.web.screens.screen import Visit


async def record(visit: Visit, act: str, **fields: str) -> None:
    """Write the line, with the name that the act has on the command line."""
    await record_act(visit.service, visit.request, visit.account.username, visit.site.name, act, **fields)
