"""/monitoring/v1/alerts and /monitoring/v1/digest: alerts, and the counts of events of a day."""

import datetime as dt

import msgspec

from credence.api.monitoring.events import event_filter
from credence.api.resources.pages import first_of, page_of, require_parameters
from credence.clock import date_of, day_start
from credence.monitoring.alerts import AlertPage, AlertView, digest_of, view_of
from credence.monitoring.envelope import envelope_of, number_in
from credence.oauth.bearer import Bearer
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_PARAMETER
from credence.request_context import RequestContext
from credence.service import Service
from credence.store.alerts import Alert, AlertFilter
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import PRIVATE

_encode = msgspec.json.Encoder().encode


async def list_alerts(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Return a page of alerts, filtered by `unread`, `assigned_to`, `portfolio`, `rule` and `company`."""
    parameters = request.parameters
    require_parameters(parameters, "page_size", "page_token", "unread", "assigned_to", "portfolio", "rule", "company")
    page = page_of(parameters)
    unread = parameters.get("unread", "false")
    after = page.after or "0"
    number = number_in(after)
    if unread not in {"true", "false"} or (number == 0 and after != "0"):
        raise Refused(RESOURCE_PARAMETER, "resource.parameter")
    only = AlertFilter(event_filter(request), unread == "true", parameters.get("assigned_to", ""))
    found = await service.authority.store.alerts(bearer.application.client_id, number, page.size + 1, only)
    shown, next_page, links = first_of(found, lambda each: str(each.event.number), page, request)
    return Answer(200, JSON, _encode(AlertPage(tuple(map(_view, shown)), next_page)), (PRIVATE, *links))


async def read_digest(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Return the number of events of a day (UTC), yesterday by default, for each portfolio and rule."""
    require_parameters(request.parameters, "day")
    today = date_of(request.now)
    try:
        text = request.parameters.get("day")
        day = dt.date.fromisoformat(text) if text is not None else today - dt.timedelta(days=1)
        begins, ends = day_start(day), day_start(day + dt.timedelta(days=1))
    except (ValueError, OverflowError):
        raise Refused(RESOURCE_PARAMETER, "resource.parameter") from None
    lines = await service.authority.store.digest(bearer.application.client_id, begins, ends)
    return Answer(200, JSON, _encode(digest_of(day, lines, complete=day < today)), (PRIVATE,))


def _view(alert: Alert) -> AlertView:
    return view_of(envelope_of(alert.event), alert.state)
