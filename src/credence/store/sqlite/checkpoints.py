"""Copies committed pages from the write-ahead log into the database file, while commits go on.

SQLite does so by itself within every commit that brings the log to a thousand pages, and with a million families that
commit waits for a thousand pages at random places and a sync. Here a separate thread copies, and less often: a page that
changed several times is copied once. SQLite reuses the log from its beginning only after all of it was copied, which is
possible only while no process writes: so the last pages are copied in a write turn (`write_turns.py`).
"""

import sqlite3
import threading
from pathlib import Path

from credence.store.contract import StoreUnavailable
from credence.store.sqlite.reading import connect
from credence.store.sqlite.write_turns import WriteTurns

ROWS = 16_000
"""Rows changed by this process after which its thread copies. One that is rotated or deleted is about one page, of 4 kB."""

MAX_LOG_PAGES = 80_000
"""Pages of the log at which a commit copies by itself: the thread has failed, or single writes changed very many pages."""

FEW_PAGES = 300
"""Pages that the thread may leave for its write turn; copying them takes some milliseconds."""

MAX_PASSES = 8
"""Passes until at most `FEW_PAGES` are left; without a bound, a slow disk would keep the thread busy permanently."""


class Checkpoints:
    """The thread of one process, with a connection and turns of its own."""

    def __init__(self, database: Path) -> None:
        """Start the thread. Raises sqlite3.Error and OSError."""
        self._turns = WriteTurns(database)
        self._connection = connect(database)
        self._changed = 0
        self._due = threading.Event()
        self._ends = False
        self._thread = threading.Thread(target=self._serve, name="store-checkpoints", daemon=True)
        self._thread.start()

    def count(self, rows: int) -> None:
        """Count the changed rows of a commit, and start a copy after `ROWS` of them. Called by one thread only."""
        self._changed += rows
        if self._changed >= ROWS:
            self._changed = 0
            self._due.set()

    def close(self) -> None:
        """Finish a copy that is under way."""
        self._ends = True
        self._due.set()
        self._thread.join()
        self._connection.close()
        self._turns.close()

    def _serve(self) -> None:
        while self._due.wait() and not self._ends:
            self._due.clear()
            try:
                self._copy()
            except (sqlite3.Error, StoreUnavailable):
                continue  # the thread tries again later; if it never succeeds, a commit copies and reports the error

    def _copy(self) -> None:
        copied = 0
        for _ in range(MAX_PASSES):
            before, copied = copied, self._pass()
            if copied - before < FEW_PAGES:
                break
        with self._turns.turn():
            self._pass()

    def _pass(self) -> int:
        """Copy the pages that no reader still needs in the log, and return how many pages of the log are copied by now."""
        _, _, copied = self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        return int(copied)
