"""The routes of operations and readings: path, scope and role follow from each (D30, D41).

In the management API operators act; its answers are kept nowhere, and each act can be previewed. In the other APIs an
application acts on what is its own.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from credence import paths
from credence.api.resources.acting import acting_by_token, acting_for_itself
from credence.api.resources.bodies import read_model, read_patch
from credence.api.resources.descriptions import operation_described, reading_described
from credence.api.resources.idempotency import once
from credence.api.resources.pages import is_preview, link_to, page_of, require_parameters
from credence.api.resources.preconditions import require_absent, require_match, tag_of
from credence.datasets.credit_data import DAMAGED_FILES
from credence.errors import OperatorError
from credence.identity.sessions import RECENT_SIGN_IN_MS
from credence.oauth.bearer import Bearer
from credence.operations.acting import Acting
from credence.operations.operation import Noun, Operation
from credence.operations.perform import Outcome, perform, read
from credence.operations.reading import Reading
from credence.refusals.refusal import Refused, because
from credence.refusals.requests import INTERNAL
from credence.refusals.resources import RESOURCE_CHANGED, RESOURCE_MALFORMED, RESOURCE_PARAMETER, RESOURCE_UNKNOWN
from credence.request_context import RequestContext
from credence.service import Service
from credence.store.contract import Conflict
from credence.telemetry.log import log_unexpected
from credence.web.messages.answer import JSON, Answer, Headers
from credence.web.messages.caching import NO_STORE, PRIVATE, is_held
from credence.web.routing.route import READ, AllowedOrigins, Protection, Route


@contextmanager
def explained(reasons: str = "manage") -> Iterator[None]:
    """Turn an error raised in the block into a refusal: 422 for a value that is not allowed, 409 for a concurrent change.

    `reasons` is the first part of the reason code of such a change.

    The messages are those of the command line. They repeat values that the operator sent, and no secret.
    """
    try:
        yield
    except Conflict:
        raise Refused(RESOURCE_CHANGED, f"{reasons}.changed") from None
    except DAMAGED_FILES:  # no fault of the caller
        raise
    except OperatorError as error:
        raise Refused(because(RESOURCE_MALFORMED, str(error)), "manage.value") from None


_encode = msgspec.json.Encoder().encode


def route_of(declared: Operation | Reading) -> Route:
    """Return the route of an operation or a reading."""
    reads, noun = isinstance(declared, Reading), declared.on
    common: dict[str, Any] = {"origins": AllowedOrigins.REGISTERED}
    if noun.is_managed:
        common = {"resource": paths.MANAGEMENT, "any_host": True, "role": declared.access.role}
    return Route(
        READ if isinstance(declared, Reading) else (declared.method,),
        f"{noun.base}/{declared.path}",
        Protection.BEARER,
        partial(_show if reads else _act, declared),  # type: ignore[arg-type]  # each with its own kind
        reading_described(declared) if isinstance(declared, Reading) else operation_described(declared),
        problems=True,
        scope=declared.access.scope,
        **common,
    )


async def _show(reading: Reading, service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    noun, key = reading.on, "" if reading.lists else request.segments[0]
    try:
        with explained(noun.reasons):
            state = await read(reading, _acting(noun, service, request, bearer), key, _query(reading, request))
    except OSError as error:
        if not reading.unreadable:
            raise
        log_unexpected(error, request_id=request.request_id)
        raise Refused(INTERNAL, reading.unreadable) from None
    following = getattr(state, "next_page_token", "")
    answer = answer_of(noun, state, headers=(link_to(request, following),) if following else ())
    is_known = not noun.is_managed and is_held(request, dict(answer.headers)["etag"])
    return answer._replace(status=304, body=b"") if is_known else answer


def _query(reading: Reading, request: RequestContext) -> Any:
    """Return what a reading is asked for. Raises Refused with 422 for another parameter, or another value."""
    if reading.has_pages:
        require_parameters(request.parameters, "page_size", "page_token")
        return page_of(request.parameters)
    if reading.query is None:
        if reading.is_whole_list:
            require_parameters(request.parameters)
        return None
    places = dict(zip(reading.places, request.segments, strict=True))
    require_parameters(request.parameters, *(set(reading.query.__struct_fields__) - places.keys()))
    try:
        query = msgspec.convert({**request.parameters, **places}, reading.query, strict=False)
    except msgspec.ValidationError:
        raise Refused(RESOURCE_PARAMETER, "resource.parameter") from None
    if not all(_is_plain(text, getattr(query, name)) for name, text in request.parameters.items()):
        raise Refused(RESOURCE_PARAMETER, "resource.parameter")
    return query


def _is_plain(text: str, value: object) -> bool:
    """Return whether a text is how the description writes such a value; msgspec also reads `TRUE`, `1` and `1e2`."""
    return not isinstance(value, int) or text == msgspec.json.encode(value).decode()


async def _act(operation: Operation, service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Do an operation; a POST once for each Idempotency-Key."""
    preview = operation.on.is_managed and is_preview(request)
    request.required_sign_in = ("", RECENT_SIGN_IN_MS // 1000)  # what is said if the sign-in is too old
    by = _acting(operation.on, service, request, bearer)
    key = by.owns or "" if operation.makes else request.segments[0]

    def require_version(state: Struct) -> None:
        require_match(request, _tag(operation.on, state))

    async def act() -> Answer:
        done, body = operation, _body(operation, request)
        version = require_version if operation.is_versioned else None
        with explained(operation.on.reasons):
            try:
                outcome = await perform(operation, by, key, body, require_version=version, preview=preview)
            except Refused as refused:
                if refused.refusal is not RESOURCE_UNKNOWN or operation.or_makes is None:
                    raise
                require_absent(request)
                done, body = operation.or_makes(key, body)
                outcome = await perform(done, by, "", body, preview=preview)
        if outcome.changed and not preview:
            await service.authority.follow(request.now)
        return _answered(done, outcome, preview)

    if preview or operation.method != "POST":
        return await act()
    return await once(service.authority.store, request, bearer, act, operation.once)


def _acting(noun: Noun[Any], service: Service, request: RequestContext, bearer: Bearer) -> Acting:
    return (acting_by_token if noun.is_managed else acting_for_itself)(service, request, bearer)


def _body(operation: Operation, request: RequestContext) -> Any:
    if operation.patches:
        return read_patch(request)
    if operation.body is None:
        return None
    places = dict(zip(operation.places, request.segments[1:], strict=True))
    members = [each for each in msgspec.structs.fields(operation.body) if each.name not in places]
    if not members:
        return operation.body(**places)
    if not request.body and not any(each.required for each in members):
        return operation.body(**places)
    return read_model(request, operation.body, places)


def _answered(operation: Operation, outcome: Outcome, preview: bool) -> Answer:
    noun, events = operation.on, (operation.event,) if operation.event and outcome.changed else ()
    if operation.silent:
        return Answer(204, "", b"", (_caching(noun),), events)
    headers: Headers = ()
    if operation.makes and noun.key and not preview:
        headers = (("location", f"{noun.base}/{noun.collection}/{noun.key_of(outcome.after)}"),)
    status, state = 200 if preview else operation.status, outcome.state
    if operation.answers is not None and not operation.once:  # no state of the object, so it has no version
        return Answer(status, JSON, _encode(state), (_caching(noun),), events)
    answer = answer_of(noun, state, status, headers)._replace(events=events)
    if not outcome.once:
        return answer
    with_secret = {**msgspec.to_builtins(state), **outcome.once}
    return answer._replace(body=_encode(msgspec.convert(with_secret, operation.answers or type(state))))


def answer_of(noun: Noun[Any], state: Any, status: int = 200, headers: Headers = ()) -> Answer:
    """Return a resource as an answer with its entity tag."""
    return Answer(status, JSON, _encode(state), (_caching(noun), ("etag", _tag(noun, state)), *headers))


def _caching(noun: Noun[Any]) -> tuple[str, str]:
    return NO_STORE if noun.is_managed else PRIVATE


def _tag(noun: Noun[Any], state: Any) -> str:
    """Return the entity tag of a state, which does not cover what changes by itself."""
    names = [name for name in noun.untagged if hasattr(state, name)]
    return tag_of(_encode(msgspec.structs.replace(state, **dict.fromkeys(names, UNSET))))
