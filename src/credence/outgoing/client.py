"""The outgoing client: a single HTTPS request with limits, without redirects, cookies or connection reuse (D29, threats E3).

A host is resolved once for each call; all its addresses must be allowed, and the connection goes to one of them.
Environment variables for proxies have no effect. Every call has one line in the audit trail, also a refused one.
"""

import asyncio
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Literal, get_args
from urllib.parse import urlsplit

import httpcore

from credence.outgoing.addresses import Address, Resolve, may_connect, system_resolver
from credence.outgoing.connecting import Allowance, CallFailed, CheckedBackend
from credence.outgoing.target import CallRefused, OutgoingRules, Target, read_target
from credence.outgoing.turns import Turns
from credence.telemetry.log import log_unexpected

MAX_HEAD_BYTES = 8_192
"""Maximum size of status line and header of an answer, with informational answers and the framing of the body."""

_FRAMING_BYTES = 8_192
"""The maximum size that chunked framing may add to a body."""

_OF_HTTPCORE = (httpcore.TimeoutException, httpcore.ProxyError, httpcore.ProtocolError, httpcore.NetworkError)

Standing = Literal["verified", "known", "new"]
"""What the service knows of a client: it is registered by the operator or with an invitation, or a person has allowed it, or
nothing."""


@dataclass(frozen=True, slots=True)
class Deadlines:
    """The seconds after which a call fails. Except for `turn`, they begin when the call has its turn at the host."""

    connect: float = 5
    """The time to connect, including name resolution and TLS."""
    first_byte: float = 10
    """The time between the request and the first byte of the answer, and between any two reads."""
    whole: float = 15
    turn: float = 15
    """The maximum wait for a turn at the host; after that no call is made."""


@dataclass(frozen=True, slots=True)
class Call:
    """One request."""

    purpose: str
    """The purpose of the call in the audit trail, such as `back_channel_logout`."""
    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    max_answer_bytes: int = 65_536
    cut_answer: bool = False
    """Whether the rest of a too long answer is ignored instead of failing the call."""
    application: str | None = None
    """The client_id of the application on whose behalf the call is made, for the audit trail."""
    standing: Standing = "verified"
    """That of the client which chose the host: the names of each standing are resolved in threads of their own."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a call. A redirect is returned like any other answer and not followed."""

    status: int
    headers: Mapping[str, str]
    """Header fields by name in lower case; of a repeated field the last value."""
    body: bytes
    address: str
    """The address to which the call was connected."""
    milliseconds: int
    """The duration in milliseconds, without the wait for a turn."""


@dataclass(frozen=True, slots=True)
class CallRecord:
    """The data of a call for the audit trail: values of the operator or the application, no text of the receiver."""

    purpose: str
    application: str | None
    host: str | None
    port: int | None
    peer: str | None
    status: int | None
    reason: str | None
    milliseconds: int


class OutgoingClient:
    """Makes the calls that the operator's rules allow."""

    def __init__(
        self,
        rules: OutgoingRules,
        record: Callable[[CallRecord], None],
        authorities: Path | None = None,
        resolve: Resolve | None = None,
        deadlines: Deadlines | None = None,
        further_headers: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        """`authorities` is a PEM file of certificate authorities that are trusted in addition to the machine's.

        `resolve` takes the place of the machine's resolver. `further_headers` returns header fields that each request gets,
        such as those of its trace.
        """
        self._rules = rules
        self._record = record
        self._resolve = {standing: resolve or system_resolver() for standing in get_args(Standing)}
        self._deadlines = deadlines or Deadlines()
        self._further_headers = further_headers
        self._tls = ssl.create_default_context()
        self._tls.minimum_version = ssl.TLSVersion.TLSv1_2
        if authorities is not None:
            self._tls.load_verify_locations(authorities)
        self.turns = Turns()

    async def call(self, call: Call) -> Answer:
        """Make the call. Raises CallRefused if it is not allowed, CallFailed if there is no complete answer.

        NoTurn, which is a CallFailed, says that nothing was sent because other calls to the host are under way. An
        unexpected error is logged and raised as CallFailed.
        """
        loop = asyncio.get_running_loop()
        began = loop.time()
        target = connected = status = reason = None
        try:
            target = read_target(call.url, self._rules)
            async with self.turns.turn(target.host, target.port, self._deadlines.turn):
                began = loop.time()
                answer = await self._within(target, call)
        except (CallRefused, CallFailed) as error:
            reason = str(error)
            if isinstance(error, CallFailed):
                error.milliseconds = _since(began)
            raise
        except Exception as error:
            log_unexpected(error, purpose=call.purpose)
            reason = "internal_error"
            raise CallFailed(reason) from error
        except BaseException:
            reason = "given_up"
            raise
        else:
            status, connected = answer.status, answer.address
            return answer
        finally:
            self._record(
                CallRecord(
                    call.purpose,
                    call.application,
                    target.host if target else None,
                    target.port if target else None,
                    connected,
                    status,
                    reason,
                    _since(began),
                )
            )

    async def _within(self, target: Target, call: Call) -> Answer:
        try:
            async with asyncio.timeout(self._deadlines.whole):
                return await self._exchange(target, call, asyncio.get_running_loop().time())
        except TimeoutError:
            raise CallFailed("timeout") from None

    async def _exchange(self, target: Target, call: Call, began: float) -> Answer:
        connect_deadline = began + self._deadlines.connect
        allowance = Allowance(MAX_HEAD_BYTES)
        backend = CheckedBackend(await self._addresses(target, call, connect_deadline), connect_deadline, allowance)
        proxy = httpcore.Proxy(self._rules.proxy) if self._rules.proxy else None
        headers = [("Host", target.authority), ("Connection", "close"), ("Accept-Encoding", "identity")]
        if call.method == "POST":
            headers.append(("Content-Length", str(len(call.body))))
        url = httpcore.URL(
            scheme=b"https", host=target.host.strip("[]").encode(), port=target.port, target=target.path.encode()
        )
        timeouts = dict.fromkeys(("connect", "read", "write", "pool"), self._deadlines.first_byte)
        try:
            async with (
                httpcore.AsyncConnectionPool(ssl_context=self._tls, network_backend=backend, proxy=proxy) as pool,
                pool.stream(
                    call.method,
                    url,
                    headers=[*headers, *call.headers.items(), *self._further_headers().items()],
                    content=call.body,
                    extensions={"timeout": timeouts},
                ) as response,
            ):
                allowance.left = call.max_answer_bytes + _FRAMING_BYTES
                allowance.reason = "body_too_large"
                fields = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
                body = await _read(response, call)
        except (*_OF_HTTPCORE, OSError) as error:  # httpcore lets an ssl.SSLError through, which is an OSError
            raise CallFailed(_reason(error)) from error
        return Answer(response.status, fields, body, str(backend.connected), _since(began))

    async def _addresses(self, target: Target, call: Call, deadline: float) -> list[Address]:
        """Return the addresses to connect to: all of the name, if all are allowed, or those of the proxy, if one is set."""
        if target.address is not None and not self._rules.proxy:
            return [target.address]
        proxy = urlsplit(self._rules.proxy)
        host, port = (proxy.hostname or "", proxy.port or 80) if self._rules.proxy else (target.host, target.port)
        try:
            async with asyncio.timeout_at(deadline):
                found = [ip_address(each) for each in await self._resolve[call.standing](host, port)]
        except (OSError, UnicodeError, ValueError):
            raise CallFailed("name_not_resolved") from None
        if not found:
            raise CallFailed("name_not_resolved")
        if not self._rules.proxy and not all(may_connect(each, self._rules.networks) for each in found):
            raise CallRefused("address_not_public")
        return found


async def _read(response: httpcore.Response, call: Call) -> bytes:
    body = b""
    try:
        async for part in response.aiter_stream():
            body += part
            if len(body) > call.max_answer_bytes:
                break
    except CallFailed:
        if not call.cut_answer:
            raise
    if len(body) > call.max_answer_bytes and not call.cut_answer:
        raise CallFailed("body_too_large")
    return body[: call.max_answer_bytes]


def _since(began: float) -> int:
    """Return the milliseconds since an instant of the event loop."""
    return round((asyncio.get_running_loop().time() - began) * 1000)


def _reason(error: Exception) -> str:
    if isinstance(error, httpcore.TimeoutException):
        return "timeout"
    if isinstance(error, httpcore.ProxyError):
        return "proxy_refused"
    if isinstance(error, ssl.SSLError):
        return "tls"
    return "connection_lost" if isinstance(error, httpcore.NetworkError | OSError) else "broken_answer"
