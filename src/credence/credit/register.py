"""The register as the service reads it: one company by its number, and the names for a search (D19, D23).

The data set is a file that a load replaces as a whole. Each read looks whether it was replaced, which costs about a
microsecond, and opens the new one. Without a file no data is held and every company is unknown.
"""

import datetime as dt
import sqlite3
from collections.abc import Hashable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from credence.clock import Milliseconds
from credence.credit import dataset
from credence.credit.facts.provenance import Provenance
from credence.credit.facts.register import RegisterEntry
from credence.credit.name_index import NameIndex
from credence.credit.place import place

LICENCE = "Contains public register information from Companies House"
"""The line that readers are owed (credit §4.4)."""


class LayoutError(RuntimeError):
    """The data set was made for another version of the service, or is damaged; load the register again."""


class About(msgspec.Struct, frozen=True):
    """What a data set holds."""

    source: str
    snapshot: dt.date | None
    loaded_at: Milliseconds
    companies: int


class Register:
    """Reads the data set at `path`, for one thread at a time.

    `fixed` says that the file is never replaced: it is opened once, at the first read, and then read to the end even
    when it has been removed. FileNotFoundError when it is gone before.
    """

    def __init__(self, path: Path, *, fixed: bool = False) -> None:
        self._path = path
        self._fixed = fixed
        self._connection: sqlite3.Connection | None = None
        self._version: tuple[int, ...] | None = None
        self._provenance = Provenance("")

    @property
    def data_version(self) -> Hashable:
        """Changes whenever the data set is replaced, appears or vanishes: a cached answer is good for one version."""
        self._follow()
        return self._version

    @property
    def provenance(self) -> Provenance:
        """Where the entries of the open data set come from."""
        return self._provenance

    def entry(self, number: str) -> RegisterEntry | None:
        """Return the entry of the company with a normalised number, or None if it is unknown. Raises LayoutError."""
        self._follow()
        if self._connection is None:
            return None
        found = self._rows(self._connection, "SELECT entry FROM company WHERE number = ?", number)
        return self._with_neighbours(self._connection, dataset.decode_entry(found[0][0])) if found else None

    def entries(self, first: int, last: int) -> Iterator[RegisterEntry]:
        """Yield the entries at the places `first` to `last`, without the count of their neighbours. Raises LayoutError."""
        self._follow()
        if self._connection is not None:
            rows = self._rows(self._connection, "SELECT entry FROM company WHERE id BETWEEN ? AND ?", first, last)
            yield from (dataset.decode_entry(entry) for (entry,) in rows)

    def last_place(self) -> int:
        """Return the place of the last entry, 0 without one; places begin with 1. Raises LayoutError."""
        self._follow()
        if self._connection is None:
            return 0
        return int(self._rows(self._connection, "SELECT max(id) FROM company")[0][0] or 0)

    def about(self) -> About | None:
        """Return what the data set is made of, None without one. Raises LayoutError."""
        self._follow()
        if self._connection is None:
            return None
        ((loaded_at, companies),) = self._rows(self._connection, "SELECT loaded_at, companies FROM about")
        return About(self._provenance.source, self._provenance.as_of, loaded_at, companies)

    def divisions(self) -> dict[str, int]:
        """Return how many companies have their first activity in each two-digit division of SIC 2007 (credit §2.2).

        Companies without an activity of SIC 2007 are in none. Raises LayoutError.
        """
        self._follow()
        if self._connection is None:
            return {}
        return dict(self._rows(self._connection, "SELECT division, companies FROM division"))

    def index(self) -> NameIndex | None:
        """Return the names of the newest data set, None without one; good until the next read. Raises LayoutError."""
        self._follow()
        return NameIndex(partial(self._rows, self._connection)) if self._connection else None

    def close(self) -> None:
        """Let go of the file. The next read opens it again."""
        if self._connection is not None:
            self._connection.close()
        self._connection, self._version = None, None

    def _follow(self) -> None:
        if self._fixed:
            if self._connection is None:
                self._path.stat()
                self._open()
            return
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
        with ExitStack() as opened:
            connection = opened.enter_context(
                closing(
                    sqlite3.connect(
                        f"{self._path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
                    )
                )
            )
            ((layout,),) = self._rows(connection, "PRAGMA user_version")
            if layout != dataset.LAYOUT:
                raise LayoutError(
                    f"{self._path.name} has layout {layout}, not {dataset.LAYOUT}: load the register again."
                )
            about = self._rows(connection, "SELECT source, snapshot FROM about")
            if not about:
                raise self._damaged()
            ((source, snapshot),) = about
            self._provenance = Provenance(
                source, dt.date.fromisoformat(snapshot) if snapshot else None, licence=LICENCE
            )
            self._connection = connection
            opened.pop_all()

    def _with_neighbours(self, connection: sqlite3.Connection, entry: RegisterEntry) -> RegisterEntry:
        where = place(entry.office)
        if not where:
            return entry
        found = self._rows(connection, "SELECT companies FROM place WHERE place = ?", where)
        return msgspec.structs.replace(entry, companies_at_office=found[0][0] if found else 1)

    def _rows(self, connection: sqlite3.Connection, statement: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            return connection.execute(statement, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise self._damaged() from error

    def _damaged(self) -> LayoutError:
        return LayoutError(f"{self._path} is damaged or no data set: load the register again.")
