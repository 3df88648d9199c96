"""A collector of traces: an HTTP server of its own that reads what OTLP exporters send, with the official messages."""

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.waiting import wait_until

DELIVERED_WITHIN = 60.0
"""Seconds until spans have arrived, on the busiest machine."""


@dataclass(frozen=True)
class Received:
    """One span, as the collector got it."""

    trace_id: str
    span_id: str
    parent: str
    """Empty for a root."""
    name: str
    attributes: dict[str, str | int]
    links: list[str]
    """The traces that it names without being part of them."""
    failed: bool


@dataclass
class Collector:
    """What has arrived so far."""

    port: int
    spans: list[Received] = field(default_factory=list)
    bytes_: list[bytes] = field(default_factory=list)
    resources: list[dict[str, str]] = field(default_factory=list)
    answering: threading.Event = field(default_factory=threading.Event)
    """Cleared, it keeps every delivery waiting."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1/traces"

    def tree(self, trace_id: str) -> list[Received]:
        """Return the spans of a trace once its root is here, which is delivered last."""

        def found() -> list[Received]:
            return [each for each in self.spans if each.trace_id == trace_id]

        wait_until(lambda: any("http.route" in each.attributes for each in found()), DELIVERED_WITHIN)
        return found()

    def take(self, body: bytes) -> None:
        """Read one delivery."""
        message = ExportTraceServiceRequest()
        message.ParseFromString(body)
        self.bytes_.append(body)
        for resource in message.resource_spans:
            self.resources.append({each.key: each.value.string_value for each in resource.resource.attributes})
            for scope in resource.scope_spans:
                self.spans += [_received(each) for each in scope.spans]


def _received(span: Any) -> Received:
    attributes = {each.key: each.value.string_value or each.value.int_value for each in span.attributes}
    return Received(
        span.trace_id.hex(),
        span.span_id.hex(),
        span.parent_span_id.hex(),
        span.name,
        attributes,
        [each.trace_id.hex() for each in span.links],
        span.status.code == 2,
    )


@contextmanager
def collector(port: int = 0) -> Iterator[Collector]:
    """A collector on this port of loopback, or a free one, until the end of the block."""
    found = Collector(port)
    found.answering.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            found.answering.wait()
            found.take(gzip.decompress(body) if self.headers.get("content-encoding") == "gzip" else body)
            self.send_response(200)
            self.send_header("content-type", "application/x-protobuf")
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
        found.port = server.server_port
        serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        serving.start()
        yield found
        found.answering.set()
        server.shutdown()
        serving.join()
