"""The register as the service reads it: one company by its number, candidates for a search (D19, D23).

The data set is a file that a load replaces as a whole. Each read looks whether it was replaced, which costs about a
microsecond, and opens the new one. Without a file no data is held and every company is unknown.
"""

import datetime as dt
import sqlite3
from collections.abc import Hashable, Iterator
from pathlib import Path

import msgspec

from credence.clock import Milliseconds
from credence.credit import dataset
from credence.credit.facts import Company, Provenance


class LayoutError(RuntimeError):
    """The data set was made for another version of the service; load the register again."""


class About(msgspec.Struct, frozen=True):
    """What a data set holds."""

    source: str
    snapshot: dt.date | None
    loaded_at: Milliseconds
    companies: int


class Register:
    """Reads the data set at `path`. It belongs to the thread that made it, as its SQLite connection does."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._version: tuple[int, ...] | None = None
        self._provenance = Provenance("", None)

    @property
    def data_version(self) -> Hashable:
        """Changes whenever the data set is replaced, appears or vanishes: a cached answer is good for one version."""
        self._follow()
        return self._version

    def company(self, number: str) -> Company | None:
        """Return the company with a normalised number, or None if it is unknown. Raises LayoutError."""
        self._follow()
        if self._connection is None:
            return None
        found = self._connection.execute("SELECT entry FROM company WHERE number = ?", (number,)).fetchone()
        return Company(dataset.decode_entry(found[0]), self._provenance) if found else None

    def about(self) -> About | None:
        """Return what the data set is made of, None without one. Counts every company. Raises LayoutError."""
        self._follow()
        if self._connection is None:
            return None
        (loaded_at,) = self._connection.execute("SELECT loaded_at FROM about").fetchone()
        (companies,) = self._connection.execute("SELECT count(*) FROM company").fetchone()
        return About(self._provenance.source, self._provenance.snapshot, loaded_at, companies)

    def candidates(self, expression: str, limit: int) -> Iterator[Company]:
        """Yield at most `limit` companies that an FTS5 expression over `dataset.TABLES` finds. Raises LayoutError."""
        self._follow()
        if self._connection is None:
            return
        # In the order of the rows: ranking would have to visit every match of a common word. And all at once, so that
        # a replacement between two of them does not matter.
        found = self._connection.execute(
            "SELECT entry FROM search JOIN company ON id = search.rowid WHERE search MATCH ? LIMIT ?",
            (expression, limit),
        ).fetchall()
        for (entry,) in found:
            yield Company(dataset.decode_entry(entry), self._provenance)

    def close(self) -> None:
        """Let go of the file. The next read opens it again."""
        if self._connection is not None:
            self._connection.close()
        self._connection, self._version = None, None

    def _follow(self) -> None:
        try:
            stat = self._path.stat()
        except FileNotFoundError:
            self.close()
            return
        # The open file keeps its inode from being given to its successor.
        version = (stat.st_dev, stat.st_ino, stat.st_mtime_ns)
        if version != self._version:
            self.close()
            self._open()
            self._version = version

    def _open(self) -> None:
        # Immutable, because no one ever writes to this file: SQLite then neither locks nor looks for changes.
        connection = sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
        layout = connection.execute("PRAGMA user_version").fetchone()[0]
        if layout != dataset.LAYOUT:
            connection.close()
            raise LayoutError(f"{self._path.name} has layout {layout}, not {dataset.LAYOUT}: load the register again.")
        source, snapshot = connection.execute("SELECT source, snapshot FROM about").fetchone()
        self._provenance = Provenance(source, dt.date.fromisoformat(snapshot) if snapshot else None)
        self._connection = connection
