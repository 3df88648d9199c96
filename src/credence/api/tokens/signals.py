"""/ssf/v1: the streams of signals of an application (SSF 1.0 §8, RFC 8936)."""

from typing import Annotated, TypeVar

import msgspec

from credence.api.resources.bodies import read_model
from credence.api.resources.pages import require_parameters
from credence.identity.applications import is_public
from credence.identity.usernames import MAX_NAME_BYTES, login_name
from credence.oauth.bearer import Bearer
from credence.oauth.callable_addresses import is_callable
from credence.oauth.signals import streams
from credence.oauth.signals.events import SUPPORTED
from credence.oauth.signals.schema import (
    METHODS,
    NewStreamBody,
    StatusBody,
    StreamBody,
    StreamState,
    SubjectBody,
    VerificationBody,
    state_of,
)
from credence.oauth.signals.streams import StreamRequest
from credence.refusals.credentials import INSUFFICIENT_SCOPE
from credence.refusals.refusal import Refused, because
from credence.refusals.requests import UNSUPPORTED_MEDIA_TYPE
from credence.refusals.resources import (
    RESOURCE_CHANGED,
    RESOURCE_MALFORMED,
    RESOURCE_PARAMETER,
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
from credence.web.messages.caching import PRIVATE
from credence.web.routing.operation import Content, Parameter

_SUBJECT_UNSUPPORTED = because(
    SIGNALS_MALFORMED, "The subject must have the format iss_sub, with this issuer, or opaque; an account has no other."
)
_TOO_MANY = because(SIGNALS_TOO_MANY, f"A stream leaves out at most {streams.MAX_REMOVED} accounts.")

_TOO_SOON = because(
    SIGNALS_TOO_MANY, f"A stream is verified at most once in {streams.MIN_VERIFICATION_INTERVAL_SECONDS} seconds."
)

_encode = msgspec.json.Encoder().encode

T = TypeVar("T")


_OF_STREAM = Parameter("stream_id", "query", "The stream.", "st_2o6x4hk3tmy7q5c3")
_NOTHING = Content("", status=204)
OF_BODY = (UNSUPPORTED_MEDIA_TYPE, SIGNALS_MALFORMED)
_OF_KEPT = (*OF_BODY, RESOURCE_UNKNOWN, RESOURCE_CHANGED)


async def make_stream(
    service: Service, request: Annotated[RequestContext, Content(JSON, (NewStreamBody,))], bearer: Bearer
) -> Annotated[Answer, Content(JSON, (StreamState,), status=201), *OF_BODY, RESOURCE_CHANGED]:
    """Make your stream.

    An application has one stream. It is about the accounts that use the application: by consent, or by a login that has not
    ended. Without `delivery` you read the tokens at the address in the answer.

    Raises Refused with 409 if the application has a stream.
    """
    body = read_body(request, NewStreamBody)
    requested = _requested(service, StreamBody("", body.delivery, body.events_requested, body.description), None)
    owner, authority = _owner(bearer), service.authority
    try:
        made = await streams.make(authority.store, authority.secrets.digest, owner, requested, request.now)
    except Conflict:
        raise Refused(RESOURCE_CHANGED, "signals.exists") from None
    return _answer(service, made, 201, "signal_stream_made")


async def read_streams(
    service: Service, request: Annotated[RequestContext, _OF_STREAM], bearer: Bearer
) -> Annotated[Answer, StreamState, RESOURCE_PARAMETER, RESOURCE_UNKNOWN]:
    """Your stream.

    With `stream_id` the stream. Without it, an array that has your stream, or nothing.
    """
    require_parameters(request.parameters, "stream_id")
    if "stream_id" in request.parameters:
        return _answer(service, await stream_of(service, bearer, request.parameters["stream_id"]))
    owner, issuer = _owner(bearer), service.settings.issuer
    found = [state_of(each, issuer) for each in await service.authority.store.signal_streams() if each.owner == owner]
    return Answer(200, JSON, _encode(found), (PRIVATE,))


async def change_stream(
    service: Service, request: Annotated[RequestContext, Content(JSON, (StreamBody,))], bearer: Bearer
) -> Annotated[Answer, StreamState, *_OF_KEPT]:
    """Change your stream.

    Changes what the body names. What waits goes by the new method.
    """
    return await _change(service, request, bearer, replaces=False)


async def replace_stream(
    service: Service, request: Annotated[RequestContext, Content(JSON, (StreamBody,))], bearer: Bearer
) -> Annotated[Answer, StreamState, *_OF_KEPT]:
    """Replace your stream.

    As a new stream, with the same id.
    """
    return await _change(service, request, bearer, replaces=True)


async def delete_stream(
    service: Service, request: Annotated[RequestContext, _OF_STREAM], bearer: Bearer
) -> Annotated[Answer, _NOTHING, RESOURCE_PARAMETER, RESOURCE_UNKNOWN, RESOURCE_CHANGED, SIGNALS_FORBIDDEN]:
    """Delete your stream.

    Deletes it with what waits for you.
    """
    require_parameters(request.parameters, "stream_id")
    kept = await stream_of(service, bearer, request.parameters.get("stream_id", ""))
    if kept.set_by_operator:  # a new stream of the application would be enabled
        raise Refused(SIGNALS_FORBIDDEN, "signals.operator")
    try:
        await service.authority.store.delete_signal_stream(kept)
    except Conflict:
        raise Refused(RESOURCE_CHANGED, "signals.changed") from None
    return Answer(204, "", b"", (PRIVATE,), ("signal_stream_deleted",))


async def read_stream_status(
    service: Service, request: Annotated[RequestContext, _OF_STREAM], bearer: Bearer
) -> Annotated[Answer, StatusBody, RESOURCE_PARAMETER, RESOURCE_UNKNOWN]:
    """The status of your stream.

    Whether tokens are sent.
    """
    require_parameters(request.parameters, "stream_id")
    return _status(await stream_of(service, bearer, request.parameters.get("stream_id", "")))


async def change_stream_status(
    service: Service, request: Annotated[RequestContext, Content(JSON, (StatusBody,))], bearer: Bearer
) -> Annotated[Answer, StatusBody, *_OF_KEPT, SIGNALS_FORBIDDEN]:
    """Enable, pause or disable your stream.

    During a pause what happens waits for you; a disabled stream loses it, and what waited.
    """
    body = read_body(request, StatusBody)
    if not body.reason.isprintable():  # an operator reads the reason on a terminal
        raise Refused(SIGNALS_MALFORMED, "signals.members")
    kept, store = await stream_of(service, bearer, body.stream_id), service.authority.store
    if not streams.may_set(kept, body.status):
        raise Refused(SIGNALS_FORBIDDEN, "signals.operator")
    try:
        changed = await streams.change_status(store, kept, body.status, body.reason, request.now, notify=False)
    except Conflict:
        raise Refused(RESOURCE_CHANGED, "signals.changed") from None
    return _status(changed, "signal_stream_status")


async def add_subject(
    service: Service, request: Annotated[RequestContext, Content(JSON, (SubjectBody,))], bearer: Bearer
) -> Annotated[Answer, Content(JSON, (), {"Added": {}}), *_OF_KEPT]:
    """Receive signals about an account again.

    After its removal. The answer is the same if there is no such account, or it does not use you.
    """
    body = read_body(request, SubjectBody)
    kept, username = await stream_of(service, bearer, body.stream_id), _username(service, body)
    try:
        await streams.with_subject(service.authority.store, kept, username)
    except Conflict:
        raise Refused(RESOURCE_CHANGED, "signals.changed") from None
    return Answer(200, JSON, b"{}", (PRIVATE,))


async def remove_subject(
    service: Service, request: Annotated[RequestContext, Content(JSON, (SubjectBody,))], bearer: Bearer
) -> Annotated[Answer, _NOTHING, *_OF_KEPT, SIGNALS_TOO_MANY]:
    """Receive no signals about an account.

    The answer is the same if there is no such account.
    """
    body = read_body(request, SubjectBody)
    kept, username = await stream_of(service, bearer, body.stream_id), _username(service, body)
    try:
        if await streams.without_subject(service.authority.store, kept, username) is None:
            raise Refused(_TOO_MANY, "signals.too_many")
    except Conflict:
        raise Refused(RESOURCE_CHANGED, "signals.changed") from None
    return Answer(204, "", b"", (PRIVATE,))


async def verify_stream(
    service: Service, request: Annotated[RequestContext, Content(JSON, (VerificationBody,))], bearer: Bearer
) -> Annotated[Answer, _NOTHING, *_OF_KEPT, SIGNALS_TOO_MANY]:
    """Verify your stream.

    Sends a verification event by the stream, with `state` as you give it; at most once in `min_verification_interval`
    seconds.

    Raises Refused with 429 before this interval has passed since the last one (SSF §8.1.4.2).
    """
    body = read_body(request, VerificationBody)
    kept = await stream_of(service, bearer, body.stream_id)
    wait = streams.until_verification(kept, request.now)
    if wait:
        raise Refused(_TOO_SOON, "signals.too_soon", retry_after=wait)
    try:
        await streams.verify(service.authority.store, kept, body.state, request.request_id, request.now)
    except Conflict:
        raise Refused(RESOURCE_CHANGED, "signals.changed") from None
    return Answer(204, "", b"", (PRIVATE,))


async def _change(service: Service, request: RequestContext, bearer: Bearer, *, replaces: bool) -> Answer:
    body = read_body(request, StreamBody)
    kept, authority = await stream_of(service, bearer, body.stream_id), service.authority
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


async def stream_of(service: Service, bearer: Bearer, identity: str) -> SignalStream:
    """Return the stream with this id.

    Raises Refused with the same 404 for another owner's stream as for an unknown one.
    """
    owner = _owner(bearer)
    found = await service.authority.store.signal_stream(identity)
    if found is None or found.owner != owner:
        raise Refused(RESOURCE_UNKNOWN, "signals.unknown")
    return found


def read_body(request: RequestContext, model: type[T]) -> T:
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
