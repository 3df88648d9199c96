"""The members of every audit line: only verified values, and values that the caller cannot choose (threats A11, I12)."""

import asyncio

from credence.access.caller_address import caller_address, written_peer_address
from credence.operations.audit_changes import NO_CHANGES, Changes
from credence.refusals.refusal import Refused
from credence.refusals.requests import INTERNAL
from credence.request_context import RequestContext
from credence.request_log.record import METHODS
from credence.service import Service
from credence.settings import Settings


def described(settings: Settings, request: RequestContext) -> dict[str, str]:
    """Return the members of an audit line about a request, if known: its ids, route, method and addresses."""
    peer = written_peer_address(request.peer)
    address = peer
    if settings.trusted_proxies:
        address = str(caller_address(request.peer, forwarded(request), settings.trusted_proxies))
    fields = {"request_id": request.request_id}
    if request.correlation_id is not None:
        fields["correlation_id"] = request.correlation_id
    if request.trace_id is not None:
        fields["trace_id"] = request.trace_id
    if request.route_path is not None:
        fields["route"] = request.route_path
    if request.method in METHODS:
        fields["method"] = request.method
    fields["address"] = address
    if peer != address:
        fields["peer"] = peer
    return fields


def forwarded(request: RequestContext) -> list[str]:
    """Return the values of X-Forwarded-For, unverified."""
    return [value.decode("latin-1") for name, value in request.raw_headers if name == b"x-forwarded-for"]


async def record_act(
    service: Service,
    request: RequestContext,
    operator: str,
    through: str,
    act: str,
    changed: Changes = NO_CHANGES,
    **fields: str,
) -> None:
    """Write the audit line of an act before the act, and after all checks of it.

    `operator` is the person or application that acts, `through` the site or the application whose token is used, `changed`
    what the act changes of its object. Raises Refused with 500 if the line cannot be written (threats F2).
    """
    line: dict[str, object] = {"act": act, "operator": operator, "through": through, **fields}
    line |= described(service.settings, request) | ({"changes": changed} if changed else {})
    try:
        await asyncio.to_thread(service.audit.record_first, "operator", request.now, **line)
    except OSError:
        raise Refused(INTERNAL, "manage.audit_unavailable") from None
