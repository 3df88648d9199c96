"""/manage/v1/log: the request log and the checks of a request (D30)."""

from collections.abc import Sequence
from typing import Annotated

from credence.api.management.acts import shown
from credence.api.resources.explained import explained
from credence.api.resources.pages import require_parameters, whole_number
from credence.management import request_log
from credence.management.explained_request import CurrentRecords, explain_request
from credence.management.log_schema import LogPage
from credence.oauth.bearer import Bearer
from credence.refusals.refusal import Refused
from credence.refusals.requests import INTERNAL
from credence.refusals.resources import RESOURCE_MALFORMED, RESOURCE_PARAMETER, RESOURCE_UNKNOWN
from credence.request_context import RequestContext
from credence.service import Service
from credence.telemetry.log import log_unexpected
from credence.web.messages.answer import Answer
from credence.web.routing.operation import Parameter
from credence.web.routing.requested_route import requested_route
from credence.web.routing.route import Route

_SEARCH = (
    Parameter(
        "query",
        "query",
        "Terms separated by spaces: `client:… account:… reason:… status:… path:… method:… from:… id:… correlation:… "
        "node:… since:1h until:…`. All must hold; of several with one name, one; `-` before a term excludes it.",
        "status:4xx since:1h",
    ),
    Parameter("page_size", "query", "Requests of a page, at most 1,000. Default: 100.", schema={"type": "integer"}),
    Parameter("page_token", "query", "`next_page_token` of the page before."),
)


async def search_log(
    service: Service, request: Annotated[RequestContext, *_SEARCH], _bearer: Bearer
) -> Annotated[Answer, LogPage, RESOURCE_PARAMETER, RESOURCE_MALFORMED]:
    """Search the request log.

    The requests that match, the newest first. A search ends after a fifth of a second; then `is_partial` is true, and the
    next page goes on from `looked_back_to`.
    """
    require_parameters(request.parameters, *(each.name for each in _SEARCH))
    size = whole_number(request.parameters, "page_size", request_log.PAGE_SIZE, request_log.MAX_PAGE_SIZE)
    line, page = request.parameters.get("query", ""), request.parameters.get("page_token", "")
    store = service.authority.store
    try:
        with explained():
            found = await request_log.search_log(service.settings, store, line, request.now, size=size, page=page)
    except OSError as error:
        log_unexpected(error, request_id=request.request_id)
        raise Refused(INTERNAL, "manage.log_unreadable") from None
    return shown(found)


async def explain(service: Service, request: RequestContext, rows: Sequence[Route]) -> Answer:
    """Return a request with its checks. `rows` are all routes."""
    store = service.authority.store
    entry = await request_log.find_request(service.settings, store, request.segment, request.now)
    if entry is None:
        raise Refused(RESOURCE_UNKNOWN, "manage.unknown")
    current = CurrentRecords(
        await store.application(entry.client_id) if entry.client_id else None,
        await store.account(entry.account) if entry.account else None,
    )
    return shown(explain_request(entry, requested_route(rows, entry), current, service.settings, request.now))
