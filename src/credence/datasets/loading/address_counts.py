"""Counts the companies at each address. The addresses are in a temporary file of their own, so a thread can sort them
while the caller sorts and indexes the rest of the register.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager

import msgspec

_TABLES = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32768;
CREATE TABLE staged (places TEXT NOT NULL);
CREATE TABLE shared (place TEXT NOT NULL, companies INTEGER NOT NULL);
"""

_COUNT = """
INSERT INTO shared SELECT value, count(*) FROM staged, json_each(staged.places) WHERE value != ''
GROUP BY value HAVING count(*) > 1 OR value LIKE '~%' ORDER BY value
"""

_encode = msgspec.json.Encoder().encode


class AddressCounts:
    """Companies at each address; `add` every address, `begin` the count, then read `shared`. Raises sqlite3.Error."""

    def __init__(self, staged: sqlite3.Connection, thread: ThreadPoolExecutor) -> None:
        self._staged, self._thread = staged, thread
        self._counted: Future[object] | None = None

    def add(self, places: Sequence[str]) -> None:
        """Add one company at each of these addresses, written as `words.address_key`; an empty one is unknown."""
        # One JSON text is a twentieth of the work of a row for each address.
        self._staged.execute("INSERT INTO staged VALUES (?)", (_encode(places).decode(),))

    def begin(self) -> None:
        """Begin to count in the thread."""
        self._counted = self._thread.submit(self._staged.execute, _COUNT)

    def shared(self) -> Iterator[tuple[str, int]]:
        """Wait for the count; yield each address with two companies or more, in ascending order, and their number.

        An address of dissolved companies (`words.dissolved_at`) is yielded with one already.
        """
        if self._counted is not None:
            self._counted.result()
        yield from self._staged.execute("SELECT place, companies FROM shared ORDER BY rowid")


@contextmanager
def address_counts() -> Iterator[AddressCounts]:
    """Yield a count that has no address yet. Its file has no name and is gone at the end, and a count that runs ends."""
    with (
        closing(sqlite3.connect("", check_same_thread=False)) as staged,
        ThreadPoolExecutor(1, "credence addresses") as thread,
    ):
        staged.executescript(_TABLES)
        try:
            yield AddressCounts(staged, thread)
        finally:
            staged.interrupt()
