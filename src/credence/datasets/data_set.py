"""Reads a data set: a SQLite file that one load writes and that never changes afterwards."""

import sqlite3
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from credence.errors import UnusableContent

T = TypeVar("T")

LAST = "\U0010ffff"
"""A text after every other text with the same prefix: the upper end of a range query."""


class UnusableDataSet(UnusableContent):
    """A data set is damaged, has another version's layout or is missing here; the message says what the operator must do."""


def read_only_uri(path: Path) -> str:
    """Return the URI by which SQLite reads a file without locks and without checks for changes."""
    return f"{path.absolute().as_uri()}?mode=ro&immutable=1"


class DataSetFile:
    """An open data set, for one thread at a time.

    It stays readable after a newer load removes the file. Every read raises UnusableDataSet for a damaged file.
    """

    def __init__(
        self, path: Path, layout: int, remedy: str, layout_remedy: str = "", earlier: Collection[int] = ()
    ) -> None:
        """Open the file. Raises FileNotFoundError, and UnusableDataSet for a damaged file or another layout.

        The layouts in `earlier` can be read too; `self.layout` is that of the file. `remedy` ends the message about a
        damaged file, `layout_remedy` (or else `remedy`) the one about another layout.
        """
        self._path, self._remedy = path, remedy
        path.stat()
        try:
            self._connection = sqlite3.connect(read_only_uri(path), uri=True, check_same_thread=False)
        except sqlite3.OperationalError:
            path.stat()  # a newer load may have removed the file since the catalogue was read
            raise
        try:
            ((self.layout,),) = self.rows("PRAGMA user_version")
            if self.layout not in (layout, *earlier):
                raise UnusableDataSet(f"{path.name} has layout {self.layout}, not {layout}: {layout_remedy or remedy}.")
        except BaseException:
            self.close()
            raise

    def rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        try:
            return self._connection.execute(statement, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise self.damaged() from error

    def decoded(self, decode: Callable[[bytes], T], value: bytes) -> T:
        """Return the decoded value of a column.

        TypeError: SQLite gives the type that a row has, not that of the column.
        """
        try:
            return decode(value)
        except (msgspec.DecodeError, UnicodeDecodeError, TypeError) as error:
            raise self.damaged() from error

    def damaged(self) -> UnusableDataSet:
        """Return the error for a damaged file."""
        return UnusableDataSet(f"{self._path} is damaged or not a data set: {self._remedy}.")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()
