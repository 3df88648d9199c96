"""The pipeline as an ASGI 3 application: a start, a stop, and one call per request."""

from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import aclosing
from itertools import count
from typing import Any

from credence.crypto.randomness import random_bytes
from credence.refusals import THREAT, Refused
from credence.request_context import RequestContext
from credence.screening.limits import Limits
from credence.screening.size import check_body
from credence.service import Service
from credence.telemetry.counts import NO_ROUTE
from credence.telemetry.log import flush, log_unexpected
from credence.transport.answers import WHOLE_HTTP_1, WHOLE_HTTP_2
from credence.web.messages.answer import Answer
from credence.web.messages.security_headers import RawHeader, always
from credence.web.pipeline import answer, further_headers

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

NO_CONTENT = 204

UNKNOWN_PEER = "0.0.0.0"  # noqa: S104 - no listening address
"""The address of a peer that has none. No host has it (RFC 6890 §2.2.2), so only a rule for its network allows it."""

_NO_PEER = (UNKNOWN_PEER, 0)


class AsgiApplication:
    """Opens its service when the server starts and closes it when the server stops."""

    def __init__(self, start: Callable[[], Awaitable[Service]], stop: Callable[[Service], Awaitable[None]]) -> None:
        self._start = start
        self._stop = stop
        self._service: Service | None = None
        self._always: tuple[RawHeader, ...] = ()
        # Request ids are unique over all processes: random octets of this one, then a serial number (D9).
        self._request_ids = map(f"{random_bytes(8).hex()}-{{}}".format, count(1))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or run the start and stop of the server."""
        if scope["type"] == "http" and self._service is not None:
            if client := scope.get("client"):
                self._service.answers.connections.handed.setdefault(client, 0)
            await _serve(self._service, next(self._request_ids), scope, receive, send, self._always)
        elif scope["type"] == "lifespan":
            await self._live(receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        try:
            self._service = await self._start()
        except Exception as error:  # noqa: BLE001 - after any error the server must not run without a service
            log_unexpected(error)
            flush()
            await send({"type": "lifespan.startup.failed", "message": type(error).__name__})
            return
        self._always = always(self._service.settings)
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self._stop(self._service)
        flush()
        await send({"type": "lifespan.shutdown.complete"})


async def _serve(
    service: Service, request_id: str, scope: Scope, receive: Receive, send: Send, always: tuple[RawHeader, ...]
) -> None:
    client = scope.get("client")
    request = RequestContext(
        request_id,
        scope["method"],
        scope["raw_path"].decode("latin-1"),
        scope["query_string"],
        scope["headers"],
        client[0] if client else UNKNOWN_PEER,
        lambda: _disconnected(receive),
    )
    answered = await answer(service, request, lambda declared, limits: _read_body(service, receive, declared, limits))
    service.counts.answers[request.route_path or NO_ROUTE, answered.status // 100] += 1
    await send({"type": "http.response.start", "status": answered.status, "headers": _head(answered, request, always)})
    body = b"" if scope["method"] == "HEAD" else answered.body
    peer = scope.get("client") or _NO_PEER
    http_2 = scope["http_version"] == "2"
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


async def _disconnected(receive: Receive) -> None:
    """Return when the caller has disconnected: after the body the only further message is `http.disconnect` (ASGI)."""
    await receive()


async def _read_body(service: Service, receive: Receive, declared: int | None, limits: Limits) -> bytes:
    """Return the complete body; Refused when it is too large, too slow or incomplete (threats P1, P13, P14)."""
    body = await service.bodies.receive(_receive_all(receive, limits))
    if declared is not None and declared != len(body):
        raise Refused(THREAT, "body.incomplete")
    return body


async def _receive_all(receive: Receive, limits: Limits) -> bytes:
    pieces: list[bytes] = []
    length = 0
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Refused(THREAT, "body.incomplete")
        piece = message.get("body", b"")
        length += len(piece)
        check_body(length, limits)
        pieces.append(piece)
        more = message.get("more_body", False)
    return b"".join(pieces)


def _head(answered: Answer, request: RequestContext, always: tuple[RawHeader, ...]) -> list[RawHeader]:
    described = [(b"content-type", answered.media_type.encode())]
    if answered.rest is None:
        described.append((b"content-length", str(len(answered.body)).encode()))
    return [
        *(described if answered.status != NO_CONTENT else []),  # RFC 9110 §8.6
        *always,
        *[(name.encode(), value.encode()) for name, value in (*answered.headers, *further_headers(request))],
    ]
