"""Tells every process on one machine that the change log has grown, at the price of reading eight bytes of memory.

SQLite's own `PRAGMA data_version` would tell of every commit, of each rotation too, and costs a read of the file after
each. The bell is rung only for what is logged: a counter in a small file that all processes map, raised under a lock
after the commit and before the one who asked for it is answered.
"""

import fcntl
import mmap
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

_COUNTER = struct.Struct("<Q")


class Bell:
    """A counter shared by the processes that open the same file."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a+b")
        path.chmod(0o600)
        with _locked(self._file):
            if path.stat().st_size < _COUNTER.size:
                self._file.truncate(_COUNTER.size)
        self._shared = mmap.mmap(self._file.fileno(), _COUNTER.size)

    def count(self) -> int:
        """Return how often the bell has been rung."""
        return int(_COUNTER.unpack_from(self._shared)[0])

    def ring(self) -> None:
        """Raise the counter; no two rings of any processes are lost in one."""
        with _locked(self._file):
            _COUNTER.pack_into(self._shared, 0, self.count() + 1)

    def close(self) -> None:
        """Let go of the file."""
        self._shared.close()
        self._file.close()


@contextmanager
def _locked(file: IO[bytes]) -> Iterator[None]:
    fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)
