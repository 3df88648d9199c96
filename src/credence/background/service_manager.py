"""Notifies systemd, or another service manager, whether the node serves (sd_notify(3)).

Every worker sends a heartbeat once a second. The first process sends READY=1 when all workers have, and WATCHDOG=1 as
long as all of them do: a worker whose event loop is blocked has the node restarted.
"""

import asyncio
import os
import select
import socket
import struct
from collections.abc import Mapping
from contextlib import suppress
from threading import Thread

from credence import clock

BEAT_SECONDS = 1.0

SILENCE_SECONDS = 5.0
"""Seconds without a heartbeat after which a worker counts as blocked."""

_PID = struct.Struct("=q")
_BEATS_AT_ONCE = 512


class Heartbeats:
    """A pipe for the heartbeats of the workers to the process that started them. Make it before the workers are forked."""

    def __init__(self, workers: int, manager: str) -> None:
        """`manager` is the address of the service manager: a path, or `@` and a name (`$NOTIFY_SOCKET`)."""
        self._workers = workers
        self._address = f"\0{manager[1:]}" if manager.startswith("@") else manager
        self._read, self._write = os.pipe()
        os.set_blocking(self._write, False)

    async def beat(self) -> None:
        """Send a heartbeat once a second from this worker's event loop, until cancelled."""
        while True:
            with suppress(BlockingIOError):  # the first process is being stopped and reads no more
                os.write(self._write, _PID.pack(os.getpid()))
            await asyncio.sleep(BEAT_SECONDS)

    def watch_in_thread(self) -> None:
        """Start the thread that reads the heartbeats and notifies the service manager. The thread ends with the process."""
        Thread(target=self._watch, name="service-manager", daemon=True).start()

    def _watch(self) -> None:
        beats: dict[int, float] = {}
        ready = False
        while True:
            if select.select([self._read], [], [], BEAT_SECONDS)[0]:
                read = os.read(self._read, _BEATS_AT_ONCE * _PID.size)
                beats |= dict.fromkeys((pid for (pid,) in _PID.iter_unpack(read)), clock.seconds())
            since = clock.seconds() - SILENCE_SECONDS
            beats = {pid: at for pid, at in beats.items() if at >= since}
            if len(beats) >= self._workers:
                self._tell("WATCHDOG=1" if ready else "READY=1\nWATCHDOG=1")
                ready = True

    def _tell(self, text: str) -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            try:
                manager.sendto(text.encode(), self._address)
            except OSError:
                return  # without notifications the manager restarts the node


def heartbeats(workers: int, environment: Mapping[str, str]) -> Heartbeats | None:
    """Return the heartbeats if the environment has `NOTIFY_SOCKET`, otherwise None."""
    manager = environment.get("NOTIFY_SOCKET")
    return Heartbeats(workers, manager) if manager else None
