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
from credence.background.memory_dumps import forbid_dumps
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
"""Maximum open connections per worker, including idle ones, unless the limit on open files is lower.

Further connections wait in the backlog until others end.
"""

FILES_KEPT_BACK = 128
"""Open files reserved in a worker for the store, the register, the log, and duplicates of sockets during checks."""

LARGEST_HEAD = 2 * Limits().header_block
"""The maximum size of a request head in bytes.

It is twice the limit of the screening, so that a slightly larger head gets an answer (threats §3).
"""

GRACEFUL_STOP_SECONDS = 30
"""The time that a stopping worker has to finish its accepted requests; a service manager must wait longer than this."""

HTTP_1 = HTTP1Settings(header_read_timeout=HEAD_DEADLINE_MS, max_buffer_size=LARGEST_HEAD)
"""Limits of HTTP/1.

The deadline for a head runs from its first byte, or from the end of the previous request, to its last byte.
"""

HTTP_2 = HTTP2Settings(max_headers_size=LARGEST_HEAD, max_concurrent_streams=64)


START_SECONDS = 60.0
"""The maximum start time of a new worker in a reload; after that the reload keeps the old worker."""

OVERLAP_SECONDS = 1.0
"""How long an old worker continues to serve after its successor has started, so that the port always has a listener."""

CHECK_SECONDS = 0.2
"""The interval of checks whether the server must stop, while it waits for a new worker."""

RESTART_SECONDS = 1.0
"""The pause before the process of the management API is started again after it ended."""

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)


def run(
    settings: Settings, read_keks: ReadKeks, pair: ServingPair | None, lock: IO[str] | None, *, readable_log: bool
) -> None:
    """Serve until SIGTERM or SIGINT, then finish the accepted requests.

    A worker that ends is replaced; if its successor ends within five seconds, the server ends. SIGHUP replaces all workers
    in sequence, and so does a change of the certificate's files; neither reads a setting again.

    Workers are forked from this process, so it must have nothing open but `lock`, which keeps other servers from the same
    SQLite file.
    """
    readable = readable_log if settings.log_form == "auto" else settings.log_form == "text"
    logging = log.server_logging(readable=readable, node=settings.node)
    server = _server("credence", settings.host, settings.port, settings.workers, logging)
    server.attach(pair)
    log.configure(readable=readable, level=settings.log_level, node=settings.node)

    beats, parent = heartbeats(settings.workers, os.environ), os.getpid()

    def load(worker: int, started: Callable[[], None] | None = None) -> AsgiApplication:
        _begin_worker(parent)
        if exporter is not None:
            exporter.leave_to_parent()
        if lock is not None:
            lock.close()  # closes this process's copy, so that the lock is released as soon as the parent ends
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

    def load_management(of_worker: int, _worker: int, started: Callable[[], None] | None = None) -> AsgiApplication:
        _begin_worker(of_worker)
        log.configure(readable=readable, level=settings.log_level, node=settings.node)
        until = pair.not_after if pair else None
        return application(settings, read_keks, certificate_until=until, started=started, manages=True)

    def manage() -> None:
        _begin_worker(parent)
        if lock is not None:
            lock.close()
        apart = _server("credence-management", settings.manage_host, settings.manage_port, 1, logging)
        apart.attach(pair)
        apart.serve(target_loader=partial(load_management, os.getpid()), wrap_loader=False)

    with _managing(settings, manage), exporting_metrics(settings) as exporter:
        server.serve(target_loader=load, wrap_loader=False)


@contextmanager
def _managing(settings: Settings, serve: Callable[[], None]) -> Iterator[None]:
    """Serve the management API in a separate process while the block runs, if it has a port (D30, threats E1)."""
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
    """A process that is started again when it ends. This thread makes the first start, a waiting thread the later ones."""

    def __init__(self, serve: Callable[[], None]) -> None:
        self._serve = serve
        self._stopping = threading.Event()
        self._process = self._started()
        self._thread = threading.Thread(target=self._restart, name="management", daemon=True)

    def start(self) -> None:
        """Start the thread that waits for the end of the process."""
        self._thread.start()

    def stop(self) -> None:
        """End the process after it has finished its requests."""
        self._stopping.set()
        # The kernel ends a child with the thread that started it, so that thread must run until the process has ended.
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
    """Return a server without its certificate, which `attach` adds."""
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
    # Imported only here: most deployments export no metrics.
    from credence.telemetry.exporter import exporting

    return exporting(settings.metrics_host, settings.metrics_port, settings.workers)


class _Server(MPServer):
    """Granian's server with a replaceable certificate and numbered workers.

    A successor has the number of the worker that it replaces.
    """

    # The common class of granian's servers declares a socket loader, which this class does not use.
    def _spawn_worker(self, idx: int, target: Any, callback_loader: Any, socket_loader: Any = None) -> Any:  # noqa: ARG002 - of its signature
        return super()._spawn_worker(idx, target, partial(callback_loader, idx))

    def attach(self, pair: ServingPair | None) -> None:
        """Serve with this certificate pair, and check for a new one from the start on."""
        self._pair = pair
        self._renewal = Renewal(pair, self._reload_workers)
        self._use_pair()
        self.on_startup(self._renewal.start)

    def signal_handler_reload(self, *_arguments: object, **_options: object) -> None:
        """On SIGHUP, read the files of the certificate again and replace the workers. The settings stay as they are."""
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
        """Replace workers. In a reload, which has a delay, an old worker is kept if its successor does not start."""
        if not delay:
            super()._respawn_workers(workers, spawn_target, target_loader)
            return
        for index in workers:
            receiver, sender = Pipe(duplex=False)
            load = partial(target_loader, started=partial(sender.send, None))
            new: Any = self._spawn_worker(idx=index, target=spawn_target, callback_loader=load)
            new.interrupt_by_parent = True  # marks its end as intended, not as that of a worker in service
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
        """Wait until a new worker serves. Returns why it does not, or an empty text if it does.

        The sentinel shows whether it has ended; `is_alive` may still be true just after another thread has waited for it.
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
    """Let a worker finish its requests; kill it if that takes too long."""
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

    Otherwise it would run this process's handlers, which have no effect in it, and continue to serve.
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


def _begin_worker(parent: int) -> None:
    """Make no dump of this worker, and let the kernel end it when its parent is killed: it would keep the port.

    If the parent has been killed already, the worker ends now.
    """
    forbid_dumps()
    if sys.platform == "linux":
        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGTERM)
    if os.getppid() != parent:
        signal.raise_signal(signal.SIGTERM)
