"""The data set of one kind of fact: a SQLite file with one row for each fact (credit §11).

A row is the company number, the document's id and the fact as MessagePack; the rows of a company lie together, so one query
finds them. A row with the empty id marks its company. Nil: the source was queried about the company, so the absence of a
fact means "none" and not "unknown". True: it was queried, and its answer was truncated. False: a fact of the company could
not be decoded. The table `mention` leads from a key of a fact to companies, such as from a corporate owner to the companies
that it owns.
"""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from credence.datasets.data_set import LAST, DataSetFile
from credence.datasets.fact_kinds import FactKind

T = TypeVar("T")

TABLES = """
CREATE TABLE fact (number TEXT NOT NULL, id TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (number, id)) WITHOUT ROWID;
CREATE TABLE mention (
    mentioned TEXT NOT NULL, number TEXT NOT NULL, PRIMARY KEY (mentioned, number)
) WITHOUT ROWID;
"""

encode = msgspec.msgpack.Encoder().encode

NIL, UNREADABLE_FACT, CUT = encode(None), encode(False), encode(True)


class FactReader(DataSetFile, Generic[T]):
    """Reads the facts of one kind."""

    def __init__(self, path: Path, kind: FactKind) -> None:
        """Open the file. Raises FileNotFoundError, UnusableDataSet."""
        super().__init__(path, kind.layout, f"load it again with `credence data load {kind.source}`")
        self._kind = kind
        self._decode = msgspec.msgpack.Decoder(kind.fact | None).decode

    def facts(self, number: str) -> list[T] | None:
        """Return the facts of one company in the order of their ids.

        None if it is unknown whether there are any, or if only a part of them is known.
        """
        return self.read(number)[0]

    def read(self, number: str) -> tuple[list[T] | None, bool]:
        """Return the facts of one company as `facts` does, and whether the source's answer was truncated."""
        rows = self.rows("SELECT value FROM fact WHERE number = ?", number)
        if not rows:  # as of most companies
            return [] if self._kind.exhaustive else None, False
        values = [value for (value,) in rows]
        decoded = (self.decoded(self._decode, value) for value in values if value not in (UNREADABLE_FACT, CUT))
        facts = [fact for fact in decoded if fact is not None]
        incomplete = UNREADABLE_FACT in values
        found = None if incomplete and (self._kind.all_or_nothing or not facts) else facts
        return found, CUT in values

    def every(self) -> Iterator[T]:
        """Yield every readable fact, in the order of companies. Raises UnusableDataSet for a damaged file."""
        try:
            for (value,) in self._connection.execute("SELECT value FROM fact WHERE id != '' ORDER BY number, id"):
                fact = self.decoded(self._decode, value)
                if fact is not None:
                    yield fact
        except sqlite3.DatabaseError as error:
            raise self.damaged() from error

    def mentioning(self, mentioned: str, limit: int) -> list[str]:
        """Return the numbers of at most `limit` companies with a fact that has this key, in ascending order."""
        rows = self.rows("SELECT number FROM mention WHERE mentioned = ? LIMIT ?", mentioned, limit)
        return [number for (number,) in rows]

    def mentioning_prefix(self, prefix: str, limit: int) -> list[str]:
        """Return the numbers of at most `limit` companies with a fact that has a key with this prefix."""
        between = "SELECT DISTINCT number FROM mention WHERE mentioned >= ? AND mentioned < ? LIMIT ?"
        return [number for (number,) in self.rows(between, prefix, prefix + LAST, limit)]
