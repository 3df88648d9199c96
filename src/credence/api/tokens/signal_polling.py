"""POST /ssf/v1/poll/{stream}: the tokens of a stream that a receiver reads (RFC 8936)."""

import asyncio
from typing import Annotated

import msgspec

from credence.api.tokens.signals import OF_BODY, read_body, stream_of
from credence.monitoring.feed import MAX_WAIT_SECONDS
from credence.oauth.bearer import Bearer
from credence.oauth.signals import delivering
from credence.oauth.signals.schema import MAX_POLLED, PollBody, Polled
from credence.refusals.refusal import Refused
from credence.refusals.requests import SPIKE_ARREST
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import PRIVATE
from credence.web.routing.operation import Content, Parameter

LOOK_SECONDS = 1.0
"""Seconds between two reads of the store while a receiver waits."""

_encode = msgspec.json.Encoder().encode

_POLLED_STREAM = Parameter("stream", "path", "The stream.", "st_2o6x4hk3tmy7q5c3")


async def poll_stream(
    service: Service, request: Annotated[RequestContext, _POLLED_STREAM, Content(JSON, (PollBody,))], bearer: Bearer
) -> Annotated[Answer, Polled, *OF_BODY, RESOURCE_UNKNOWN]:
    """Read your tokens.

    At most 100 tokens that you have not acknowledged, the oldest first (RFC 8936). Unless you say `returnImmediately`, the
    answer waits up to twenty seconds for one.
    """
    body, feed, authority = read_body(request, PollBody), service.feed, service.authority
    stream = await stream_of(service, bearer, request.segments[0])
    if stream.method != "poll":
        raise Refused(RESOURCE_UNKNOWN, "signals.not_polled")
    taken = {*body.ack, *body.set_errs}
    if taken:
        await delivering.acknowledge(authority, stream, taken)
    most = MAX_POLLED if body.max_events is None else min(body.max_events, MAX_POLLED)
    seconds = 0 if body.return_immediately or not most else MAX_WAIT_SECONDS
    if seconds and not feed.has_room(stream.owner):
        raise Refused(SPIKE_ARREST, "feed.too_many", retry_after=seconds)
    until = asyncio.get_running_loop().time() + seconds
    gone = asyncio.ensure_future(request.disconnected()) if seconds else None
    ended = asyncio.ensure_future(feed.ended.wait())
    try:
        with feed.waiting(stream.owner):
            while True:
                sets, more = await delivering.waiting(authority, stream, most, service.clock())
                left = until - asyncio.get_running_loop().time()
                if sets or left <= 0 or ended.done() or gone is None or gone.done():
                    return Answer(200, JSON, _encode(Polled(sets, more)), (PRIVATE,))
                await asyncio.wait([gone, ended], timeout=min(left, LOOK_SECONDS), return_when=asyncio.FIRST_COMPLETED)
                stream = await stream_of(service, bearer, stream.id)
    finally:
        for each in (gone, ended):
            if each is not None:
                each.cancel()
