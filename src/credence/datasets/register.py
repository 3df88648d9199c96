"""The register as the service reads it: one company by its number, and the names for a search (D19, D23).

Which data set that is says `register_in_service.py`. Without one no data is held and every company is unknown.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from credence.companies.facts.register import RegisterEntry
from credence.companies.place import place
from credence.datasets import register_schema
from credence.datasets.frozen import open_frozen
from credence.datasets.name_index import NameIndex


class UnusableDataSet(RuntimeError):
    """The data set was made for another version of the service, or is damaged; load the register again."""


class RegisterReader:
    """Reads one data set, for one thread at a time; to the end, even when its file is removed meanwhile."""

    def __init__(self, path: Path | None) -> None:
        """Open the file; None stands for a register of nothing. Raises FileNotFoundError, UnusableDataSet."""
        self._path = path
        self._connection = self._opened(path) if path else None

    def entry(self, number: str) -> RegisterEntry | None:
        """Return the entry of the company with a normalised number, or None if it is unknown. Raises UnusableDataSet."""
        if self._connection is None:
            return None
        found = self._rows(self._connection, "SELECT entry FROM company WHERE number = ?", number)
        return self._with_neighbours(self._connection, self._decoded(found[0][0])) if found else None

    def entries(self, first: int, last: int) -> Iterator[RegisterEntry]:
        """Yield the entries at the places `first` to `last`, without `companies_at_office`. Raises UnusableDataSet."""
        if self._connection is not None:
            rows = self._rows(self._connection, "SELECT entry FROM company WHERE id BETWEEN ? AND ?", first, last)
            yield from (self._decoded(entry) for (entry,) in rows)

    def last_place(self) -> int:
        """Return the place of the last entry, 0 without one; places begin with 1. Raises UnusableDataSet."""
        if self._connection is None:
            return 0
        return int(self._rows(self._connection, "SELECT max(id) FROM company")[0][0] or 0)

    def divisions(self) -> dict[str, int]:
        """Return how many companies have their first activity in each two-digit division of SIC 2007 (credit §2.2).

        Companies without an activity of SIC 2007 are in none. Raises UnusableDataSet.
        """
        if self._connection is None:
            return {}
        return dict(self._rows(self._connection, "SELECT division, companies FROM division"))

    def index(self) -> NameIndex | None:
        """Return the names to search in; None in a register of nothing."""
        return NameIndex(partial(self._rows, self._connection), self._decoded) if self._connection else None

    def close(self) -> None:
        """Let go of the file: what is left is a register of nothing."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _opened(self, path: Path) -> sqlite3.Connection:
        with ExitStack() as opened:
            connection = opened.enter_context(closing(open_frozen(path)))
            ((layout,),) = self._rows(connection, "PRAGMA user_version")
            if layout != register_schema.LAYOUT:
                raise UnusableDataSet(
                    f"{path.name} has layout {layout}, not {register_schema.LAYOUT}: load the register again."
                )
            if not self._rows(connection, "SELECT 1 FROM about"):
                raise self._damaged()
            opened.pop_all()
        return connection

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

    def _decoded(self, entry: bytes) -> RegisterEntry:
        try:
            return register_schema.decode_entry(entry)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise self._damaged() from error

    def _damaged(self) -> UnusableDataSet:
        return UnusableDataSet(f"{self._path} is damaged or no data set: load the register again.")
