"""A real Redis server for a test: on the loopback address, a free port, its data in a folder of its own.

CREDENCE_TEST_COUNTERS names another program that takes its options, such as `valkey-server`.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import RedisError

from tests.ports import free_port

PROGRAM = os.environ.get("CREDENCE_TEST_COUNTERS", "redis-server")
PASSWORD = "canary-of-the-counters"

STARTED_WITHIN = 20.0


class CountersServer:
    """A server that can be stopped and started again on the same port and the same folder."""

    def __init__(self, folder: Path, **options: str) -> None:
        self.port = free_port()
        self._options = options
        self._folder = folder
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://:{PASSWORD}@127.0.0.1:{self.port}/0"

    @property
    def socket_url(self) -> str:
        return f"unix://:{PASSWORD}@{self._folder / 'socket'}"

    def start(self) -> None:
        """Start it and return once it answers."""
        self._folder.mkdir(exist_ok=True)
        options = {
            "bind": "127.0.0.1",
            "port": str(self.port),
            "unixsocket": str(self._folder / "socket"),
            "dir": str(self._folder),
            "requirepass": PASSWORD,
            "save": "",
            "logfile": "log",
        } | self._options
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        self.process = subprocess.Popen([PROGRAM, *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + STARTED_WITHIN
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                self.ask(lambda redis: redis.ping())
            except RedisError:
                time.sleep(0.02)
            else:
                return
        raise AssertionError((self._folder / "log").read_text())

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def ask(self, question: Callable[["Redis"], object]) -> object:
        """Look into the server from outside."""
        with Redis.from_url(self.url) as redis:
            return question(redis)


@contextmanager
def counters_server(folder: Path, **options: str) -> Iterator[CountersServer]:
    """A running server; the test is skipped, and says so, where the program is not installed."""
    if shutil.which(PROGRAM) is None:
        pytest.skip(f"{PROGRAM} is missing: python -m tests.provision")
    server = CountersServer(folder, **options)
    server.start()
    try:
        yield server
    finally:
        server.stop()
