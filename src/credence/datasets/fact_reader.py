"""The data set of one source of facts: a SQLite file, written once by a load and only read from then on.

Each fact is one row under its company and the id of its document, as MessagePack; the rows of a company lie side by
side, so one look-up finds them all. A row whose id is empty and whose value is nil says that the source was asked
about this company: it tells "none" from "not known" where a source answers for single companies. One whose value is
false says that a fact of this company could not be read. `mention` finds the companies whose facts name something else,
such as those that a body owns.
"""

import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from credence.datasets.fact_kinds import FactKind
from credence.datasets.frozen import open_frozen
from credence.datasets.register import UnusableDataSet

T = TypeVar("T")

TABLES = """
CREATE TABLE fact (number TEXT NOT NULL, id TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (number, id)) WITHOUT ROWID;
CREATE TABLE mention (
    mentioned TEXT NOT NULL, number TEXT NOT NULL, PRIMARY KEY (mentioned, number)
) WITHOUT ROWID;
"""

encode = msgspec.msgpack.Encoder().encode

NIL, UNREADABLE_FACT = encode(None), encode(False)


class FactReader(Generic[T]):
    """Reads one data set, for one thread at a time. Every read may raise UnusableDataSet."""

    def __init__(self, path: Path, part: FactKind) -> None:
        """Open the file; FileNotFoundError when there is none, UnusableDataSet when it is of another layout or damaged."""
        self._path = path
        self._part = part
        self._decode = msgspec.msgpack.Decoder(part.fact | None).decode
        with ExitStack() as opened:
            self._connection = opened.enter_context(closing(open_frozen(path)))
            ((found,),) = self._rows("PRAGMA user_version")
            if found != part.layout:
                raise UnusableDataSet(f"{path.name} has layout {found}, not {part.layout}: {self._remedy}.")
            opened.pop_all()

    def of(self, number: str) -> list[T] | None:
        """Return the facts of one company by their ids; None when nobody knows whether there are any, or all of them."""
        values = [value for (value,) in self._rows("SELECT value FROM fact WHERE number = ?", number)]
        if not values:
            return [] if self._part.exhaustive else None
        unread = UNREADABLE_FACT in values
        try:
            facts = [fact for value in values if value != UNREADABLE_FACT and (fact := self._decode(value)) is not None]
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise self._damaged() from error
        return None if unread and (self._part.all_or_nothing or not facts) else facts

    def mentioning(self, mentioned: str, most: int) -> list[str]:
        """Return the numbers of at most `most` companies whose facts mention something, in their order."""
        rows = self._rows("SELECT number FROM mention WHERE mentioned = ? LIMIT ?", mentioned, most)
        return [number for (number,) in rows]

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def _rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(statement, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise self._damaged() from error

    def _damaged(self) -> UnusableDataSet:
        return UnusableDataSet(f"{self._path} is damaged or no data set: {self._remedy}.")

    @property
    def _remedy(self) -> str:
        return f"load it again with `credence data load {self._part.source}`"
