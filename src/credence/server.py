"""Runs the application under granian: sockets, TLS, workers."""

import ctypes
import signal
import sys
from pathlib import Path
from typing import IO

from granian.constants import HTTPModes, Interfaces, Loops, SSLProtocols
from granian.log import LogLevels
from granian.server import Server

from credence.app import application
from credence.http.asgi import AsgiApplication
from credence.oauth.authority import ReadKeks
from credence.settings import Settings
from credence.telemetry import log

BACKLOG = 2_048
BACKPRESSURE = 65_536
"""Connections a worker may hold. Idle ones count, so it is large: the guard bounds the work, not this."""


def run(
    settings: Settings, read_keks: ReadKeks, tls: tuple[Path, Path] | None, lock: IO[str], *, readable_log: bool
) -> None:
    """Serve until told to stop by SIGTERM or SIGINT; what was accepted is finished first.

    Workers are forked from this process, so nothing may be open in it but `lock`, which keeps other servers away.
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
        backpressure=BACKPRESSURE,
        websockets=False,
        log_level=LogLevels.warning,
        ssl_cert=certificate,
        ssl_key=key,
        ssl_protocol_min=SSLProtocols.tls12,
        workers_kill_timeout=30,
    )

    def load() -> AsgiApplication:
        _end_with_parent()
        lock.close()  # this process's copy: with its parent the folder must be free
        log.configure(readable=readable_log)
        return application(settings, read_keks)

    server.serve(target_loader=load, wrap_loader=False)


def _end_with_parent() -> None:
    """Have the kernel end this worker when its parent is killed, or it would hold the port with nobody to stop it."""
    if sys.platform == "linux":
        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGTERM)
