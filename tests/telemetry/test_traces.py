"""What is recorded, what a caller can make of it, and what waits when the collector does not answer (threats A12)."""

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest

from credence.outgoing.client import Call, OutgoingClient
from credence.outgoing.target import OutgoingRules
from credence.settings import Settings
from credence.telemetry.traces import MAX_WAITING, RawHeaders, Traces, trace_headers, trace_id
from tests.collector import DELIVERED_WITHIN, collector
from tests.outgoing.receivers import LOOPBACK, authority, receiver
from tests.ports import free_port
from tests.waiting import wait_until

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


@contextmanager
def tracing(
    url: str = "", share: float = 1.0, per_second: int = 1_000, follows: Sequence[str] = ()
) -> Iterator[Traces]:
    """Traces to this collector, or to one that takes what comes, so that the end waits for nothing."""
    with nullcontext() if url else collector() as found:
        traces = Traces(found.url if found else url, share, per_second, lambda peer: peer in follows, {})
        yield traces
        traces.close()


def recorded(traces: Traces, headers: RawHeaders = (), peer: str = "192.0.2.1") -> tuple[bool, str]:
    with traces.request("GET", peer, headers, {}) as span:
        return span.is_recording(), trace_id(span)


def parent(text: str) -> RawHeaders:
    return [(b"traceparent", text.encode())]


def test_a_stranger_cannot_have_a_request_recorded() -> None:
    with tracing(share=0) as traces:
        # With a trace id of zeros but for the end, a sampler that decides by the id would always record.
        for trace in (TRACE, "0" * 31 + "1"):
            found, own = recorded(traces, parent(f"00-{trace}-{SPAN}-01"))
            assert not found
            assert own != trace


def test_a_second_has_so_many_traces_at_most_whoever_asks() -> None:
    with tracing(per_second=10, follows=["192.0.2.1"]) as traces:
        began = time.monotonic()
        asked = [recorded(traces, parent(f"00-{TRACE}-{SPAN}-01"))[0] for _ in range(200)]
        asked += [recorded(traces)[0] for _ in range(200)]
        most = 10 + 10 * (time.monotonic() - began) + 1
    assert 10 <= sum(asked) <= most


@pytest.mark.parametrize(
    "header",
    [
        "",
        "00",
        f"00-{'0' * 32}-{SPAN}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"ff-{TRACE}-{SPAN}-01",
        f"00-{TRACE.upper()}-{SPAN}-01",
        f"00-{TRACE}-{SPAN}-01-more",
        f"00-{TRACE}-{SPAN}-0",
        "\xff" * 600,
    ],
)
def test_a_malformed_traceparent_is_ignored(header: str) -> None:
    with tracing(follows=["192.0.2.1"]) as traces:
        _, own = recorded(traces, [(b"traceparent", header.encode("latin-1"))])
    assert own != TRACE


def test_two_traceparent_fields_are_ignored() -> None:
    with tracing(follows=["192.0.2.1"]) as traces:
        assert recorded(traces, [*parent(f"00-{TRACE}-{SPAN}-01")] * 2)[1] != TRACE


def test_a_state_that_is_too_long_or_malformed_loses_the_state_alone() -> None:
    with tracing(follows=["192.0.2.1"]) as traces:
        for state in ("a=" + "b" * 600, "=,,;", ",".join(f"k{number}=v" for number in range(40))):
            headers = [*parent(f"00-{TRACE}-{SPAN}-01"), (b"tracestate", state.encode())]
            with traces.request("GET", "192.0.2.1", headers, {}) as span:
                assert trace_id(span) == TRACE
                assert "tracestate" not in trace_headers() or len(trace_headers()["tracestate"]) <= 512


def test_a_collector_that_does_not_answer_keeps_a_fixed_number_of_spans_waiting() -> None:
    with collector() as found:
        found.answering.clear()
        with tracing(found.url, per_second=10_000) as traces:
            for _ in range(5 * MAX_WAITING):
                recorded(traces)
            found.answering.set()
            wait_until(lambda: len(found.spans) >= MAX_WAITING, DELIVERED_WITHIN)
    assert len(found.spans) <= 2 * MAX_WAITING + 512  # those that wait, and deliveries before it stalled


async def test_a_call_outwards_passes_the_trace_on(tmp_path: Path) -> None:
    with tracing() as traces:
        async with receiver(tmp_path) as found:
            client = OutgoingClient(
                OutgoingRules(LOOPBACK, (), (found.port,)),
                lambda _: None,
                authority(tmp_path),
                further_headers=trace_headers,
            )

            async def call() -> str:
                await client.call(Call("test", "GET", found.url(host="localhost")))
                return trace_headers()["traceparent"]

            inside = await traces.around("deliver test", call, root=True)()
            await client.call(Call("test", "GET", found.url(host="localhost")))
    traced, plain = found.requests
    assert f"traceparent: {inside}\r\n" in traced.head
    assert "traceparent" not in plain.head


async def test_outside_a_recorded_request_nothing_has_a_span() -> None:
    async def operation() -> dict[str, str]:
        return dict(trace_headers())

    with tracing() as traces:
        assert await traces.around("store sweep", operation)() == {}


def test_without_a_collector_the_sdk_is_not_even_imported() -> None:
    script = "import sys, credence.server, credence.app; sys.exit('opentelemetry' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


@pytest.mark.parametrize(
    "url", ["collector:4318", "ftp://collector/", "http://user:secret@collector/v1/traces", "http://a b/"]
)
def test_an_address_of_another_form_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="http://host:port/path"):
        Settings(traces_url=url)


def test_a_collector_that_comes_back_gets_what_is_recorded_from_then_on() -> None:
    port = free_port()
    with tracing(f"http://127.0.0.1:{port}/v1/traces") as traces:
        recorded(traces)
        with collector(port) as found:

            def arrived() -> bool:
                recorded(traces)
                return bool(found.spans)

            wait_until(arrived, DELIVERED_WITHIN)
