"""The metrics of one worker, and the local socket on which the parent process reads them (threats E1).

Values are computed only when Prometheus scrapes them. `exporter.py` serves the metrics of all workers.
"""

import os
import socket
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import msgspec
from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from credence import __version__
from credence.commit import running_commit
from credence.telemetry.counts import Counts
from credence.telemetry.histogram import Histogram


class Family(msgspec.Struct, frozen=True, array_like=True):
    """One metric in the form in which a worker sends it to the parent process."""

    name: str
    meaning: str
    kind: str
    samples: list[tuple[str, dict[str, str], float]]


@dataclass(frozen=True, slots=True)
class Watched:
    """A gauge or counter whose value `read` returns at each scrape; it is omitted if that is None.

    With a `label`, `read` returns a mapping from values of the label to numbers.
    """

    name: str
    meaning: str
    read: Callable[[], float | Mapping[str, float] | None]
    total: bool = False
    """Whether it is a counter."""
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Timed:
    """A histogram of durations."""

    name: str
    meaning: str
    histogram: Histogram


def offer(path: Path, counts: Counts, watched: Iterable[Watched], timed: Iterable[Timed]) -> Callable[[], None]:
    """Offer the metrics of this worker on a local socket, from a thread, and return a function that stops it.

    The previous worker with the same number may still be finishing its requests.
    """
    registry = CollectorRegistry()
    registry.register(_Figures(counts, tuple(watched), tuple(timed)))
    ProcessCollector(registry=registry)
    listening = socket.socket(socket.AF_UNIX)
    fresh = path.with_suffix(f".{os.getpid()}")
    listening.bind(str(fresh))
    listening.listen()
    fresh.rename(path)
    Thread(target=_answer, args=(listening, registry), name="metrics", daemon=True).start()

    def stop() -> None:
        with suppress(OSError):
            listening.shutdown(socket.SHUT_RDWR)
        listening.close()

    return stop


def _answer(listening: socket.socket, registry: CollectorRegistry) -> None:
    while True:
        try:
            connection, _ = listening.accept()
        except OSError:  # the socket was closed
            return
        with connection, suppress(OSError):
            connection.sendall(msgspec.msgpack.encode([_family(each) for each in registry.collect()]))


def _family(metric: Metric) -> Family:
    samples = [(each.name, dict(each.labels), float(each.value)) for each in metric.samples]
    return Family(metric.name, metric.documentation, metric.type, samples)


class _Figures(Collector):
    def __init__(self, counts: Counts, watched: tuple[Watched, ...], timed: tuple[Timed, ...]) -> None:
        self._counts = counts
        self._watched = watched
        self._timed = timed

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics with their current values."""
        version = {"version": __version__, "python": ".".join(map(str, sys.version_info[:3]))}
        if commit := running_commit():
            version["commit"] = commit
        yield InfoMetricFamily(
            "credence_build", "The version of the program and of Python, and the commit of a checkout.", value=version
        )
        yield from self._of_answers()
        for timed in self._timed:
            yield HistogramMetricFamily(
                timed.name, timed.meaning, buckets=timed.histogram.cumulative(), sum_value=timed.histogram.seconds
            )
        for each in self._watched:
            value = each.read()
            if value is None:
                continue
            family = CounterMetricFamily if each.total else GaugeMetricFamily
            found = family(each.name, each.meaning, labels=(each.label,) if each.label else ())
            for label, number in value.items() if isinstance(value, Mapping) else [("", value)]:
                found.add_metric((label,) if each.label else (), float(number))
            yield found

    def _of_answers(self) -> Iterator[Metric]:
        responses = CounterMetricFamily(
            "credence_http_responses", "Responses, by route and status class.", labels=("route", "status")
        )
        durations = HistogramMetricFamily(
            "credence_http_response_seconds",
            "Time from the head of a request to its answer, before it is sent, by route and status class.",
            labels=("route", "status"),
        )
        for (route, status), histogram in self._counts.answers.copy().items():
            labels = (route, f"{status}xx")
            responses.add_metric(labels, histogram.count)
            durations.add_metric(labels, histogram.cumulative(), histogram.seconds)
        refusals = CounterMetricFamily("credence_refusals", "Refused requests, by reason code.", labels=("reason",))
        arrests = CounterMetricFamily(
            "credence_spike_arrests", "Spike arrests, by the limit that was reached.", labels=("kind",)
        )
        for reason, number in self._counts.refusals.copy().items():
            refusals.add_metric((reason,), number)
            area, _, kind = reason.partition(".")
            if area == "spike":
                arrests.add_metric((kind,), number)
        yield from (responses, durations, refusals, arrests)
