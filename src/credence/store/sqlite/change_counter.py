"""Tells every process on one machine that the change log has grown, at the price of reading eight bytes.

SQLite's own `PRAGMA data_version` would tell of every commit, of each rotation too, and costs a read of the file after
each. The bell is rung only for what is logged: a counter in a small file, raised under a lock after the commit and before
the one who asked for it is answered. It is a hint and never in the way: a bell that cannot be rung is not waited for,
because every process also looks at the log once a second.
"""

import fcntl
import os
import struct
import threading
from pathlib import Path

from credence.files import FOR_ITS_OWNER

_COUNTER = struct.Struct("<Q")

ATTEMPTS = 50
"""Tries to get the lock, a millisecond apart; it is held for microseconds by those who behave."""


class ChangeCounter:
    """A counter shared by the processes that open the same file."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, FOR_ITS_OWNER)
        self._never = threading.Event()
        self._own = 0

    def count(self) -> int:
        """Return a number that differs from the last one if anyone, this process above all, has rung since."""
        return (self._own << 64) + self._shared()

    def ring(self) -> None:
        """Raise the counter; no two rings of any processes are lost in one. Never raises and never waits long."""
        self._own += 1
        try:
            if self._lock():
                os.pwrite(self._file, _COUNTER.pack((self._shared() + 1) % (1 << 64)), 0)
                fcntl.flock(self._file, fcntl.LOCK_UN)
        except OSError:
            return

    def close(self) -> None:
        """Let go of the file."""
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
