"""Informs all processes on one machine that the change log has grown. Reading it costs eight bytes.

SQLite's `PRAGMA data_version` would report every commit, rotations included, and cost a read of the database after each.
This counter is a small file that grows only for logged changes: under a lock, after the commit and before the caller gets
its answer. It is a hint: a writer that cannot get the lock goes on, because every process also reads the log once a second.
"""

import fcntl
import os
import struct
import threading
from pathlib import Path

from credence.files import OWNER_ONLY

_COUNTER = struct.Struct("<Q")

SUFFIX = "-bell"
"""The file is named after the database with this suffix."""

ATTEMPTS = 50
"""Attempts to get the lock, one millisecond apart. Other processes hold it for microseconds."""


class ChangeCounter:
    """A counter shared by all processes that open the same database file."""

    def __init__(self, database: Path) -> None:
        path = database.with_name(f"{database.name}{SUFFIX}")
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, OWNER_ONLY)
        self._never = threading.Event()
        self._own = 0

    def count(self) -> int:
        """Return the counter. It differs from an earlier value if any process has incremented it since."""
        return (self._own << 64) + self._shared()

    def increment(self) -> None:
        """Increment the counter; no increment of any process is lost. Never raises and waits for 50 ms at most."""
        self._own += 1
        try:
            if self._lock():
                os.pwrite(self._file, _COUNTER.pack((self._shared() + 1) % (1 << 64)), 0)
                fcntl.flock(self._file, fcntl.LOCK_UN)
        except OSError:
            return

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def _shared(self) -> int:
        data = os.pread(self._file, _COUNTER.size, 0)
        return int(_COUNTER.unpack(data)[0]) if len(data) == _COUNTER.size else 0

    def _lock(self) -> bool:
        for _ in range(ATTEMPTS):
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self._never.wait(0.001)
            else:
                return True
        return False
