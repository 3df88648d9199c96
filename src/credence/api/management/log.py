"""/manage/v1/log: the request log and the checks of a request (D30)."""

from collections.abc import Sequence

from credence.api.management.acts import shown
from credence.api.resources.explained import explained
from credence.api.resources.pages import require_parameters, whole_number
from credence.management.explained_request import Known, explain_request
from credence.management.request_log import MAX_PAGE_SIZE, PAGE_SIZE, find_request, search_log
from credence.oauth.bearer import Bearer
from credence.refusals.refusal import Refused
from credence.refusals.requests import INTERNAL
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.request_context import RequestContext
from credence.service import Service
from credence.telemetry.log import log_unexpected
from credence.web.messages.answer import Answer
from credence.web.routing.asked import asked_of
from credence.web.routing.route import Route


async def search(service: Service, request: RequestContext, _bearer: Bearer) -> Answer:
    """Return a page of the requests that match the query line."""
    require_parameters(request.parameters, "query", "page_size", "page_token")
    size = whole_number(request.parameters, "page_size", PAGE_SIZE, MAX_PAGE_SIZE)
    line, page = request.parameters.get("query", ""), request.parameters.get("page_token", "")
    store = service.authority.store
    try:
        with explained():
            found = await search_log(service.settings, store, line, request.now, size=size, page=page)
    except OSError as error:
        log_unexpected(error, request_id=request.request_id)
        raise Refused(INTERNAL, "manage.log_unreadable") from None
    return shown(found)


async def explain(service: Service, request: RequestContext, rows: Sequence[Route]) -> Answer:
    """Return a request with its checks. `rows` are all routes."""
    store = service.authority.store
    entry = await find_request(service.settings, store, request.segment, request.now)
    if entry is None:
        raise Refused(RESOURCE_UNKNOWN, "manage.unknown")
    known = Known(
        await store.application(entry.client_id) if entry.client_id else None,
        await store.account(entry.account) if entry.account else None,
    )
    return shown(explain_request(entry, asked_of(rows, entry), known, service.settings, request.now))
