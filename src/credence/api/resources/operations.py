"""The routes of operations and readings in the management API: path, scope and role follow from each (D30, D41)."""

from functools import partial
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from credence import paths
from credence.api.resources.acting import acting_by_token
from credence.api.resources.bodies import read_model, read_patch
from credence.api.resources.descriptions import operation_described, reading_described
from credence.api.resources.explained import explained
from credence.api.resources.idempotency import once
from credence.api.resources.pages import is_preview, link_to, page_of, require_parameters
from credence.api.resources.preconditions import require_absent, require_match, tag_of
from credence.identity.sessions import RECENT_SIGN_IN_MS
from credence.oauth.bearer import Bearer
from credence.operations.operation import Noun, Operation, Reading
from credence.operations.perform import Outcome, perform, read
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_PARAMETER, RESOURCE_UNKNOWN
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.messages.answer import JSON, Answer, Headers
from credence.web.messages.caching import NO_STORE
from credence.web.routing.route import READ, Protection, Route

_encode = msgspec.json.Encoder().encode


def route_of(declared: Operation | Reading) -> Route:
    """Return the route of an operation or a reading."""
    reads = isinstance(declared, Reading)
    return Route(
        READ if isinstance(declared, Reading) else (_method(declared),),
        f"{paths.MANAGEMENT}/{declared.path}",
        Protection.BEARER,
        partial(_show if reads else _act, declared),  # type: ignore[arg-type]  # each with its own kind
        reading_described(declared) if isinstance(declared, Reading) else operation_described(declared),
        resource=paths.MANAGEMENT,
        problems=True,
        any_host=True,
        scope=declared.access.scope,
        role=declared.access.role,
    )


async def _show(reading: Reading, service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    key = request.segments[0] if reading.on is not None else ""
    with explained():
        state = await read(reading, acting_by_token(service, request, bearer), key, _query(reading, request))
    following = getattr(state, "next_page_token", "") if reading.has_pages else ""
    return answer_of(reading.on, state, headers=(link_to(request, following),) if following else ())


def _query(reading: Reading, request: RequestContext) -> Any:
    """Return what a reading is asked for. Raises Refused with 422 for another parameter, or another value."""
    if reading.has_pages:
        require_parameters(request.parameters, "page_size", "page_token")
        return page_of(request.parameters)
    if reading.query is None:
        return None
    require_parameters(request.parameters, *(each.name for each in msgspec.structs.fields(reading.query)))
    try:
        return msgspec.convert(request.parameters, reading.query, strict=False)
    except msgspec.ValidationError:
        raise Refused(RESOURCE_PARAMETER, "resource.parameter") from None


async def _act(operation: Operation, service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Do an operation; a POST once for each Idempotency-Key."""
    require_parameters(request.parameters, "preview")
    preview = is_preview(request)
    request.required_sign_in = ("", RECENT_SIGN_IN_MS // 1000)  # what is said if the sign-in is too old
    by, key = acting_by_token(service, request, bearer), "" if operation.makes else request.segments[0]

    def require_version(state: Struct) -> None:
        require_match(request, _tag(operation.on, state))

    async def act() -> Answer:
        done, body = operation, _body(operation, request)
        version = require_version if operation.is_versioned else None
        with explained():
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

    if preview or _method(operation) != "POST":
        return await act()
    return await once(service.authority.store, request, bearer, act, operation.once)


def _method(operation: Operation) -> str:
    if operation.api is None:
        raise TypeError(f"{operation.name} has no route")
    return operation.api[0]


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
    if operation.silent:
        return Answer(204, "", b"", (NO_STORE,))
    made = operation.answers_as_new and not preview
    headers: Headers = ()
    if operation.makes and made and operation.on.key:
        key = getattr(outcome.state, operation.on.key)
        headers = (("location", f"{paths.MANAGEMENT}/{operation.on.collection}/{key}"),)
    return answer_of(operation.on, outcome.state, 201 if made else 200, headers, **outcome.once)


def answer_of(noun: Noun[Any] | None, state: Any, status: int = 200, headers: Headers = (), **secrets: str) -> Answer:
    """Return a resource as an answer with its entity tag; `secrets` are members that only this answer has."""
    tag = _tag(noun, state)
    for name, secret in secrets.items():
        setattr(state, name, secret)
    return Answer(status, JSON, _encode(state), (NO_STORE, ("etag", tag), *headers))


def _tag(noun: Noun[Any] | None, state: Any) -> str:
    """Return the entity tag of a state, which does not cover what changes by itself."""
    names = [name for name in (noun.untagged if noun is not None else ()) if hasattr(state, name)]
    return tag_of(_encode(msgspec.structs.replace(state, **dict.fromkeys(names, UNSET))))
