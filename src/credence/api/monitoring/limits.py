"""GET /monitoring/v1/limits: the approved limits of the application's customers; people approve them in the workbench."""

from typing import Annotated

import msgspec

from credence.api.resources.pages import first_of, page_of, require_parameters
from credence.api.resources.parameters import PAGE
from credence.companies.number import normalise_or_none
from credence.monitoring.limits import LimitHistory, LimitPage, states_of
from credence.oauth.bearer import Bearer
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_PARAMETER, RESOURCE_UNKNOWN
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import PRIVATE
from credence.web.routing.operation import Parameter

_encode = msgspec.json.Encoder().encode

_COMPANY = Parameter("company_number", "path", "The company number.", "99999901")


async def approved_limits(
    service: Service, request: Annotated[RequestContext, *PAGE], bearer: Bearer
) -> Annotated[Answer, LimitPage, RESOURCE_PARAMETER]:
    """Approved limits.

    Of each company the limit that a person approved last, and a newer one that waits for a second person. People approve
    limits in the workbench; programs read them.
    """
    require_parameters(request.parameters, "page_size", "page_token")
    page, store, owner = page_of(request.parameters), service.authority.store, bearer.application.client_id
    found = await store.open_limits(owner, page.after, page.size + 1)
    shown, following, links = first_of(found, lambda each: each.id, page, request)
    body = LimitPage(await states_of(store, owner, shown), following)
    return Answer(200, JSON, _encode(body), (PRIVATE, *links))


async def company_approved_limits(
    service: Service, request: Annotated[RequestContext, _COMPANY], bearer: Bearer
) -> Annotated[Answer, LimitHistory, RESOURCE_UNKNOWN]:
    """Decisions on the limit of a company.

    Every decision of people about the limit of one company, the newest first: who approved what and why, and what was
    known on that day.
    """
    number, owner = normalise_or_none(request.segment), bearer.application.client_id
    if number is None:
        raise Refused(RESOURCE_UNKNOWN, "limit.unknown")
    found = await service.authority.store.limit_history(owner, number)
    body = LimitHistory(number, await states_of(service.authority.store, owner, found))
    return Answer(200, JSON, _encode(body), (PRIVATE,))
