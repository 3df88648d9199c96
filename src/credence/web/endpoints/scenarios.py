"""GET /sandbox/scenarios: how to provoke each response, with values to copy (D24)."""

from credence.refusals import NOT_FOUND, Refused
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import NO_STORE


async def sandbox_scenarios(service: Service, _request: RequestContext) -> Answer:
    """Return the scenarios of the sandbox; Refused with 404 in every other environment."""
    if service.scenarios is None:
        raise Refused(NOT_FOUND, "sandbox.not_a_sandbox")
    found = service.scenarios()
    if found is None:
        raise Refused(NOT_FOUND, "sandbox.not_provisioned")
    return Answer(200, JSON, found, (NO_STORE,))
