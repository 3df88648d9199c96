"""The data set of one kind of fact: a SQLite file with one row for each fact (credit §11).

A row is the company number, the document's id and the fact as MessagePack; the rows of a company lie together, so one query
finds them. A row with the empty id marks its company. Nil: the source was queried about the company, so the absence of a
fact means "none" and not "unknown". True: it was queried, and its answer was truncated. False: a fact of the company could
not be read. The table `mention` leads from a key of a fact to companies, such as from a corporate owner to the companies
that it owns.

A data set with a history also has the facts that were corrected or withdrawn. A fact is known from the day `since` (or, if
that is null, from the day on which it was made public) to before the day `until`, which is 0 for a present one; days are
numbered as by `date.toordinal`. `version` orders what the publisher has said under one id, and `revised` is the day of which
the publisher dates that. A row of no company says by its `reason` why the publisher says nothing under the id any more.
"""

import datetime as dt
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from credence.companies.facts.company import Withdrawn
from credence.datasets.data_set import LAST, DataSetFile
from credence.datasets.fact_kinds import FactKind

T = TypeVar("T")

_FACTS = """
CREATE TABLE fact (number TEXT NOT NULL, id TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (number, id)) WITHOUT ROWID;
"""
FACTS_WITH_HISTORY = """
CREATE TABLE fact (
    number TEXT NOT NULL, id TEXT NOT NULL, until INTEGER NOT NULL, since INTEGER, revised INTEGER,
    version INTEGER NOT NULL, reason TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (number, id, until)
) WITHOUT ROWID;
CREATE INDEX fact_by_id ON fact (id);
"""
_MENTIONS = """
CREATE TABLE mention (
    mentioned TEXT NOT NULL, number TEXT NOT NULL, PRIMARY KEY (mentioned, number)
) WITHOUT ROWID;
"""

encode = msgspec.msgpack.Encoder().encode

_WITH_HISTORY = "SELECT value, until, id, since, reason FROM fact WHERE number = ?"

NIL, UNREADABLE_FACT, CUT = encode(None), encode(False), encode(True)


def tables_of(kind: FactKind) -> str:
    """Return the SQL that makes the tables of a new data set."""
    return (FACTS_WITH_HISTORY if kind.history else _FACTS) + _MENTIONS + f"PRAGMA user_version = {kind.layout};"


class Held(NamedTuple, Generic[T]):
    """What a data set has about one company."""

    facts: list[T] | None
    """In the order of their ids; None if it is unknown whether there are any, or if only a part of them is known."""
    cut: bool = False
    """Whether there may be more: the source's answer was truncated, or a fact cannot be read."""
    unreadable: bool = False
    """Whether a fact cannot be read."""
    withdrawn: tuple[Withdrawn, ...] = ()
    """The facts that the publisher has withdrawn, the newest first."""


class FactReader(DataSetFile, Generic[T]):
    """Reads the facts of one kind."""

    def __init__(self, path: Path, kind: FactKind) -> None:
        """Open the file. Raises FileNotFoundError, UnusableDataSet."""
        remedy = f"load it again with `credence data load {kind.source}`"
        super().__init__(path, kind.layout, remedy, earlier=kind.earlier_layouts)
        self._kind = kind
        self._decode = msgspec.msgpack.Decoder(kind.fact | None).decode
        self._has_history = kind.history and self.layout == kind.layout
        columns = "value, until" if self._has_history else "value, id" if kind.with_id else "value"
        self._query = f"SELECT {columns} FROM fact WHERE number = ?"  # noqa: S608 - constants
        self._nothing = Held[T]([] if kind.exhaustive else None)
        """What is known about a company without a row, as about most."""

    def facts(self, number: str) -> list[T] | None:
        """Return the facts of one company as `read` does."""
        return self.read(number).facts

    def read(self, number: str, known_by: dt.date | None = None) -> Held[T]:
        """Return what is known about one company, or what was known by a day.

        A fact without any day, neither in itself nor in a history, was not known by a day.
        """
        rows = self.rows(self._query, number)
        if not rows:
            return self._nothing
        if self._has_history:
            if known_by is None and not any(until for _, until in rows):
                return self._held([value for value, _ in rows])
            return self._with_history(self.rows(_WITH_HISTORY, number), known_by)
        found = self._with_ids(rows) if self._kind.with_id else self._held([value for (value,) in rows])
        if known_by is None or found.facts is None:
            return found
        return found._replace(facts=[each for each in found.facts if self._was_public(each, known_by)])

    def _with_ids(self, rows: list[tuple[Any, ...]]) -> Held[T]:
        found = self._held([value for value, _ in rows])
        if found.facts is None or self._kind.with_id is None:
            return found
        ids = [id_ for value, id_ in rows if id_ and value != UNREADABLE_FACT]
        return found._replace(facts=list(map(self._kind.with_id, found.facts, ids)))

    def _was_public(self, fact: T | None, day: dt.date) -> bool:
        public = None if fact is None else self._kind.public(fact)
        return public is not None and public <= day

    def _held(self, values: list[bytes]) -> Held[T]:
        decoded = (self.decoded(self._decode, value) for value in values if value not in (UNREADABLE_FACT, CUT))
        facts = [fact for fact in decoded if fact is not None]
        incomplete = UNREADABLE_FACT in values
        found = None if incomplete and (self._kind.all_or_nothing or not facts) else facts
        return Held(found, incomplete or CUT in values, incomplete)

    def _with_history(self, rows: list[tuple[Any, ...]], known_by: dt.date | None) -> Held[T]:
        if known_by is not None:
            rows = [self._as_known(row, known_by) for row in rows if self._was_known(row, known_by)]
        found = self._held([row[0] for row in rows if not row[1]])
        present = {row[2] for row in rows if not row[1]}
        ended = [
            self._withdrawn(row)
            for row in rows
            if row[1] and row[4] and row[2] not in present and row[0] != UNREADABLE_FACT
        ]
        return found._replace(withdrawn=tuple(sorted(ended, key=lambda each: each.until, reverse=True)))

    def _withdrawn(self, row: tuple[Any, ...]) -> Withdrawn:
        value, until, _, since, reason = row
        fact = self.decoded(self._decode, value)
        day = dt.date.fromordinal(since) if since else self._kind.public(fact)
        return Withdrawn(fact, day, dt.date.fromordinal(until), reason)

    def _was_known(self, row: tuple[Any, ...], day: dt.date) -> bool:
        value, _, id_, since, _ = row
        if not id_:
            return True
        if since or value == UNREADABLE_FACT:
            return bool((since or 0) <= day.toordinal())
        return self._was_public(self.decoded(self._decode, value), day)

    def _as_known(self, row: tuple[Any, ...], day: dt.date) -> tuple[Any, ...]:
        """Return a row as it was on a day: it was a present one before it ended."""
        value, until, *rest = row
        return (value, until if until <= day.toordinal() else 0, *rest)

    def every(self) -> Iterator[T]:
        """Yield every readable fact, in the order of companies. Raises UnusableDataSet for a damaged file."""
        present = " AND until = 0 AND number != ''" if self._has_history else ""
        try:
            for (value,) in self._connection.execute(
                f"SELECT value FROM fact WHERE id != ''{present} ORDER BY number, id"  # noqa: S608 - a constant
            ):
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
