"""The Prometheus exporter: a listener of its own, on the loopback address only (threats E1).

Values are read when Prometheus scrapes them, and cost nothing otherwise.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from threading import Thread
from wsgiref.simple_server import WSGIServer

from prometheus_client import CollectorRegistry, ProcessCollector, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from credence.telemetry.counts import Counts


@dataclass(frozen=True, slots=True)
class Watched:
    """A gauge or counter that is read at each scrape, and omitted if `read` returns None."""

    name: str
    meaning: str
    read: Callable[[], float | None]
    total: bool = False
    """Whether it is a counter."""


def listen(host: str, ports: Iterable[int], counts: Counts, watched: Iterable[Watched]) -> Callable[[], None] | None:
    """Serve metrics on the first free port of these and return how to stop; None if no port is free."""
    registry = CollectorRegistry()
    registry.register(_Figures(counts, tuple(watched)))
    ProcessCollector(registry=registry)
    for port in ports:
        with suppress(OSError):
            return partial(_stop, *start_http_server(port, host, registry))
    return None


def _stop(server: WSGIServer, thread: Thread) -> None:
    server.shutdown()
    server.server_close()
    thread.join()


class _Figures(Collector):
    def __init__(self, counts: Counts, watched: tuple[Watched, ...]) -> None:
        self._counts = counts
        self._watched = watched

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics with their current values."""
        responses = CounterMetricFamily(
            "credence_http_responses", "Responses, by route and status class.", labels=("route", "status")
        )
        for (route, status), number in self._counts.answers.copy().items():
            responses.add_metric((route, f"{status}xx"), number)
        refusals = CounterMetricFamily("credence_refusals", "Refused requests, by reason code.", labels=("reason",))
        arrests = CounterMetricFamily(
            "credence_spike_arrests", "Spike arrests, by the limit that was reached.", labels=("kind",)
        )
        for reason, number in self._counts.refusals.copy().items():
            refusals.add_metric((reason,), number)
            area, _, kind = reason.partition(".")
            if area == "spike":
                arrests.add_metric((kind,), number)
        yield from (responses, refusals, arrests)
        for each in self._watched:
            value = each.read()
            if value is not None:
                family = CounterMetricFamily if each.total else GaugeMetricFamily
                yield family(each.name, each.meaning, value=value)
