"""Writes the audit line of a person's act on a site, before the act and after its checks (threats F2)."""

from credence.operations.audit_changes import NO_CHANGES, Changes
from credence.sites.kit.screen import Visit
from credence.web.messages.recorded import record_act


async def record(visit: Visit, act: str, changed: Changes = NO_CHANGES, **fields: str) -> None:
    """Write the audit line; `act` is the name of the act on the command line, `changed` what it changes of its object."""
    await record_act(visit.service, visit.request, visit.account.username, visit.site.name, act, changed, **fields)
