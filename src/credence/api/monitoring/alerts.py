"""/monitoring/v1/alerts and /monitoring/v1/digest: alerts, and how many events of each kind a day had."""

import datetime as dt
from typing import Annotated

import msgspec

from credence.api.monitoring.events import event_filter
from credence.api.resources.pages import first_of, page_of, require_parameters
from credence.api.resources.parameters import PAGE
from credence.clock import date_of, day_start, london_day
from credence.monitoring.alerts import AlertPage, AlertView, Digest, digest_of, view_of
from credence.monitoring.envelope import envelope_of, number_in
from credence.monitoring.rules import RULES
from credence.oauth.bearer import Bearer
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_PARAMETER
from credence.request_context import RequestContext
from credence.service import Service
from credence.store.alerts import Alert, AlertFilter
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import PRIVATE
from credence.web.routing.operation import FLAG, TEXT, Parameter

_encode = msgspec.json.Encoder().encode


_FILTER = (
    *PAGE,
    Parameter("unread", "query", "Only those that are not read.", schema=FLAG),
    Parameter("assigned_to", "query", "Only those assigned to this name."),
    Parameter("portfolio", "query", "Only the alerts of this portfolio."),
    Parameter("rule", "query", "Only the alerts of this rule.", schema={**TEXT, "enum": list(RULES)}),
    Parameter("company", "query", "Only the alerts of this company number."),
)
_DAY = Parameter("day", "query", "The day. Default: yesterday.", schema={**TEXT, "format": "date"})


async def list_alerts(
    service: Service, request: Annotated[RequestContext, *_FILTER], bearer: Bearer
) -> Annotated[Answer, AlertPage, RESOURCE_PARAMETER]:
    """Alerts.

    Events with what people have made of them: read, assigned, noted. Applications that share a portfolio share it.
    """
    parameters = request.parameters
    require_parameters(parameters, *(each.name for each in _FILTER))
    page = page_of(parameters)
    unread = parameters.get("unread", "false")
    after = page.after or "0"
    number = number_in(after)
    if unread not in {"true", "false"} or (number == 0 and after != "0"):
        raise Refused(RESOURCE_PARAMETER, "resource.parameter")
    today = london_day(request.now).isoformat()
    only = AlertFilter(event_filter(request), unread == "true", parameters.get("assigned_to", ""), today)
    found = await service.authority.store.alerts(bearer.application.client_id, number, page.size + 1, only)
    shown, next_page, links = first_of(found, lambda each: str(each.event.number), page, request)
    return Answer(200, JSON, _encode(AlertPage(tuple(map(_view, shown)), next_page)), (PRIVATE, *links))


async def monitoring_digest(
    service: Service, request: Annotated[RequestContext, _DAY], bearer: Bearer
) -> Annotated[Answer, Digest, RESOURCE_PARAMETER]:
    """The digest of a day.

    How many events were made on a day (UTC), for each portfolio and rule. Webhooks get a message of type
    `monitoring.digest` after midnight if the day had any.
    """
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
