"""Traces by OpenTelemetry: one tree of spans for each request that is recorded, sent to a collector over OTLP.

This service alone decides whether a request is recorded: at random, and at most a number per second. A caller's
`traceparent` (W3C Trace Context) is followed only from the operator's networks; any other becomes a link, which forces
nothing (threats A12). Spans wait in a queue of fixed length, and a thread delivers them; if the collector does not answer,
they are lost.

Import this module only where it is used: most deployments have no collector, and importing the SDK takes a tenth of a
second.
"""

import inspect
import logging
import os
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar, cast

import requests
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import Decision, SamplingResult, TraceIdRatioBased
from opentelemetry.trace import Link, Span, SpanContext, SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from credence import __version__, clock
from credence.telemetry import log

MAX_WAITING = 2_048
"""The length of the queue of spans. Further ones are lost."""

DELIVERY_SECONDS = 5.0
"""The maximum duration of one delivery, including retries."""

CLOSE_SECONDS = 2.0
"""How long a stopping process waits for the delivery of its last spans."""

COMPLAINT_SECONDS = 60.0
"""The minimum interval between two log lines about undelivered spans."""

PARENT, STATE = b"traceparent", b"tracestate"

P = ParamSpec("P")
T = TypeVar("T")

_W3C = TraceContextTextMapPropagator()

RawHeaders = Sequence[tuple[bytes, bytes]]


class Traces:
    """The tracer of one process."""

    def __init__(
        self,
        url: str,
        share: float,
        per_second: int,
        follows: Callable[[str], bool],
        attributes: Mapping[str, str],
    ) -> None:
        """`url` is the collector's; `attributes` describe this deployment. Nothing is sent before the first span.

        `share` of the requests is recorded, and at most `per_second`. `follows` returns whether the trace of a caller with
        this address is continued here.
        """
        _log_complaints()
        session = requests.Session()
        session.trust_env = False  # no proxy and no .netrc of the environment
        exporter = OTLPSpanExporter(
            endpoint=url, timeout=DELIVERY_SECONDS, session=session, compression=Compression.Gzip
        )
        resource = Resource.create(
            {
                "service.name": "credence",
                "service.version": __version__,
                "service.instance.id": f"{attributes.get('host.name', '')}-{os.getpid()}",
                **attributes,
            }
        )
        sampler: Any = _Sampler(share, per_second)
        self._provider = TracerProvider(sampler=sampler, resource=resource, shutdown_on_exit=False)
        self._provider.add_span_processor(
            BatchSpanProcessor(
                exporter, max_queue_size=MAX_WAITING, schedule_delay_millis=1_000, max_export_batch_size=512
            )
        )
        self._tracer = self._provider.get_tracer("credence", __version__)
        self._follows = follows

    @contextmanager
    def request(self, name: str, peer: str, headers: RawHeaders, attributes: Mapping[str, str]) -> Iterator[Span]:
        """Run the block in the root span of a request, or in a child of the caller's span if the peer is followed."""
        remote = _remote(headers)
        context, links = None, []
        if remote is not None and self._follows(peer):
            context = trace.set_span_in_context(trace.NonRecordingSpan(remote))
        elif remote is not None:
            links.append(Link(remote))
        with self._tracer.start_as_current_span(
            name,
            context,
            SpanKind.SERVER,
            attributes=attributes,
            links=links,
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            yield span

    def around(
        self, name: str, call: Callable[P, Awaitable[T]], *, root: bool = False, system: str = ""
    ) -> Callable[P, Awaitable[T]]:
        """Return `call` wrapped in a span, which is recorded only within a recorded span, or with `root` also without one.

        `system` is the name of the database that is called, if any.
        """
        kind = SpanKind.CLIENT if system or root else SpanKind.INTERNAL
        attributes = {"db.system.name": system} if system else {}

        async def traced(*arguments: P.args, **named: P.kwargs) -> T:
            if not (root or trace.get_current_span().is_recording()):
                return await call(*arguments, **named)
            with self._span(name, kind, attributes):
                return await call(*arguments, **named)

        return traced

    def around_work(self, name: str, call: Callable[P, T]) -> Callable[P, T]:
        """Return a synchronous function wrapped in a span, which is recorded only within a recorded span."""

        def traced(*arguments: P.args, **named: P.kwargs) -> T:
            if not trace.get_current_span().is_recording():
                return call(*arguments, **named)
            with self._span(name, SpanKind.INTERNAL, {}):
                return call(*arguments, **named)

        return traced

    def around_store(self, store: T, system: str) -> T:
        """Return the store with each asynchronous operation wrapped in a span. `system` is the name of the database."""
        return cast("T", _TracedStore(store, self, system))

    def close(self) -> None:
        """Deliver the remaining spans, within `CLOSE_SECONDS`."""
        closing = threading.Thread(target=self._provider.shutdown, name="traces-close", daemon=True)
        closing.start()
        closing.join(CLOSE_SECONDS)

    @contextmanager
    def _span(self, name: str, kind: SpanKind, attributes: Mapping[str, str]) -> Iterator[None]:
        with self._tracer.start_as_current_span(
            name, kind=kind, attributes=attributes, record_exception=False, set_status_on_exception=False
        ) as span:
            try:
                yield
            except Exception as error:
                # The message of an error may contain an address or a value from the caller.
                span.set_status(StatusCode.ERROR)
                span.set_attribute("error.type", type(error).__name__)
                raise


def trace_headers() -> Mapping[str, str]:
    """Return the header fields that continue the current trace at another service; empty without a trace."""
    fields: dict[str, str] = {}
    _W3C.inject(fields)
    return fields


def trace_id(span: Span) -> str:
    """Return the id of the span's trace: 32 hexadecimal digits."""
    return f"{span.get_span_context().trace_id:032x}"


def trace_response(span: Span) -> str:
    """Return the value of `traceresponse`, which has the form of a `traceparent` and names this span."""
    context = span.get_span_context()
    return f"00-{context.trace_id:032x}-{context.span_id:016x}-{context.trace_flags:02x}"


def describe(span: Span, name: str, status: int, attributes: Mapping[str, str]) -> None:
    """Name the span of a request when its route and its status are known."""
    if span.is_recording():
        span.update_name(name)
        span.set_attributes({"http.response.status_code": status, **attributes})
        if status >= 500:
            span.set_status(StatusCode.ERROR)


def _remote(headers: RawHeaders) -> SpanContext | None:
    """Return the caller's trace context: exactly one valid `traceparent`, with its `tracestate`; None otherwise."""
    parents = [value for name, value in headers if name == PARENT]
    if len(parents) != 1:
        return None
    states = [value.decode("latin-1") for name, value in headers if name == STATE]
    carrier = {PARENT.decode(): parents[0].decode("latin-1"), STATE.decode(): ",".join(states)}
    context = trace.get_current_span(_W3C.extract(carrier)).get_span_context()
    return context if context.is_valid else None


class _Sampler:
    """Records a span inside a recorded span; a root span at random; a continued one as its caller decided."""

    def __init__(self, share: float, per_second: int) -> None:
        self._by_chance = TraceIdRatioBased(share)
        self._per_second = per_second
        self._left = float(per_second)
        self._at = clock.seconds()

    def should_sample(
        self, parent_context: Any, trace_id: int, name: str, kind: Any, attributes: Any, links: Any, _state: Any = None
    ) -> SamplingResult:
        """Decide whether a span is recorded; the SDK calls this when the span starts."""
        parent = trace.get_current_span(parent_context).get_span_context()
        if not parent.is_valid:
            decided = self._by_chance.should_sample(None, trace_id, name, kind, attributes, links)
            recorded = decided.decision is Decision.RECORD_AND_SAMPLE and self._has_room()
        elif parent.is_remote:
            recorded = parent.trace_flags.sampled and self._has_room()
        else:
            recorded = parent.trace_flags.sampled
        state = parent.trace_state if parent.is_valid else None
        return SamplingResult(Decision.RECORD_AND_SAMPLE if recorded else Decision.DROP, attributes, state)

    def get_description(self) -> str:
        """Return the sampler's name for the SDK."""
        return f"{self._by_chance.get_description()}, {self._per_second} per second"

    def _has_room(self) -> bool:
        """Use one of the traces allowed in this second; return False if none is left."""
        now = clock.seconds()
        self._left = min(float(self._per_second), self._left + (now - self._at) * self._per_second)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class _Complaints(logging.Handler):
    """Turns the messages of the SDK into one log event per minute."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._next = 0.0

    def emit(self, record: logging.LogRecord) -> None:
        """Log the message, without a traceback."""
        if clock.seconds() >= self._next:
            self._next = clock.seconds() + COMPLAINT_SECONDS
            log.warning("traces_not_delivered", fault=record.getMessage())


def _log_complaints() -> None:
    ours = logging.getLogger("opentelemetry")
    ours.handlers = [_Complaints()]
    ours.propagate = False
    logging.getLogger("urllib3").propagate = False


class _TracedStore:
    """A store whose coroutine methods are wrapped in spans; other attributes are passed through."""

    def __init__(self, inner: object, traces: Traces, system: str) -> None:
        self._inner, self._traces, self._system = inner, traces, system

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if not callable(found):
            return found  # not cached, because a property may change
        if inspect.iscoroutinefunction(found):
            found = self._traces.around(f"store {name}", found, system=self._system)
        setattr(self, name, found)
        return found
