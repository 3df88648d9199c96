"""/ssf/v1: the streams of signals of an application (SSF 1.0 §8, RFC 8936)."""

import asyncio
from typing import TypeVar

import msgspec

from credence.api.resources.bodies import read_model
from credence.api.resources.pages import require_parameters
from credence.identity.applications import is_public
from credence.identity.usernames import MAX_NAME_BYTES, login_name
from credence.monitoring.feed import MAX_WAIT_SECONDS
from credence.oauth.bearer import Bearer
from credence.oauth.callable_addresses import is_callable
from credence.oauth.metadata.protected_resource import path_of
from credence.oauth.signals import delivering, streams
from credence.oauth.signals.events import SUPPORTED
from credence.oauth.signals.schema import (
    MAX_POLLED,
    METHODS,
    NewStreamBody,
    PollBody,
    Polled,
    StatusBody,
    StreamBody,
    SubjectBody,
    VerificationBody,
    configuration,
    state_of,
)
from credence.oauth.signals.streams import StreamRequest
from credence.refusals.credentials import INSUFFICIENT_SCOPE
from credence.refusals.refusal import Refused, because
from credence.refusals.requests import NOT_FOUND, SPIKE_ARREST
from credence.refusals.resources import (
    RESOURCE_CHANGED,
    RESOURCE_MALFORMED,
    RESOURCE_UNKNOWN,
    SIGNALS_FORBIDDEN,
    SIGNALS_MALFORMED,
    SIGNALS_TOO_MANY,
)
from credence.request_context import RequestContext
from credence.service import Service
from credence.store.contract import Conflict
from credence.store.signals import SignalStream
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import PRIVATE, cacheable

CONFIGURATION_MAX_AGE_SECONDS = 3_600

_SUBJECT_UNSUPPORTED = because(
    SIGNALS_MALFORMED, "The subject must have the format iss_sub, with this issuer, or opaque; an account has no other."
)
_TOO_MANY = because(SIGNALS_TOO_MANY, f"A stream leaves out at most {streams.MAX_REMOVED} accounts.")

LOOK_SECONDS = 1.0
"""Seconds between two reads of the store while a receiver waits."""

_TOO_SOON = because(
    SIGNALS_TOO_MANY, f"A stream is verified at most once in {streams.MIN_VERIFICATION_INTERVAL_SECONDS} seconds."
)

_encode = msgspec.json.Encoder().encode

T = TypeVar("T")


async def read_configuration(service: Service, request: RequestContext) -> Answer:
    """Return the metadata of the transmitter. Raises Refused with 404 for the path of another issuer."""
    if request.segment and f"/{request.segment}" != path_of(service.settings.issuer):
        raise Refused(NOT_FOUND, "path.unknown")
    return cacheable(request, _encode(configuration(service.settings)), CONFIGURATION_MAX_AGE_SECONDS)


async def make_stream(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Make the stream of the application. Raises Refused with 409 if it has one."""
    body = _read(request, NewStreamBody)
    requested = _requested(service, StreamBody("", body.delivery, body.events_requested, body.description), None)
    owner, authority = _owner(bearer), service.authority
    try:
        made = await streams.make(authority.store, authority.secrets.digest, owner, requested, request.now)
    except Conflict:
        raise Refused(RESOURCE_CHANGED, "signals.exists") from None
    return _answer(service, made, 201, "signal_stream_made")


async def read_streams(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Return the stream that `stream_id` names; without it a list of the application's streams."""
    require_parameters(request.parameters, "stream_id")
    if "stream_id" in request.parameters:
        return _answer(service, await _stream_of(service, bearer, request.parameters["stream_id"]))
    owner, issuer = _owner(bearer), service.settings.issuer
    found = [state_of(each, issuer) for each in await service.authority.store.signal_streams() if each.owner == owner]
    return Answer(200, JSON, _encode(found), (PRIVATE,))


async def change_stream(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Change the members in the body (PATCH)."""
    return await _change(service, request, bearer, replaces=False)


async def replace_stream(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Replace all members that a receiver may set (PUT)."""
    return await _change(service, request, bearer, replaces=True)


async def delete_stream(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Delete the stream with its waiting signals."""
    require_parameters(request.parameters, "stream_id")
    kept = await _stream_of(service, bearer, request.parameters.get("stream_id", ""))
    if kept.set_by_operator:  # a new stream of the application would be enabled
        raise Refused(SIGNALS_FORBIDDEN, "signals.operator")
    try:
        await service.authority.store.delete_signal_stream(kept)
    except Conflict:
        raise Refused(RESOURCE_CHANGED, "signals.changed") from None
    return Answer(204, "", b"", (PRIVATE,), ("signal_stream_deleted",))


async def read_status(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Return the status of a stream."""
    require_parameters(request.parameters, "stream_id")
    return _status(await _stream_of(service, bearer, request.parameters.get("stream_id", "")))


async def change_status(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Enable, pause or disable the stream."""
    body = _read(request, StatusBody)
    if not body.reason.isprintable():  # an operator reads the reason on a terminal
        raise Refused(SIGNALS_MALFORMED, "signals.members")
    kept, store = await _stream_of(service, bearer, body.stream_id), service.authority.store
    if not streams.may_set(kept, body.status):
        raise Refused(SIGNALS_FORBIDDEN, "signals.operator")
    try:
        changed = await streams.change_status(store, kept, body.status, body.reason, request.now, notify=False)
    except Conflict:
        raise Refused(RESOURCE_CHANGED, "signals.changed") from None
    return _status(changed, "signal_stream_status")


async def add_subject(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Send signals about an account again; the answer is the same if the account does not exist."""
    body = _read(request, SubjectBody)
    kept, username = await _stream_of(service, bearer, body.stream_id), _username(service, body)
    try:
        await streams.with_subject(service.authority.store, kept, username)
    except Conflict:
        raise Refused(RESOURCE_CHANGED, "signals.changed") from None
    return Answer(200, JSON, b"{}", (PRIVATE,))


async def remove_subject(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Stop the signals about an account; the answer is the same if the account does not exist."""
    body = _read(request, SubjectBody)
    kept, username = await _stream_of(service, bearer, body.stream_id), _username(service, body)
    try:
        if await streams.without_subject(service.authority.store, kept, username) is None:
            raise Refused(_TOO_MANY, "signals.too_many")
    except Conflict:
        raise Refused(RESOURCE_CHANGED, "signals.changed") from None
    return Answer(204, "", b"", (PRIVATE,))


async def verify(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Send a verification event.

    Raises Refused with 429 before the least interval since the last one has passed (SSF §8.1.4.2).
    """
    body = _read(request, VerificationBody)
    kept = await _stream_of(service, bearer, body.stream_id)
    wait = streams.until_verification(kept, request.now)
    if wait:
        raise Refused(_TOO_SOON, "signals.too_soon", retry_after=wait)
    try:
        await streams.verify(service.authority.store, kept, body.state, request.request_id, request.now)
    except Conflict:
        raise Refused(RESOURCE_CHANGED, "signals.changed") from None
    return Answer(204, "", b"", (PRIVATE,))


async def poll(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Delete the acknowledged signals and return the waiting ones; without any, wait unless `returnImmediately` is set."""
    body, feed, authority = _read(request, PollBody), service.feed, service.authority
    stream = await _stream_of(service, bearer, request.segments[0])
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
                stream = await _stream_of(service, bearer, stream.id)
    finally:
        for each in (gone, ended):
            if each is not None:
                each.cancel()


async def _change(service: Service, request: RequestContext, bearer: Bearer, *, replaces: bool) -> Answer:
    body = _read(request, StreamBody)
    kept, authority = await _stream_of(service, bearer, body.stream_id), service.authority
    if body.iss not in {None, service.settings.issuer} or body.aud not in {None, kept.owner}:
        raise Refused(SIGNALS_MALFORMED, "signals.members")
    requested = _requested(service, body, None if replaces else kept)
    try:
        changed = await streams.change(authority.store, authority.secrets.digest, kept, requested, request.now)
    except Conflict:
        raise Refused(RESOURCE_CHANGED, "signals.changed") from None
    return _answer(service, changed, 200, "signal_stream_changed")


def _requested(service: Service, body: StreamBody, kept: SignalStream | None) -> StreamRequest:
    """Return the wanted properties of a stream; a member that the body omits is kept or gets its default.

    Raises Refused with 400 for a value that is not allowed.
    """
    requested = (
        StreamRequest("poll")
        if kept is None
        else StreamRequest(kept.method, kept.endpoint, None, kept.events, kept.description)
    )
    if body.delivery is not None:
        method = METHODS.get(body.delivery.method)
        if method is None or (method == "push" and not is_callable(body.delivery.endpoint_url, service.settings)):
            raise Refused(SIGNALS_MALFORMED, "signals.delivery")
        authorization = body.delivery.authorization_header
        if authorization is None:  # the authorization header of one address is not sent to another
            authorization = None if kept is not None and body.delivery.endpoint_url == kept.endpoint else ""
        elif not authorization.isascii() or not authorization.isprintable():
            raise Refused(SIGNALS_MALFORMED, "signals.delivery")
        requested = requested._replace(
            method=method, endpoint=body.delivery.endpoint_url if method == "push" else "", authorization=authorization
        )
    if body.events_requested is not None:
        requested = requested._replace(events=tuple(each for each in SUPPORTED if each in body.events_requested))
    if body.description is not None:
        if not body.description.isprintable():
            raise Refused(SIGNALS_MALFORMED, "signals.members")
        requested = requested._replace(description=body.description)
    return requested


def _username(service: Service, body: SubjectBody) -> str:
    """Return the login name of a subject. Raises Refused with 400 for an unsupported format."""
    match body.subject:
        case {"format": "iss_sub", "iss": service.settings.issuer, "sub": str(text)}:
            name = login_name(text)
        case {"format": "opaque", "id": str(text)}:
            name = login_name(text)
        case _:
            name = ""
    if not 0 < len(name.encode()) <= MAX_NAME_BYTES:
        raise Refused(_SUBJECT_UNSUPPORTED, "signals.subject")
    return name


def _owner(bearer: Bearer) -> str:
    """Return the client_id of the application. Raises Refused with 403 for a public client.

    Each user of a public client can get a token with the scope, and would read signals about the others.
    """
    if is_public(bearer.application):
        raise Refused(INSUFFICIENT_SCOPE, "signals.public")
    return bearer.application.client_id


async def _stream_of(service: Service, bearer: Bearer, identity: str) -> SignalStream:
    """Return the stream with this id.

    Raises Refused with the same 404 for another owner's stream as for an unknown one.
    """
    owner = _owner(bearer)
    found = await service.authority.store.signal_stream(identity)
    if found is None or found.owner != owner:
        raise Refused(RESOURCE_UNKNOWN, "signals.unknown")
    return found


def _read(request: RequestContext, model: type[T]) -> T:
    """Return the body as the model. Raises Refused with 400 for a malformed body, the status that SSF defines."""
    try:
        return read_model(request, model)
    except Refused as refused:
        if refused.refusal is RESOURCE_MALFORMED:
            raise Refused(SIGNALS_MALFORMED, "signals.members") from None
        raise


def _status(stream: SignalStream, event: str = "") -> Answer:
    body = _encode(StatusBody(stream.id, stream.status, stream.reason))
    return Answer(200, JSON, body, (PRIVATE,), (event,) if event else ())


def _answer(service: Service, stream: SignalStream, status: int = 200, event: str = "") -> Answer:
    body = _encode(state_of(stream, service.settings.issuer))
    return Answer(status, JSON, body, (PRIVATE,), (event,) if event else ())
