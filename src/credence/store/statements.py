"""Statements that both databases take, and transactions of them: what the parts of a store are written in.

A statement is PostgreSQL's, with `:name` for a value. SQLite takes it after four changes: casts and locks of rows are left
out, `greatest` and `least` are its `max` and `min`, a list is as many places as it has values, and a member of a document is
read in its own way. Where that is not enough, a statement is a pair.

A transaction is a generator: it yields each step and gets the rows of it. The database runs it in its own way, SQLite in the
thread that writes, PostgreSQL on a connection; an exception undoes it.
"""

import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, ParamSpec, TypeVar

import msgspec

from credence.clock import Milliseconds
from credence.store.records import ChangeKind

MOST_PLACES = 1_000

Row = tuple[Any, ...]
P = ParamSpec("P")
T = TypeVar("T")


class Pair(NamedTuple):
    """A statement that the databases take in different forms."""

    sqlite: str
    postgres: str


Statement = str | Pair


class Do(NamedTuple):
    """A step of a transaction: a statement with its values."""

    statement: Statement
    values: Mapping[str, object]


class Each(NamedTuple):
    """A step of a transaction: a statement that is run with one set of values after the other."""

    statement: str
    values: Sequence[Mapping[str, object]]
    types: Mapping[str, str] = {}
    """Value -> the type that PostgreSQL calls it: an UPDATE of many rows with these runs there as one statement."""


class Add(NamedTuple):
    """A step of a transaction: new rows of a table. One whose key exists is left out."""

    table: str
    types: Mapping[str, str]
    """Column -> the type that PostgreSQL calls it."""
    rows: Sequence[Row]
    or_else: str = "DO NOTHING"
    """What to do with a row whose key exists."""


class Log(NamedTuple):
    """A step of a transaction, after all rows: entries of the change log, each a subject and when it may be deleted."""

    kind: ChangeKind
    entries: Sequence[tuple[str, Milliseconds]]


class Turn(NamedTuple):
    """A step of a transaction: waits until no other transaction has the turn of this name, as every one in SQLite does."""

    name: str


Step = Do | Each | Add | Log | Turn
Act = Generator[Step, list[Row], T]
"""A transaction that returns a T."""


def do(statement: Statement, **values: object) -> Do:
    """Return the step that runs a statement."""
    return Do(statement, values)


def columns(record: type[msgspec.Struct]) -> tuple[str, str]:
    """Return the columns of a record, and a place for each, as parts of a statement."""
    names = record.__struct_fields__
    return ", ".join(names), ", ".join(f":{name}" for name in names)


class Statements:
    """What a database does for the parts of its store."""

    async def _rows(self, statement: Statement, **values: object) -> list[Row]:
        """Return the rows of a query. Text that the database cannot write is in no row; StoreUnavailable if it fails."""
        raise NotImplementedError

    async def _long_query(self, statement: Statement, **values: object) -> list[Row]:
        """Return what `_rows` returns, of a query that may take a minute and blocks nothing meanwhile."""
        raise NotImplementedError

    async def _write(self, statement: Statement, **values: object) -> list[Row]:
        """Run one statement in a transaction of its own and return its rows."""
        raise NotImplementedError

    async def _transact(self, act: Callable[P, Act[T]], *arguments: P.args, **named: P.kwargs) -> T:
        """Run a transaction, perhaps twice, and return what it returns. Raises what it raises; then it had no effect."""
        raise NotImplementedError


MEMBER = re.compile(r"member\((\w+(?:\.\w+)?), ('\w+')\)")
"""The member of a document, in a statement."""


def in_parts(values: Sequence[T]) -> Iterator[Sequence[T]]:
    """Return the values in parts that one statement takes: SQLite limits its places."""
    return (values[start : start + MOST_PLACES] for start in range(0, len(values), MOST_PLACES))


def is_storable(text: str) -> bool:
    """Return whether PostgreSQL can store this text: a NUL or a lone surrogate cannot be stored.

    A name that cannot be stored does not exist, so it needs no query.
    """
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)
