"""The routes of operations and readings in the management API: path, scope and role follow from each (D30, D41)."""

from functools import partial
from typing import Any

import msgspec
from msgspec import Struct

from credence import paths
from credence.identity.sessions import RECENT_SIGN_IN_MS
from credence.oauth.bearer import Bearer
from credence.operations.operation import Noun, Operation, Reading
from credence.operations.perform import Outcome, perform, read
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.messages.answer import JSON, Answer, Headers
from credence.web.messages.caching import NO_STORE
from credence.web.resource_api.acting import acting_by_token
from credence.web.resource_api.bodies import read_model, read_patch
from credence.web.resource_api.descriptions import operation_described, reading_described
from credence.web.resource_api.explained import explained
from credence.web.resource_api.idempotency import once
from credence.web.resource_api.pages import is_preview, require_parameters
from credence.web.resource_api.preconditions import require_match, tag_of
from credence.web.routing.route import READ, Protection, Route

_encode = msgspec.json.Encoder().encode


def route_of(declared: Operation | Reading) -> Route:
    """Return the route of an operation or a reading."""
    reads = isinstance(declared, Reading)
    return Route(
        READ if isinstance(declared, Reading) else (declared.api[0],),
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
        state = await read(reading, acting_by_token(service, request, bearer), key)
    return answer_of(reading.on, state)


async def _act(operation: Operation, service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Do an operation; a POST once for each Idempotency-Key."""
    require_parameters(request.parameters, "preview")
    preview = is_preview(request)
    request.required_sign_in = ("", RECENT_SIGN_IN_MS // 1000)  # what is said if the sign-in is too old
    key = "" if operation.makes else request.segments[0]

    def require_version(state: Struct) -> None:
        require_match(request, _tag(operation.on, state))

    async def act() -> Answer:
        by, body = acting_by_token(service, request, bearer), _body(operation, request)
        version = require_version if operation.is_versioned else None
        with explained():
            return _answered(
                operation, await perform(operation, by, key, body, require_version=version, preview=preview), preview
            )

    if preview or operation.api[0] != "POST":
        return await act()
    return await once(service.authority.store, request, bearer, act, operation.once)


def _body(operation: Operation, request: RequestContext) -> Any:
    if operation.api[0] == "PATCH":
        return read_patch(request)
    if operation.body is None:
        return None
    return read_model(request, operation.body)


def _answered(operation: Operation, outcome: Outcome, preview: bool) -> Answer:
    made = (operation.makes or bool(operation.once)) and not preview
    headers: Headers = ()
    if operation.makes and made:
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
    untagged = dict.fromkeys(noun.untagged, "") if noun is not None else {}
    return tag_of(_encode(msgspec.structs.replace(state, **untagged)))
