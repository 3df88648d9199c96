"""Runs the application under granian: sockets, TLS, workers."""

import ctypes
import resource
import signal
import sys
from pathlib import Path
from typing import IO

from granian.constants import HTTPModes, Interfaces, Loops, SSLProtocols
from granian.http import HTTP1Settings, HTTP2Settings
from granian.log import LogLevels
from granian.server import Server

from credence.app import application
from credence.oauth.authority import ReadKeks
from credence.screening.limits import Limits
from credence.settings import Settings
from credence.telemetry import log
from credence.transport.connections import HEAD_DEADLINE_MS
from credence.web.asgi import AsgiApplication

BACKLOG = 2_048
BACKPRESSURE = 65_536
"""Connections a worker may hold, if the process may open so many files. Idle ones count, so it is large; at the cap
further ones wait in the backlog until others end."""

FILES_KEPT_BACK = 128
"""Of the files a process may open: for the store, the register, the log, and for copies while sockets are looked at."""

LARGEST_HEAD = 2 * Limits().header_block
"""Octets, twice what the guard lets pass: what is a little too large is still answered (threats §3)."""

GRACEFUL_STOP = 30
"""Seconds for which a worker that is told to stop finishes what it accepted; whoever stops it must wait longer."""

HTTP_1 = HTTP1Settings(header_read_timeout=HEAD_DEADLINE_MS, max_buffer_size=LARGEST_HEAD)
"""The deadline runs from the first byte of a request, or the end of the one before, until its head is whole."""

HTTP_2 = HTTP2Settings(max_headers_size=LARGEST_HEAD, max_concurrent_streams=64)


def run(
    settings: Settings, read_keks: ReadKeks, tls: tuple[Path, Path] | None, lock: IO[str] | None, *, readable_log: bool
) -> None:
    """Serve until told to stop by SIGTERM or SIGINT; what was accepted is finished first.

    Workers are forked from this process, so nothing may be open in it but `lock`, which keeps other servers away from a
    SQLite file.
    """
    certificate, key = tls or (None, None)
    server = Server(
        "credence",
        address=settings.host,
        port=settings.port,
        interface=Interfaces.ASGI,
        loop=Loops.uvloop,
        http=HTTPModes.auto,
        workers=settings.workers,
        backlog=BACKLOG,
        backpressure=connections_allowed(),
        http1_settings=HTTP_1,
        http2_settings=HTTP_2,
        websockets=False,
        log_level=LogLevels.warning,
        ssl_cert=certificate,
        ssl_key=key,
        ssl_protocol_min=SSLProtocols.tls12,
        workers_kill_timeout=GRACEFUL_STOP,
    )

    def load() -> AsgiApplication:
        _end_with_parent()
        if lock is not None:
            lock.close()  # this process's copy: with its parent the folder must be free
        log.configure(readable=readable_log)
        return application(settings, read_keks)

    server.serve(target_loader=load, wrap_loader=False)


def connections_allowed() -> int:
    """Return how many connections a worker may hold, after asking for all the open files that this process may have."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = BACKPRESSURE + FILES_KEPT_BACK if most == resource.RLIM_INFINITY else most
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, most))
    return max(1, min(BACKPRESSURE, files - FILES_KEPT_BACK))


def _end_with_parent() -> None:
    """Have the kernel end this worker when its parent is killed, or it would hold the port with nobody to stop it."""
    if sys.platform == "linux":
        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGTERM)
