"""GET /sandbox/scenarios: how to provoke each response, with values to copy (D24)."""

from typing import Annotated

from credence.access.caller_address import is_trusted
from credence.refusals.refusal import Refused
from credence.refusals.requests import FORBIDDEN, NOT_FOUND
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import NO_STORE
from credence.web.routing.operation import Content

_FORWARDED = frozenset({"forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"})
"""Header fields that proxies and tunnels add."""


async def sandbox_scenarios(
    service: Service, request: RequestContext
) -> Annotated[Answer, Content(JSON), FORBIDDEN, NOT_FOUND]:
    """Sandbox scenarios.

    One prepared account, application or company number for each refusal: the request and the response. Only in the
    sandbox, and for callers on its machine unless the operator opens it to all.

    Raises Refused with 403 for other callers (threats E1), and with 404 in every other environment.
    """
    if service.scenarios is None:
        raise Refused(NOT_FOUND, "sandbox.not_a_sandbox")
    if service.settings.sandbox_scenarios_to == "loopback" and not is_on_this_machine(service, request):
        raise Refused(FORBIDDEN, "sandbox.not_loopback")
    found = service.scenarios()
    if found is None:
        raise Refused(NOT_FOUND, "sandbox.not_provisioned")
    return Answer(200, JSON, found, (NO_STORE,))


def is_on_this_machine(service: Service, request: RequestContext) -> bool:
    """Return whether the caller is on loopback.

    A forwarded request is not, unless a trusted proxy says so: a tunnel on this machine also connects from loopback.
    """
    trusted = service.settings.trusted_proxies
    if not is_trusted(request.peer, trusted) and not _FORWARDED.isdisjoint(request.headers):
        return False
    return request.caller(trusted).is_loopback
