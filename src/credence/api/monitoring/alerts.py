"""/monitoring/v1/alerts and /monitoring/v1/digest: alerts, and the counts of events of a day."""

import datetime as dt

import msgspec

from credence.api.monitoring.events import event_filter, number_in
from credence.api.resources.bodies import read_patch
from credence.api.resources.pages import first_of, page_of, require_parameters
from credence.api.resources.preconditions import require_match, tag_of
from credence.clock import date_of, day_start
from credence.monitoring.alerts import AlertBody, AlertPage, AlertView, changed, digest_of, view_of
from credence.monitoring.envelope import envelope_of
from credence.oauth.bearer import Bearer
from credence.operations.merge_patch import converted, merged
from credence.refusals.refusal import Refused, because
from credence.refusals.resources import RESOURCE_CHANGED, RESOURCE_MALFORMED, RESOURCE_PARAMETER, RESOURCE_UNKNOWN
from credence.request_context import RequestContext
from credence.service import Service
from credence.store.alerts import Alert, AlertFilter
from credence.store.contract import Conflict
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import PRIVATE, is_held

_TEXT = because(RESOURCE_MALFORMED, "The name and the note must be text of one line.")

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


async def read_alert(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Return an alert; 304 if If-None-Match has its tag."""
    answered = _answer(await _alert_of(service, request, bearer))
    return Answer(304, JSON, b"", answered.headers) if is_held(request, dict(answered.headers)["etag"]) else answered


async def change_alert(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Mark an alert as read or unread, assign it, or change its note, by a merge patch (RFC 7396)."""
    kept = await _alert_of(service, request, bearer)
    require_match(request, dict(_answer(kept).headers)["etag"])
    written = {"read": kept.state.read_at > 0, "assigned_to": kept.state.assigned_to, "note": kept.state.note}
    body = converted(merged(written, read_patch(request)), AlertBody)
    if not (body.assigned_to.isprintable() and body.note.isprintable()):
        raise Refused(_TEXT, "alert.text")
    state = changed(kept.state, body, request.now)
    try:
        await service.authority.store.save_alert(state)
    except Conflict:
        raise Refused(RESOURCE_CHANGED, "alert.changed") from None
    return _answer(Alert(kept.event, state), "alert_changed")


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


async def _alert_of(service: Service, request: RequestContext, bearer: Bearer) -> Alert:
    """Return the alert that the path names.

    Raises Refused with the same 404 for another owner's alert as for an unknown one.
    """
    number = number_in(request.segments[0])
    store, client_id = service.authority.store, bearer.application.client_id
    found = await store.alerts(client_id, number - 1, 1, AlertFilter()) if number else []
    if not found or found[0].event.number != number:
        raise Refused(RESOURCE_UNKNOWN, "alert.unknown")
    return found[0]


def _view(alert: Alert) -> AlertView:
    return view_of(envelope_of(alert.event), alert.state)


def _answer(alert: Alert, event: str = "") -> Answer:
    body = _encode(_view(alert))
    return Answer(200, JSON, body, (PRIVATE, ("etag", tag_of(body))), (event,) if event else ())
