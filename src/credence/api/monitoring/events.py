"""GET /monitoring/v1/events: the feed of events, by poll, by long poll and as Server-Sent Events (WHATWG HTML §9.2)."""

from collections.abc import AsyncGenerator
from typing import Annotated

import msgspec

from credence.api.resources.pages import MAX_PAGE_SIZE, PAGE_SIZE, require_parameters, whole_number
from credence.clock import seconds
from credence.identity.hashing_queue import never_disconnects
from credence.monitoring.envelope import MAX_NUMBER, envelope_of, number_in
from credence.monitoring.feed import MAX_WAIT_SECONDS
from credence.monitoring.rules import RULES
from credence.monitoring.schema import EventPage, MonitoringEvent
from credence.oauth import bearer as bearer_tokens
from credence.oauth.bearer import Bearer
from credence.oauth.parameters.scopes import MONITOR
from credence.operations.alerts import event_filter
from credence.refusals.refusal import Refused
from credence.refusals.requests import SPIKE_ARREST
from credence.refusals.resources import RESOURCE_PARAMETER, RESOURCE_UNKNOWN
from credence.request_context import RequestContext
from credence.service import Service
from credence.store.contract import StoreUnavailable
from credence.store.events import EventFilter, NumberedEvent
from credence.web.dialects.access_token import BEARER_OR_DPOP, credentials_of
from credence.web.messages.answer import EVENT_STREAM, JSON, Answer
from credence.web.messages.caching import NO_STORE, PRIVATE, VARY
from credence.web.messages.request import named_types
from credence.web.routing.operation import COUNT, TEXT, Content, Parameter

HEARTBEAT_SECONDS = 10
"""Seconds between two comments of a stream without events; the token is checked again each time."""

_encode = msgspec.json.Encoder().encode


_RULE = {**TEXT, "enum": list(RULES)}
_FEED = (
    Parameter("after", "query", "The number of the last event that you have. Default: 0.", schema=COUNT),
    Parameter("limit", "query", "Events of one answer, at most 1,000. Default: 100.", schema={**COUNT, "minimum": 1}),
    Parameter("wait", "query", f"Seconds to wait, at most {MAX_WAIT_SECONDS}. Default: 0.", schema=COUNT),
    Parameter("portfolio", "query", "Only the events of this portfolio."),
    Parameter("rule", "query", "Only the events of this rule.", schema=_RULE),
    Parameter("company", "query", "Only the events of this company number."),
    Parameter("Last-Event-ID", "header", "For a stream: the number of the last event, in place of `after`."),
)
_NUMBER = Parameter("number", "path", "The number of the event.", "57")


async def monitoring_events(
    service: Service, request: Annotated[RequestContext, *_FEED], bearer: Bearer
) -> Annotated[Answer, EventPage, Content(EVENT_STREAM), RESOURCE_PARAMETER]:
    """The feed of events.

    Events are numbered without gaps in the order in which they were committed, over all owners; you get yours. Begin with
    `after=0`, then say `after` the number in `next`: so each event arrives once, however often you stop. `wait` keeps the
    request open until there is an event. With `Accept: text/event-stream` events are sent as they are made, for 20 seconds;
    a browser resumes by itself with `Last-Event-ID`. Events are kept for a year.

    Raises Refused with 422 for a malformed parameter, 401 (spike arrest) while too many requests of the application wait.
    """
    parameters = request.parameters
    require_parameters(parameters, "after", "limit", "wait", "portfolio", "rule", "company")
    only = event_filter(*(request.parameters.get(name, "") for name in ("portfolio", "rule", "company")))
    client_id, feed = bearer.application.client_id, service.feed
    if EVENT_STREAM in named_types(request.headers.get("accept", "")):
        after = whole_number(
            {"after": request.headers.get("last-event-id", parameters.get("after", "0"))}, "after", 0, MAX_NUMBER, 0
        )
        rest = _stream(service, request, bearer, after, only)
        return Answer(200, EVENT_STREAM, await anext(rest), (NO_STORE, VARY, ("x-accel-buffering", "no")), rest=rest)
    after = whole_number(parameters, "after", 0, MAX_NUMBER, 0)
    limit = whole_number(parameters, "limit", PAGE_SIZE, MAX_PAGE_SIZE)
    wait = whole_number(parameters, "wait", 0, MAX_WAIT_SECONDS, 0)
    if wait and not feed.has_room(client_id):
        raise Refused(SPIKE_ARREST, "feed.too_many", retry_after=wait)
    found, until = await feed.read(client_id, after, limit, only, wait, request.disconnected)
    return Answer(200, JSON, _encode(EventPage(tuple(map(envelope_of, found)), until)), (NO_STORE, VARY))


async def monitoring_event(
    service: Service, request: Annotated[RequestContext, _NUMBER], bearer: Bearer
) -> Annotated[Answer, MonitoringEvent, RESOURCE_UNKNOWN]:
    """One event.

    The event with this number, which a webhook's message names.

    Raises Refused with 404 for any other number.
    """
    number = number_in(request.segments[0])
    client_id = bearer.application.client_id
    found = await service.authority.store.events(client_id, number - 1, 1, EventFilter()) if number else []
    if not found or found[0].number != number:
        raise Refused(RESOURCE_UNKNOWN, "event.unknown")
    return Answer(200, JSON, _encode(envelope_of(found[0])), (PRIVATE,))


async def _stream(
    service: Service, request: RequestContext, bearer: Bearer, after: int, only: EventFilter
) -> AsyncGenerator[bytes, None]:
    """Yield events as they are made, for twenty seconds; the client then resumes with the last number that it received.

    The stream ends earlier if its token becomes invalid, the store does not answer, or the process is stopped.

    A disconnection is detected by the sender of the stream (`transport/answers.py`); only one coroutine may wait for
    it.
    """
    client_id, feed = bearer.application.client_id, service.feed
    if not feed.has_room(client_id):
        raise Refused(SPIKE_ARREST, "feed.too_many", retry_after=HEARTBEAT_SECONDS)
    yield b"retry: 100\n\n"
    ends = seconds() + MAX_WAIT_SECONDS
    try:
        while (left := ends - seconds()) > 0 and not feed.ending and await _still_valid(service, request):
            wait = min(left, HEARTBEAT_SECONDS)
            found, after = await feed.read(client_id, after, PAGE_SIZE, only, wait, never_disconnects)
            yield b"".join(map(_sent, found)) if found else f"id: {after}\n: none\n\n".encode()
    except StoreUnavailable:
        return


async def _still_valid(service: Service, request: RequestContext) -> bool:
    credentials = credentials_of(request.headers, BEARER_OR_DPOP)
    now = service.clock()
    try:
        await service.authority.follow(now)
        found = await bearer_tokens.check(service.authority, credentials.token if credentials else "", now)
    except Refused:
        return False
    return MONITOR in found.scopes


def _sent(each: NumberedEvent) -> bytes:
    return b"id: %d\nevent: monitoring\ndata: %s\n\n" % (each.number, _encode(envelope_of(each)))
