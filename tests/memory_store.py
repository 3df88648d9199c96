"""The SQLite store in the memory of this process: its statements without files, threads and durability.

A write is committed at once, and its caller goes on in the next turn of the event loop, so a test always has the same order.
"""

import asyncio
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cache
from typing import Any, TypeVar
from weakref import finalize

from typing_extensions import override

from credence.store.sqlite.group_commit import GroupCommit, _Waiting
from credence.store.sqlite.migrations import migrate_sqlite
from credence.store.sqlite.reading import Reader, Values
from credence.store.sqlite.store import SqliteStore
from credence.store.transfer.tables import StoreTable
from credence.telemetry.histogram import Histogram

T = TypeVar("T")

_VALUES = re.compile(r"[xX]?'[^']*'|\b\d+\b").sub
"""Replaces the values in the text of a statement."""


class MemoryStore(SqliteStore):
    """A store without a file. Several nodes of a test may use it; each may close it, and it stays."""

    def __init__(self) -> None:
        connection = _opened()
        finalize(self, connection.close)
        connection.deserialize(_migrated())
        self._connection = connection
        self._logged = False
        self._marker = 0
        self._reader = _Reading(connection)
        self._writer = _Writing(connection, self._announce)
        self.seconds = self._writer.seconds

    def rows(self, table: StoreTable) -> list[tuple[Any, ...]]:
        """Return the rows of a table, for tests that look into the store."""
        return self._reader.fetch(f"SELECT {', '.join(table.columns)} FROM {table.name} ORDER BY 1", ())  # noqa: S608 - constants

    @contextmanager
    def statements(self) -> Iterator[list[str]]:
        """Yield the statements that run in this block, with `?` for each value."""
        found: list[str] = []
        self._connection.set_trace_callback(lambda text: found.append(_VALUES("?", text)))
        yield found
        self._connection.set_trace_callback(None)

    def content(self) -> bytes:
        """Return the whole database, for tests that search it for what must not be stored."""
        return self._connection.serialize()

    @override
    def change_marker(self) -> int:
        return self._marker

    @override
    async def close(self) -> None:
        pass

    @override
    def _announce(self, commit: int, rows: int) -> None:
        self._marker += self._logged
        self._logged = False


class _Reading(Reader):
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.damage = None

    @override
    async def fetch_apart(self, statement: str, values: Values) -> list[tuple[Any, ...]]:
        return self.fetch(statement, values)


class _Turns:
    @contextmanager
    def turn(self) -> Iterator[float]:
        yield 0.0


class _Writing(GroupCommit):
    def __init__(self, connection: sqlite3.Connection, committed: Callable[[int, int], None]) -> None:
        self._connection = connection
        self._turns: Any = _Turns()
        self._committed = committed
        self._last_commit = 0
        self._patience_ms = 1000
        self.damage = None
        self.seconds = Histogram()

    @override
    def run(self, write: Callable[[sqlite3.Connection], T], *, single: bool = False) -> "asyncio.Future[T]":
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._commit([_Waiting(write, future, single)])
        return future


def _opened() -> sqlite3.Connection:
    return sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)


@cache
def _migrated() -> bytes:
    """Return an empty store, which is migrated once in a process."""
    with closing(_opened()) as connection:
        migrate_sqlite(connection)
        return connection.serialize()
