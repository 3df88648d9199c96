"""/manage/v1/log/{request_id}: the checks of a request (D30)."""

from collections.abc import Sequence

import msgspec

from credence.api.resources.preconditions import tag_of
from credence.management.explained_request import CurrentRecords, explain_request
from credence.management.request_log import find_request
from credence.refusals.refusal import Refused
from credence.refusals.requests import INTERNAL
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.request_context import RequestContext
from credence.service import Service
from credence.telemetry.log import log_unexpected
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import NO_STORE
from credence.web.routing.requested_route import requested_route
from credence.web.routing.route import Route


async def explain(service: Service, request: RequestContext, rows: Sequence[Route]) -> Answer:
    """Return a request with its checks. `rows` are all routes."""
    store = service.authority.store
    try:
        entry = await find_request(service.settings, store, request.segment, request.now)
    except OSError as error:
        log_unexpected(error, request_id=request.request_id)
        raise Refused(INTERNAL, "manage.log_unreadable") from None
    if entry is None:
        raise Refused(RESOURCE_UNKNOWN, "manage.unknown")
    current = CurrentRecords(
        await store.application(entry.client_id) if entry.client_id else None,
        await store.account(entry.account) if entry.account else None,
    )
    found = explain_request(entry, requested_route(rows, entry), current, service.settings, request.now)
    body = msgspec.json.encode(found)
    return Answer(200, JSON, body, (NO_STORE, ("etag", tag_of(body))))
