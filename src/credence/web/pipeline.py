"""The one way of every request, and the one place where a refusal or a surprise becomes an answer (D3).

The order of refusals: path 404, method 405, size of URL, headers and body 401, then by protection — media type 415,
structure and patterns 401 (`dialects/reader.py`), the token endpoint's own order (`endpoints/token.py`), the bearer, or
registration's own (`endpoints/registration.py`).
"""

import re
from collections.abc import Awaitable, Callable, Mapping

from credence.datasets.credit_data import DAMAGED_FILES
from credence.oauth.issue import Issued
from credence.ratelimit.header_fields import rate_limit_fields
from credence.ratelimit.limiter import NO_USAGE
from credence.refusals import INTERNAL, METHOD_NOT_ALLOWED, SPIKE_ARREST, Refused
from credence.screening.size import check_head
from credence.service import Service
from credence.store.contract import StoreUnavailable
from credence.store.revocation_cache import StaleRevocationState
from credence.telemetry.log import log_unexpected, store_unavailable
from credence.web import audit
from credence.web.challenges import challenges
from credence.web.checks.callers import authenticate_bearer
from credence.web.dialects.dialect import Dialect
from credence.web.dialects.form_token import with_one_token
from credence.web.dialects.media import answer_form
from credence.web.dialects.reader import read, screen_text
from credence.web.dialects.writer import ResponseFormat, house_format, refusal_answer, token_answer
from credence.web.exchange import Exchange
from credence.web.messages.answer import JSON, Answer, Headers
from credence.web.messages.caching import NO_STORE
from credence.web.messages.request import Request, decode_percent, read_headers, read_query
from credence.web.routes import allowed_methods, find_route, row_with_method
from credence.web.routing.route import Protection, Route

ReadBody = Callable[[int | None], Awaitable[bytes]]
"""Given the length that the head declares of it."""

_WITH_BODY = frozenset({"POST", "PUT"})
"""Methods whose body is read (RFC 9110 §9.3); no route gives meaning to another's."""

_CORRELATION_ID = re.compile(r"[A-Za-z0-9._:\-]{1,128}").fullmatch


async def answer(service: Service, exchange: Exchange, read_body: ReadBody) -> Answer:
    """Return the answer to this request, whatever happens."""
    try:
        return await _serve(service, exchange, read_body)
    except Refused as refused:
        return _refusal(service, exchange, refused)
    except StaleRevocationState:  # the log says when it began and when it ended, `background/log_silence.py`
        return _refusal(service, exchange, Refused(INTERNAL, "revocation_state.stale"))
    except StoreUnavailable as error:  # an outage has many of these, so each is a line
        store_unavailable(error, request_id=exchange.request_id)
        return _refusal(service, exchange, Refused(INTERNAL, "store.unavailable"))
    except DAMAGED_FILES:  # the log says once what is damaged, `background/data_faults.py`
        return _refusal(service, exchange, Refused(INTERNAL, "credit_data.unreadable"))
    except Exception as error:  # noqa: BLE001 - the one place for surprises (threats E7)
        log_unexpected(error, request_id=exchange.request_id)
        return _refusal(service, exchange, Refused(INTERNAL, "internal_error"))


def further_headers(exchange: Exchange) -> Headers:
    """Return the header fields that every answer carries (D9), and what the caller is told of its rate (D16) and nonce."""
    request_id, trace = ("x-request-id", exchange.request_id), exchange.trace
    told = rate_limit_fields(trace.usage)
    if trace.nonce is not None:
        told = (*told, ("dpop-nonce", trace.nonce))
    if exchange.correlation_id is None:
        return (request_id, *told)
    return (request_id, ("x-correlation-id", exchange.correlation_id), *told)


async def _serve(service: Service, exchange: Exchange, read_body: ReadBody) -> Answer:
    path = exchange.path.decode("latin-1")
    route, segment = find_route(path, service.settings)
    exchange.route = route
    if exchange.method not in route.methods:
        route = exchange.route = row_with_method(route, exchange.method)
    declared = check_head(exchange.path, exchange.query, exchange.headers, service.limits)
    headers = exchange.fields = read_headers(exchange.headers)
    exchange.correlation_id = _echoed(headers.get("x-correlation-id"))
    request = Request(
        headers=headers,
        body=await read_body(declared) if exchange.method in _WITH_BODY else b"",
        peer=exchange.peer,
        now=service.clock(),
        segment=decode_percent(segment),
        parameters={} if route.protection is Protection.CLIENT else _parameters(exchange),
        method=exchange.method,
        path=path,
        gone=exchange.gone,
        trace=exchange.trace,
    )
    match route.protection:
        case Protection.PUBLIC:
            return _as_answer(await route.endpoint(service, request))
        case Protection.BEARER:
            screen_text(request.segment)
            _screen_parameters(request.parameters)
            if route.token_in_form:
                request = with_one_token(request, service.limits)  # 400
            await service.authority.follow(request.now)
            return _as_answer(
                await route.endpoint(service, request, await authenticate_bearer(service, request, route.scope))
            )
        case Protection.CLIENT:
            return await _serve_client(service, exchange, route, request)
        case Protection.REGISTRATION:
            return await _serve_registration(service, exchange, route, request)


async def _serve_client(service: Service, exchange: Exchange, route: Route, request: Request) -> Answer:
    if route.request_format is None:
        raise LookupError(route.path)
    request_format = route.request_format(request)  # 415
    standard = request_format.dialect is Dialect.STANDARD
    response_format = exchange.response_format = (
        ResponseFormat.STANDARD if standard else house_format(answer_form(request.headers))
    )
    attributes = read(request, request_format, service.limits)  # structure and patterns 401
    _screen_parameters(_parameters(exchange))
    await service.authority.follow(request.now)
    done: Issued | Answer | None = await route.endpoint(service, request, attributes)
    if exchange.trace.deed is not None:
        audit.record_deed(service, exchange, request.now)
    match done:
        case None:
            return Answer(200, JSON, b"{}", (NO_STORE,))  # D11
        case Issued():
            return token_answer(done, response_format)
        case Answer():
            return done


async def _serve_registration(service: Service, exchange: Exchange, route: Route, request: Request) -> Answer:
    exchange.response_format = ResponseFormat.STANDARD
    screen_text(request.segment)
    _screen_parameters(request.parameters)
    await service.authority.follow(request.now)
    done = _as_answer(await route.endpoint(service, request))
    if exchange.trace.deed is not None:
        audit.record_deed(service, exchange, request.now)
    return done


def _as_answer(value: object) -> Answer:
    if not isinstance(value, Answer):
        raise TypeError("an endpoint returns an answer")
    return value


def _parameters(exchange: Exchange) -> Mapping[str, str]:
    return read_query(exchange.query.decode("latin-1")) if exchange.query else {}


def _screen_parameters(parameters: Mapping[str, str]) -> None:
    for name, value in parameters.items():
        screen_text(name)
        screen_text(value)


def _early_response_format(exchange: Exchange) -> ResponseFormat:
    """Return the response format of a refusal before the dialect, and perhaps the headers, have been read (D8)."""
    fields = exchange.fields
    if fields is None:
        fields = {name.decode("latin-1"): value.decode("latin-1") for name, value in exchange.headers}
    return house_format(answer_form(fields))


def _refusal(service: Service, exchange: Exchange, refused: Refused) -> Answer:
    refusal = refused.refusal
    headers = []
    if refusal is METHOD_NOT_ALLOWED and exchange.route is not None:
        headers.append(("allow", ", ".join(allowed_methods(exchange.route.path))))  # RFC 9110 §15.5.6
    if refusal is SPIKE_ARREST:
        headers.append(("retry-after", str(refused.retry_after or 1)))
    elif exchange.route is not None and exchange.route.protection is Protection.CLIENT:
        exchange.trace.usage = NO_USAGE  # the limit of an account would show how busy its owner is
    headers += challenges(exchange, refused, service.settings)
    response_format = exchange.response_format or _early_response_format(exchange)
    answered = refusal_answer(refusal, response_format, service.settings, *headers)
    audit.record_refusal(service, exchange, refused, answered.status)
    service.counts.refusals[refused.reason] += 1
    return answered


def _echoed(correlation_id: str | None) -> str | None:
    return correlation_id if correlation_id and _CORRELATION_ID(correlation_id) else None
