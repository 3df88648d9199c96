"""The pipeline as an ASGI 3 application: start, stop, and one call for each request."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator, MutableMapping
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

from credence.clock import seconds
from credence.crypto.randomness import random_bytes
from credence.request_context import RequestContext
from credence.request_log.waiting import Noted
from credence.screening.limits import Limits
from credence.service import Service
from credence.settings import Settings
from credence.store.contract import StoreUnavailable
from credence.telemetry.counts import NO_ROUTE
from credence.telemetry.log import event, flush, log_unexpected, store_unavailable
from credence.transport.answers import WHOLE_HTTP_1, WHOLE_HTTP_2
from credence.transport.bodies import LEFT_UNREAD, Receive, check_body
from credence.web.messages.answer import Answer, Headers
from credence.web.messages.recorded import forwarded
from credence.web.messages.security_headers import RawHeader, always
from credence.web.pipeline import answer, further_headers
from credence.web.waiting import answer_without_store

if TYPE_CHECKING:
    from credence.web.traced import AnswerRequest

Scope = MutableMapping[str, Any]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

NO_CONTENT = 204

RETRY_SECONDS = 1.0
"""Seconds between two attempts to start while the store does not answer."""

UNKNOWN_PEER = "0.0.0.0"  # noqa: S104 - not an address to listen on
"""The address for a peer without one. No host has it (RFC 6890 §2.2.2), so only a rule for its network allows it."""

_NO_PEER = (UNKNOWN_PEER, 0)


class AsgiApplication:
    """Opens its service when the server starts and closes it when the server stops."""

    def __init__(
        self,
        settings: Settings,
        start: Callable[[], Awaitable[Service]],
        stop: Callable[[Service], Awaitable[None]],
        beat: Callable[[], Awaitable[None]] | None = None,
        started: Callable[[], None] | None = None,
    ) -> None:
        """`beat`, if given, runs as long as the service and sends the heartbeat of this worker to the service manager.

        `started`, if given, is called when the start has ended, even if the store does not answer yet.
        """
        self._settings = settings
        self._start = start
        self._stop = stop
        self._beat = beat
        self._started = started
        self._service: Service | None = None
        self._answer: AnswerRequest = answer
        self._always = always(settings)
        # Request ids are unique over all processes: random octets of this process, then a serial number (D9).
        self._request_ids = map(f"{random_bytes(8).hex()}-{{}}".format, count(1))

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Coroutine[Any, Any, None]:
        """Serve one request, or run the start and stop of the server."""
        service = self._service
        if service is not None and scope["type"] == "http":
            return _serve(service, self._answer, next(self._request_ids), scope, receive, send, self._always)
        if scope["type"] == "http":
            return self._serve_without_store(scope, send)
        return self._live(scope, receive, send)

    async def _live(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            return
        await receive()
        further = [asyncio.ensure_future(self._beat())] if self._beat is not None else []
        try:
            await self._open()
        except StoreUnavailable as error:
            store_unavailable(error)
            further.append(asyncio.ensure_future(self._start_later()))
        except Exception as error:  # noqa: BLE001 - after any error the server must not run without a service
            log_unexpected(error)
            flush()
            await send({"type": "lifespan.startup.failed", "message": type(error).__name__})
            return
        if self._started is not None:
            self._started()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        for each in further:
            each.cancel()
        if self._service is not None:
            await self._stop(self._service)
        flush()
        await send({"type": "lifespan.shutdown.complete"})

    async def _open(self) -> None:
        """Open the service and choose the function that answers requests: with traces, every request has a span."""
        service = await self._start()
        if service.traces is not None:
            from credence.web.traced import traced

            self._answer = traced(answer, service.traces)
        self._service = replace(service, answer=partial(_answer_from_inside, self._answer, self._request_ids))

    async def _start_later(self) -> None:
        """Try to start once a second until the store answers.

        Any other error is logged once, and the start is tried again too.
        """
        logged: set[str] = set()
        while self._service is None:
            await asyncio.sleep(RETRY_SECONDS)
            try:
                await self._open()
            except StoreUnavailable:
                continue
            except Exception as error:  # noqa: BLE001 - the operator may correct the error while the node waits
                if str(error) not in logged:
                    logged.add(str(error))
                    log_unexpected(error)
        event("store_available")

    async def _serve_without_store(self, scope: Scope, send: Send) -> None:
        answered = answer_without_store(scope["raw_path"].decode("latin-1"), scope["headers"], self._settings)
        request_id = (b"x-request-id", next(self._request_ids).encode())
        headers = [*_described(answered), *self._always, request_id, *_encoded(answered.headers)]
        await send({"type": "http.response.start", "status": answered.status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else answered.body})


async def _serve(
    service: Service,
    answer: "AnswerRequest",
    request_id: str,
    scope: Scope,
    receive: Receive,
    send: Send,
    always: tuple[RawHeader, ...],
) -> None:
    peer = scope.get("client") or _NO_PEER
    service.answers.connections.handed.setdefault(peer, 0)
    request = RequestContext(
        request_id,
        scope["method"],
        scope["raw_path"].decode("latin-1"),
        scope["query_string"],
        scope["headers"],
        peer[0],
        lambda: _disconnected(receive),
    )
    began = seconds()
    answered = await answer(service, request, partial(service.bodies.receive, receive))
    _note(service, request, answered, seconds() - began)
    head = _head(answered, request, always)
    http_2 = scope["http_version"] == "2"
    if request.reason in LEFT_UNREAD and not http_2:  # HTTP/2 has no such field (RFC 9113 §8.2.2)
        head.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": answered.status, "headers": head})
    body = b"" if scope["method"] == "HEAD" else answered.body
    if answered.rest is not None:
        async with aclosing(answered.rest) as rest:
            await service.answers.send_as_made(send, body, rest, peer, request.disconnected, http_2=http_2)
        return
    if len(body) > (WHOLE_HTTP_2 if http_2 else WHOLE_HTTP_1):
        await service.answers.send_in_pieces(send, body, peer, http_2=http_2)
        return
    await send({"type": "http.response.body", "body": body})
    handed = service.answers.connections.handed
    handed[peer] = handed.get(peer, 0) + len(body)


def _note(service: Service, request: RequestContext, answered: Answer, took: float) -> None:
    """Pass an answered request to the metrics and the logs."""
    service.counts.answers[request.route_path or NO_ROUTE, answered.status // 100].observe(took)
    if service.log_answer is not None:
        service.log_answer(request, answered.status, took)
    if service.request_log is not None:
        service.request_log.add(_noted(request, service, answered.status, took))


async def _answer_from_inside(
    answer: "AnswerRequest",
    request_ids: Iterator[str],
    service: Service,
    method: str,
    target: str,
    headers: list[RawHeader],
    peer: str,
    body: bytes,
) -> Answer:
    """Return the answer to a request that a page sends for the person at the address `peer`."""
    path, _, query = target.partition("?")

    async def read_body(_declared: int | None, limits: Limits) -> bytes:
        check_body(len(body), limits)
        return body

    request = RequestContext(next(request_ids), method, path, query.encode(), headers, peer)
    began = seconds()
    answered = await answer(service, request, read_body)
    _note(service, request, answered, seconds() - began)
    return answered


def _noted(request: RequestContext, service: Service, status: int, took: float) -> Noted:
    """Return what the request log stores of a request; this takes half a microsecond per request (threats A12)."""
    return (
        request.now or service.clock(),  # a request that is refused early has no time yet
        request.request_id,
        request.correlation_id,
        request.client_id,
        request.username,
        request.method,
        request.route_path,
        status,
        took,
        request.reason,
        request.peer,
        ", ".join(forwarded(request)) if service.settings.trusted_proxies else "",
    )


async def _disconnected(receive: Receive) -> None:
    """Return when the caller has disconnected (ASGI). A body that no route has read is dropped."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _head(answered: Answer, request: RequestContext, always: tuple[RawHeader, ...]) -> list[RawHeader]:
    head = [*_described(answered), *always]
    for name, value in (*answered.headers, *further_headers(request)):
        head.append((name.encode(), value.encode()))
    return head


def _described(answered: Answer) -> tuple[RawHeader, ...]:
    if answered.status == NO_CONTENT:  # RFC 9110 §8.6
        return ()
    media_type = (b"content-type", answered.media_type.encode())
    return (media_type,) if answered.rest is not None else (media_type, (b"content-length", b"%d" % len(answered.body)))


def _encoded(headers: Headers) -> list[RawHeader]:
    return [(name.encode(), value.encode()) for name, value in headers]
