"""Lets the processes that write one SQLite file take turns: each waiter writes once before any process writes twice.

SQLite has a lock for the writer, but no queue: a process that finds it taken sleeps up to a tenth of a second before it
tries again, while a busy process takes it again at once. Two locks of small files make a queue. A process waits for the
first until it is the next, and holds that while it waits for the second, which is the turn. So the one that had the turn
queues behind it.

The kernel frees the locks when their process ends. SQLite's own lock still decides who writes: programs that take no turn
only wait longer.
"""

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from credence import clock
from credence.files import OWNER_ONLY
from credence.store.contract import StoreUnavailable

LOCK_TIMEOUT_SECONDS = 1.0
"""How long a write waits for other processes. With the group before it that is at most the 2 s of threats §3."""

SUFFIXES = ("-next", "-turn")
"""Suffixes of the two lock files, which are named after the database."""

RETRY_SECONDS = 0.000_1
"""The pause between two attempts to get a lock.

The kernel's locks have no timeout, and a process that is stopped during its turn must not stop the others.
"""


class WriteTurns:
    """The turns of one process."""

    def __init__(self, database: Path) -> None:
        """Open the files of this database, creating them if they are missing; OSError if this fails."""
        self._next, self._turn = (
            os.open(database.with_name(f"{database.name}{suffix}"), os.O_RDWR | os.O_CREAT, OWNER_ONLY)
            for suffix in SUFFIXES
        )
        self._never = threading.Event()

    @contextmanager
    def turn(self) -> Iterator[float]:
        """Hold the turn for the block, and yield the seconds of the wait for it.

        Raises StoreUnavailable if the wait exceeds `LOCK_TIMEOUT_SECONDS`.
        """
        waited = 0.0
        if not (_lock(self._next) and _lock(self._turn)):
            waited = self._wait()
        _unlock(self._next)
        try:
            yield waited
        finally:
            _unlock(self._turn)

    def close(self) -> None:
        """Close the files."""
        os.close(self._next)
        os.close(self._turn)

    def _wait(self) -> float:
        """Wait for the turn, and return the seconds of the wait. A process that has the turn gets it again at once."""
        began = clock.seconds()
        for lock in (self._next, self._turn):
            while not _lock(lock):
                self._never.wait(RETRY_SECONDS)
                if clock.seconds() - began > LOCK_TIMEOUT_SECONDS:
                    _unlock(self._next)
                    raise StoreUnavailable("another process has written for too long")
        return clock.seconds() - began


def _lock(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _unlock(file: int) -> None:
    fcntl.flock(file, fcntl.LOCK_UN)
