"""Runs the application under granian: sockets, TLS, workers."""

import ctypes
import os
import resource
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection, Pipe, wait
from multiprocessing.context import ForkProcess
from typing import IO, Any

from granian.constants import HTTPModes, Interfaces, Loops, SSLProtocols
from granian.http import HTTP1Settings, HTTP2Settings
from granian.log import LogLevels
from granian.server.mp import MPServer

from credence import clock
from credence.app import application
from credence.background.service_manager import heartbeats
from credence.oauth.authority import ReadKeks
from credence.screening.limits import Limits
from credence.serving_pair import Renewal, ServingPair
from credence.settings import Settings
from credence.telemetry import log
from credence.transport.connections import HEAD_DEADLINE_MS
from credence.web.asgi import AsgiApplication

BACKLOG = 2_048
BACKPRESSURE = 65_536
"""Open connections per worker, idle ones included, if the process may open that many files. Further connections wait in the
backlog until others end."""

FILES_KEPT_BACK = 128
"""Files that a worker keeps for the store, the register, the log, and duplicates of sockets during checks."""

LARGEST_HEAD = 2 * Limits().header_block
"""Bytes of a request head, twice the limit of the screening, so that a slightly larger head gets an answer (threats §3)."""

GRACEFUL_STOP_SECONDS = 30
"""Seconds that a stopping worker has for the requests it accepted; a service manager must wait longer than this."""

HTTP_1 = HTTP1Settings(header_read_timeout=HEAD_DEADLINE_MS, max_buffer_size=LARGEST_HEAD)
"""The deadline for a head runs from its first byte, or from the end of the request before, to its last byte."""

HTTP_2 = HTTP2Settings(max_headers_size=LARGEST_HEAD, max_concurrent_streams=64)


START_SECONDS = 60.0
"""How long a reload waits for a new worker to start; after that it keeps the old one."""

OVERLAP_SECONDS = 1.0
"""How long an old worker serves on next to the started one that replaces it: the port always has a listener."""

CHECK_SECONDS = 0.2
"""Between two checks whether the server is to stop, while it waits for a new worker."""

RESTART_SECONDS = 1.0
"""Between the end of the process of the management API and its next start."""

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)


def run(
    settings: Settings, read_keks: ReadKeks, pair: ServingPair | None, lock: IO[str] | None, *, readable_log: bool
) -> None:
    """Serve until SIGTERM or SIGINT, then finish the accepted requests.

    A worker that ends is replaced; one that ends again within five seconds ends the server. SIGHUP replaces all workers, one
    after the other, and so does a change of the certificate's files.

    Workers are forked from this process, so it must have nothing open but `lock`, which keeps other servers from the same
    SQLite file.
    """
    readable = readable_log if settings.log_form == "auto" else settings.log_form == "text"
    logging = log.server_logging(readable=readable, node=settings.node)
    server = _server("credence", settings.host, settings.port, settings.workers, logging)
    server.attach(pair)
    log.configure(readable=readable, level=settings.log_level, node=settings.node)

    beats = heartbeats(settings.workers, os.environ)

    def load(worker: int, started: Callable[[], None] | None = None) -> AsgiApplication:
        _end_with_parent()
        if exporter is not None:
            exporter.leave_to_parent()
        if lock is not None:
            lock.close()  # the copy of this process; the folder must be free as soon as the parent ends
        log.configure(readable=readable, level=settings.log_level, node=settings.node)
        return application(
            settings,
            read_keks,
            beat=beats.beat if beats else None,
            metrics=exporter.socket_of(worker) if exporter else None,
            certificate_until=pair.not_after if pair else None,
            started=started,
        )

    _let_signals_end_starting_workers()
    if beats:
        beats.watch_in_thread()

    def load_management(_worker: int, started: Callable[[], None] | None = None) -> AsgiApplication:
        _end_with_parent()
        log.configure(readable=readable, level=settings.log_level, node=settings.node)
        until = pair.not_after if pair else None
        return application(settings, read_keks, certificate_until=until, started=started, manages=True)

    def manage() -> None:
        _end_with_parent()
        if lock is not None:
            lock.close()
        apart = _server("credence-management", settings.manage_host, settings.manage_port, 1, logging)
        apart.attach(pair)
        apart.serve(target_loader=load_management, wrap_loader=False)

    with _managing(settings, manage), exporting_metrics(settings) as exporter:
        server.serve(target_loader=load, wrap_loader=False)


@contextmanager
def _managing(settings: Settings, serve: Callable[[], None]) -> Iterator[None]:
    """Serve the management API in a process of its own while the block runs, if it has a port (D30, threats E1)."""
    if not settings.manage_port:
        yield
        return
    apart = _Restarted(serve)
    apart.start()
    try:
        yield
    finally:
        apart.stop()


class _Restarted:
    """A process that is started again when it ends. The first is started here, a later one by the thread that waits."""

    def __init__(self, serve: Callable[[], None]) -> None:
        self._serve = serve
        self._stopping = threading.Event()
        self._process = self._started()
        self._thread = threading.Thread(target=self._restart, name="management", daemon=True)

    def start(self) -> None:
        """Begin to wait for its end."""
        self._thread.start()

    def stop(self) -> None:
        """End the process when it has finished its requests."""
        self._stopping.set()
        # The kernel ends a child with the thread that started it, so the thread goes on until the process has ended.
        self._thread.join(2 * GRACEFUL_STOP_SECONDS)

    def _started(self) -> ForkProcess:
        process = get_context("fork").Process(target=self._serve, name="credence-management")
        process.start()
        return process

    def _restart(self) -> None:
        while not self._stopping.is_set():
            if not wait([self._process.sentinel], timeout=CHECK_SECONDS):
                continue
            self._process.join()
            log.error("management_ended", exit_code=self._process.exitcode)
            if not self._stopping.wait(RESTART_SECONDS):
                self._process = self._started()
        _stop_process(self._process)


def _stop_process(process: ForkProcess) -> None:
    process.terminate()
    process.join(GRACEFUL_STOP_SECONDS)
    if process.is_alive():
        process.kill()


def _server(name: str, address: str, port: int, workers: int, logging: dict[str, Any]) -> "_Server":
    """Return a server that has yet to be given its certificate."""
    return _Server(
        name,
        address=address,
        port=port,
        interface=Interfaces.ASGI,
        loop=Loops.uvloop,
        http=HTTPModes.auto,
        workers=workers,
        backlog=BACKLOG,
        backpressure=connections_allowed(),
        http1_settings=HTTP_1,
        http2_settings=HTTP_2,
        websockets=False,
        log_level=LogLevels.warning,
        log_dictconfig=logging,
        ssl_protocol_min=SSLProtocols.tls12,
        workers_kill_timeout=GRACEFUL_STOP_SECONDS,
        respawn_failed_workers=True,
        respawn_interval=OVERLAP_SECONDS,
    )


def exporting_metrics(settings: Settings) -> AbstractContextManager[Any]:
    """Return a context that serves the metrics of all workers and yields the `Exporter`; None if no port is set."""
    if not settings.metrics_port:
        return nullcontext()
    # Imported late: most deployments export no metrics.
    from credence.telemetry.exporter import exporting

    return exporting(settings.metrics_host, settings.metrics_port, settings.workers)


class _Server(MPServer):
    """The server of granian, with a certificate that may be replaced, and workers with numbers.

    A successor has the number of its predecessor.
    """

    # The common class of granian's servers declares a loader of the socket, which this kind does not use.
    def _spawn_worker(self, idx: int, target: Any, callback_loader: Any, socket_loader: Any = None) -> Any:  # noqa: ARG002
        return super()._spawn_worker(idx, target, partial(callback_loader, idx))

    def attach(self, pair: ServingPair | None) -> None:
        """Serve with this pair, and look for new ones from the start on."""
        self._pair = pair
        self._renewal = Renewal(pair, self._reload_workers)
        self._use_pair()
        self.on_startup(self._renewal.start)

    def signal_handler_reload(self, *_arguments: object, **_options: object) -> None:
        """Ask for a reload; called for SIGHUP."""
        self._renewal.ask()

    def _reload_workers(self) -> None:
        self._use_pair()
        reload: Callable[[], None] = super().signal_handler_reload
        reload()

    def _use_pair(self) -> None:
        if self._pair is not None:
            context: Any = self.ssl_ctx
            self.ssl_ctx = (True, *map(str, self._pair.paths), *context[3:])

    def _respawn_workers(
        self, workers: Sequence[int], spawn_target: object, target_loader: Callable[..., Any], delay: float = 0
    ) -> None:
        """Replace workers. In a reload, which has a delay, a worker is kept unless its successor starts."""
        if not delay:
            super()._respawn_workers(workers, spawn_target, target_loader)
            return
        for index in workers:
            receiver, sender = Pipe(duplex=False)
            load = partial(target_loader, started=partial(sender.send, None))
            new: Any = self._spawn_worker(idx=index, target=spawn_target, callback_loader=load)
            new.interrupt_by_parent = True  # its end is not that of a worker in service
            new.start()
            fault = self._fault_at_start(new, receiver, delay)
            receiver.close()
            sender.close()
            if fault and not self.interrupt_signal:
                log.error("worker_kept", worker=index + 1, fault=fault)
            if fault:
                _stop(new)
                continue
            old, self.wrks[index] = self.wrks[index], new
            new.interrupt_by_parent = False
            _stop(old)

    def _fault_at_start(self, new: Any, receiver: Connection, overlap: float) -> str:
        """Wait until a new worker serves; return why it does not, which is empty if it does.

        Its sentinel says whether it has ended; `is_alive` may say yes for a moment after another thread has waited for it.
        """
        ended = new.inner.sentinel
        deadline = clock.seconds() + START_SECONDS
        while not wait([receiver, ended], timeout=CHECK_SECONDS):
            if self.interrupt_signal:
                return "the server was asked to stop"
            if clock.seconds() > deadline:
                return f"its successor did not start within {START_SECONDS:.0f} seconds"
        return "its successor ended at its start" if wait([ended], timeout=overlap) else ""


def _stop(worker: Any) -> None:
    """Let a worker finish its requests; end it when it takes too long."""
    worker.terminate()
    if not wait([worker.inner.sentinel], timeout=GRACEFUL_STOP_SECONDS):
        worker.kill()
    worker.join()


def connections_allowed() -> int:
    """Raise the limit on open files as far as allowed, and return the number of connections per worker."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = BACKPRESSURE + FILES_KEPT_BACK if most == resource.RLIM_INFINITY else most
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, most))
    return max(1, min(BACKPRESSURE, files - FILES_KEPT_BACK))


def _let_signals_end_starting_workers() -> None:
    """Let SIGTERM and SIGINT end a forked worker until it has handlers of its own.

    It would otherwise run the handlers of this process, which are no use to it, and so serve on after it was asked to stop.
    """
    os.register_at_fork(
        before=partial(signal.pthread_sigmask, signal.SIG_BLOCK, STOP_SIGNALS),
        after_in_parent=partial(signal.pthread_sigmask, signal.SIG_UNBLOCK, STOP_SIGNALS),
        after_in_child=_end_by_signals,
    )


def _end_by_signals() -> None:
    for each in STOP_SIGNALS:
        signal.signal(each, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)


def _end_with_parent() -> None:
    """Let the kernel end this worker when its parent is killed; otherwise it would keep the port."""
    if sys.platform == "linux":
        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGTERM)
