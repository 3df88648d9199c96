"""The Prometheus exporter of a node: one address for all its workers, in their parent process (threats E1).

It has a separate listener, so the address outlives every worker. With several workers each sample has the label `worker`:
the number that a worker and its successor share. Sums over workers would decrease while workers are replaced one by one.
"""

import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from wsgiref.simple_server import WSGIServer

import msgspec
from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from credence.telemetry.metrics import Family

DEADLINE_SECONDS = 2.0
"""How long a worker has to answer; after that it is reported as not ready."""

_PIECE_BYTES = 65_536

_decode = msgspec.msgpack.Decoder(list[Family]).decode


@dataclass(frozen=True, slots=True)
class Exporter:
    """The running exporter."""

    folder: Path
    """The folder with the sockets of the workers, each named by the worker's number."""
    server: WSGIServer

    def socket_of(self, worker: int) -> Path:
        """Return the path of the socket on which a worker offers its metrics."""
        return self.folder / str(worker)

    def leave_to_parent(self) -> None:
        """Close the copy of the listener in a forked worker; otherwise the port would outlive the parent process."""
        self.server.socket.close()


@contextmanager
def exporting(host: str, port: int, workers: int) -> Iterator[Exporter]:
    """Serve the metrics of these workers while the block runs; raises OSError if the address cannot be used."""
    folder = Path(
        tempfile.mkdtemp(prefix="credence-metrics-")
    )  # a short path, because the paths of sockets are limited; readable by its owner only
    try:
        registry = CollectorRegistry()
        registry.register(_Workers(folder, workers))
        server, _ = start_http_server(port, host, registry)
        try:
            yield Exporter(folder, server)
        finally:
            server.shutdown()
            server.server_close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class _Workers(Collector):
    def __init__(self, folder: Path, workers: int) -> None:
        self._folder = folder
        self._workers = workers

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics of all workers: each metric once, with the samples of all workers."""
        found: dict[str, Metric] = {}
        answering = 0
        ready = found["credence_ready"] = Metric(
            "credence_ready", "1 if the worker is ready as /readyz has it.", "gauge"
        )
        for worker in range(self._workers):
            label = {"worker": str(worker)} if self._workers > 1 else {}
            families = _read(self._folder / str(worker))
            answering += families is not None
            if families is None:
                ready.add_sample("credence_ready", label, 0)
            for each in families or ():
                metric = found.setdefault(each.name, Metric(each.name, each.meaning, each.kind))
                for name, labels, value in each.samples:
                    metric.add_sample(name, labels | label, value)
        yield GaugeMetricFamily("credence_workers", "Workers that report their metrics.", value=answering)
        yield from found.values()

    def describe(self) -> list[Metric]:
        """Return no metrics, because they are known only after the workers were forked."""
        return []


def _read(path: Path) -> list[Family] | None:
    """Return the metrics of a worker, or None if it does not answer."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(DEADLINE_SECONDS)
        try:
            connection.connect(str(path))
            pieces = []
            while piece := connection.recv(_PIECE_BYTES):
                pieces.append(piece)
            return _decode(b"".join(pieces))
        except (OSError, msgspec.DecodeError):
            return None
