"""What can be counted and watched, for Prometheus: on a listener of its own, on the loopback address alone (threats E1).

Everything is read when somebody asks, and costs nothing before.
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
    """One figure that is read when somebody asks; None when it is not known, and then it is left out."""

    name: str
    meaning: str
    read: Callable[[], float | None]
    total: bool = False
    """Whether it only grows."""


def listen(host: str, ports: Iterable[int], counts: Counts, watched: Iterable[Watched]) -> Callable[[], None] | None:
    """Answer whoever asks on the first of these ports that is free, and return how to stop; None when none is free."""
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
        """Yield everything as it is now."""
        answers = CounterMetricFamily(
            "credence_http_responses", "Answers, by route and class of status.", labels=("route", "status")
        )
        for (route, status), number in self._counts.answers.copy().items():
            answers.add_metric((route, f"{status}xx"), number)
        refusals = CounterMetricFamily("credence_refusals", "Refusals, by reason code.", labels=("reason",))
        arrests = CounterMetricFamily("credence_spike_arrests", "Spike arrests, by what was full.", labels=("kind",))
        for reason, number in self._counts.refusals.copy().items():
            refusals.add_metric((reason,), number)
            area, _, kind = reason.partition(".")
            if area == "spike":
                arrests.add_metric((kind,), number)
        yield from (answers, refusals, arrests)
        for each in self._watched:
            value = each.read()
            if value is not None:
                family = CounterMetricFamily if each.total else GaugeMetricFamily
                yield family(each.name, each.meaning, value=value)
