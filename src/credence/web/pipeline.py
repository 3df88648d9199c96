"""The steps of every request, and the one place where refusals and unexpected errors are caught (D3).

The order of refusals: path 404, method 405, size of URL, headers and body 401, then by protection — media type 415,
structure and patterns 401 (`dialects/reader.py`), then the order of the endpoint (`oauth/endpoints`).
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import lru_cache, partial

import msgspec

from credence import paths
from credence.api.tokens.introspection import introspection_answer
from credence.datasets.credit_data import DAMAGED_FILES
from credence.identity.console_roles import role_reaches
from credence.oauth.client_authentication.authentication import require_secret_in_form
from credence.oauth.endpoints.bearer import Required, authenticate_bearer
from credence.oauth.endpoints.device_authorization import DeviceAuthorization
from credence.oauth.endpoints.introspection import Introspected
from credence.oauth.endpoints.pushed_requests import Pushed
from credence.oauth.endpoints.revocation import Revocation
from credence.oauth.issue import Issued
from credence.oauth.parameters.scopes import REPORT
from credence.ratelimit.header_fields import rate_limit_fields
from credence.ratelimit.limiter import NO_USAGE, require_admitted
from credence.refusals.credentials import INSUFFICIENT_SCOPE
from credence.refusals.refusal import Refused
from credence.refusals.requests import (
    INTERNAL,
    METHOD_NOT_ALLOWED,
    MISDIRECTED,
    STORE_DAMAGED,
)
from credence.request_context import RequestContext, ResponseFormat
from credence.screening.limits import Limits
from credence.service import Service
from credence.store.contract import StoreDamaged, StoreUnavailable
from credence.store.revocation_cache import StaleRevocationState
from credence.telemetry.log import log_unexpected, store_unavailable
from credence.web import audit
from credence.web.cross_origin import preflight_answer, readable
from credence.web.dialects.access_token import BEARER_OR_DPOP, credentials_of, credentials_of_request
from credence.web.dialects.reader import STANDARD_DIALECT, read, screen_text
from credence.web.dialects.writer import house_format, token_answer
from credence.web.messages.answer import JSON, Answer, Headers
from credence.web.messages.caching import NO_STORE
from credence.web.messages.request import (
    answer_media_type,
    check_head,
    check_transfer_coding,
    correlation_id,
    path_parameters,
    read_headers,
    read_query,
)
from credence.web.refusal_answers import answer_refusal, record_refusal
from credence.web.route_lookup import Segments, allowed_methods, find_route, row_with_method
from credence.web.routing.route import Protection, Route

ReadBody = Callable[[int | None, Limits], Awaitable[bytes]]
"""Reads the body. Takes the declared length and the limits of the route."""

_WITH_BODY = frozenset({"POST", "PUT", "PATCH"})
"""Methods whose body is read (RFC 9110 §9.3, RFC 5789); no route uses the body of another method."""

_PUBLIC, _CLIENT, _BEARER = Protection.PUBLIC, Protection.CLIENT, Protection.BEARER
_BROWSER, _PERSON = Protection.BROWSER, Protection.PERSON
_STANDARD = ResponseFormat.STANDARD
"""Names for the members that every request needs: up to Python 3.11 `Protection.PUBLIC` takes as long as two calls."""


async def answer(service: Service, request: RequestContext, read_body: ReadBody) -> Answer:
    """Return the answer to this request. Raises nothing."""
    route: Route | None = None
    try:
        route, segments = find_route(request.path, service.settings, manages=service.manages)
        request.route_path = route.path
        if route.problems:
            request.response_format = ResponseFormat.PROBLEM
        if request.method == "OPTIONS":
            return await _answer_options(service, request, route)
        if request.method not in route.methods:
            route = row_with_method(route, request.method)
        answered = await _serve(service, request, route, segments, read_body)
        return answered if "origin" not in request.headers else await readable(service, request, route, answered)
    except Refused as refused:
        answered = answer_refusal(service, request, route, await _counted(service, request, refused))
        return answered if "origin" not in request.headers else await readable(service, request, route, answered)
    except StaleRevocationState:  # `background/monitoring.py` logs when this begins and ends
        return answer_refusal(service, request, route, Refused(INTERNAL, "revocation_state.stale"))
    except StoreDamaged as error:
        store_unavailable(error, **request.ids)
        return answer_refusal(service, request, route, Refused(STORE_DAMAGED, "store.damaged"))
    except StoreUnavailable as error:  # an outage causes many of these, so each is logged as one line
        store_unavailable(error, **request.ids)
        return answer_refusal(service, request, route, Refused(INTERNAL, "store.unavailable"))
    except DAMAGED_FILES:  # `background/monitoring.py` logs once which file is damaged
        return answer_refusal(service, request, route, Refused(INTERNAL, "credit_data.unreadable"))
    except Exception as error:  # noqa: BLE001 - the one place for unexpected errors (threats E7)
        log_unexpected(error, **request.ids)
        return answer_refusal(service, request, route, Refused(INTERNAL, "internal_error"))


async def _counted(service: Service, request: RequestContext, refused: Refused) -> Refused:
    """Count a refusal that no limit has counted, such as a 404, against its address prefix.

    Returns the refusal, or the spike arrest if the limit is exceeded.
    """
    if request.usage is NO_USAGE:
        try:
            require_admitted(await service.rate_limiter.limit_unauthenticated(audit.prefix_of(service, request)))
        except Refused as arrested:
            return arrested
    return refused


def further_headers(request: RequestContext) -> Headers:
    """Return the header fields of every answer (D9), with the RateLimit fields (D16) and the next DPoP nonce."""
    fields: Headers = (("x-request-id", request.request_id),)
    if request.correlation_id is not None:
        fields += (("x-correlation-id", request.correlation_id),)
    if request.usage is not NO_USAGE:
        fields += tuple(rate_limit_fields(request.usage))
    return fields if request.dpop_nonce is None else (*fields, ("dpop-nonce", request.dpop_nonce))


async def _serve(
    service: Service, request: RequestContext, route: Route, segments: Segments, read_body: ReadBody
) -> Answer:
    limits = service.limits if route.max_body is None else replace(service.limits, body=route.max_body)
    declared = check_head(request.path, request.query, request.raw_headers, limits)
    headers = request.headers = read_headers(request.raw_headers)
    _require_known_host(service, request, route)
    request.correlation_id = correlation_id(headers)
    if request.method in _WITH_BODY:
        check_transfer_coding(headers)
        if route.max_body is None:
            request.body = await read_body(declared, limits)
    request.now = service.clock()
    if segments:
        request.segments = path_parameters(segments, public=route.protection is _PUBLIC)
    protection = route.protection
    if request.query and protection not in (_CLIENT, _BROWSER, _PERSON):
        request.parameters = _parameters(request)
    if protection is _PUBLIC:
        return _as_answer(await route.endpoint(service, request))
    request.address_prefix = service.prefixes.of(request.peer, request.forwarded)
    if protection is _CLIENT:
        answered = await _serve_client(service, request, route)
    elif protection is _BEARER:
        answered = await _serve_bearer(service, request, route, partial(read_body, declared, limits))
    elif protection is _BROWSER or protection is _PERSON:
        answered = await _serve_browser(service, request, route, partial(read_body, declared, limits))
    elif protection is Protection.REGISTRATION:
        answered = await _serve_registration(service, request, route)
    else:
        raise LookupError(route.path)
    for event in answered.events:
        audit.audit_event(service, request, event)
    if answered.refused is not None:
        return record_refusal(service, request, answered.refused, answered)
    return answered


def _require_known_host(service: Service, request: RequestContext, route: Route) -> None:
    if not (route.any_host or service.hosts.know(request.headers["host"])):
        raise Refused(MISDIRECTED, "header.host_unknown")


async def _answer_options(service: Service, request: RequestContext, route: Route) -> Answer:
    """Return the answer to a CORS preflight. Raises Refused with 405 for any other OPTIONS request (threats E5)."""
    if not {name for name, _ in request.raw_headers} >= {b"origin", b"access-control-request-method"}:
        raise Refused(METHOD_NOT_ALLOWED, "method.not_allowed")
    check_head(request.path, request.query, request.raw_headers, service.limits)
    request.headers = read_headers(request.raw_headers)
    _require_known_host(service, request, route)
    answered = await preflight_answer(service, request, route, allowed_methods(route.path))
    if answered is None:
        raise Refused(METHOD_NOT_ALLOWED, "method.not_allowed")
    return answered


async def _serve_client(service: Service, request: RequestContext, route: Route) -> Answer:
    if route.request_format is None:
        raise LookupError(route.path)
    request_format = route.request_format(request)  # 415
    if request_format.password_client is not None:
        await service.authority.follow(request.now)
        await require_secret_in_form(service.authority, request, request_format.password_client)  # 415
    standard = request_format.dialect is STANDARD_DIALECT
    written = _STANDARD if standard else house_format(answer_media_type(request.headers))
    request.response_format = written
    attributes = read(request, request_format, service.limits)  # structure and patterns 401
    if request.query:
        _screen_parameters(_parameters(request))
    if not service.authority.is_current(request.now):
        await service.authority.follow(request.now)
    result = await route.endpoint(service.authority, service.rate_limiter, request, attributes)
    match result:
        case Issued():
            if service.settings.audit_issued_tokens:
                audit.record_issued(service, request, result)
            return token_answer(result, written, in_seconds=route.path == paths.TOKEN_IN_SECONDS)
        case Revocation(revoked):
            return Answer(200, JSON, b"{}", (NO_STORE,), ("revoked",) if revoked else ())  # D11
        case Introspected():
            return introspection_answer(service, request, result)
        case Pushed():
            return Answer(201, JSON, msgspec.json.encode(result._asdict()), (NO_STORE,))  # RFC 9126 §2.2
        case DeviceAuthorization():
            return Answer(200, JSON, msgspec.json.encode(result._asdict()), (NO_STORE,))  # RFC 8628 §3.2
        case _:
            raise TypeError(f"{route.path} has returned a {type(result).__name__}")


async def _serve_bearer(
    service: Service, request: RequestContext, route: Route, read_body: Callable[[], Awaitable[bytes]]
) -> Answer:
    _screen_path_and_query(request)
    if route.token_in_form:
        credentials = credentials_of_request(request, service.limits)  # 400
    else:
        credentials = credentials_of(request.headers, BEARER_OR_DPOP)
    if not service.authority.is_current(request.now):
        await service.authority.follow(request.now)
    required = _required(service, request, route)
    request.required_scope = " ".join(required.scopes)
    bearer = await authenticate_bearer(service.authority, service.rate_limiter, request, credentials, required)
    if bearer.rights is not None and route.scope == REPORT and not route.uses_rights:
        raise Refused(INSUFFICIENT_SCOPE, "rights.route")
    if (
        route.role is not None
        and bearer.account is not None
        and not role_reaches(bearer.account.console_role, route.role)
    ):
        raise Refused(INSUFFICIENT_SCOPE, "manage.role")
    if route.max_body is not None:  # a large body is read only for an authenticated caller (threats P1)
        request.body = await read_body()
    return _as_answer(await route.endpoint(service, request, bearer))


def _required(service: Service, request: RequestContext, route: Route) -> Required:
    if route.required is not None:
        return route.required(request)
    path = route.path if route.own_resource else route.resource
    return _required_of(service.settings.issuer, route.scope, path)


@lru_cache(maxsize=256)
def _required_of(issuer: str, scope: str | None, path: str | None) -> Required:
    return Required((scope,) if scope else (), f"{issuer}{path}" if path else None)


async def _serve_registration(service: Service, request: RequestContext, route: Route) -> Answer:
    request.response_format = ResponseFormat.STANDARD
    _screen_path_and_query(request)
    await service.authority.follow(request.now)
    return _as_answer(await route.endpoint(service, request))


async def _serve_browser(
    service: Service, request: RequestContext, route: Route, read_body: Callable[[], Awaitable[bytes]]
) -> Answer:
    """Serve a page and count the request against its address prefix. A page for a person is behind the gate.

    Its parameters are not screened: `state`, `nonce` and others are chosen by applications, and every page escapes
    them.
    """
    request.enforce(await service.rate_limiter.limit_unauthenticated(request.address_prefix))
    await service.authority.follow(request.now)
    if route.gate is None:
        return _as_answer(await route.endpoint(service, request))
    passed = await route.gate(service, request)
    if isinstance(passed, Answer):
        return passed
    if route.max_body is not None and request.method in _WITH_BODY:
        request.body = await read_body()
    return _as_answer(await route.endpoint(service, request, passed))


def _as_answer(value: object) -> Answer:
    if not isinstance(value, Answer):
        raise TypeError("an endpoint returns an answer")
    return value


def _parameters(request: RequestContext) -> Mapping[str, str]:
    return read_query(request.query.decode("latin-1"))


def _screen_path_and_query(request: RequestContext) -> None:
    for value in request.segments:
        screen_text(value)
    _screen_parameters(request.parameters)


def _screen_parameters(parameters: Mapping[str, str]) -> None:
    for name, value in parameters.items():
        screen_text(name)
        screen_text(value)
