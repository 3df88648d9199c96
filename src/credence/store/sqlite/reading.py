"""Opens connections to a SQLite file, and reads rows: an error of the database becomes one of the contract (threats F2)."""

import asyncio
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from credence.store.contract import StoreDamaged
from credence.store.sqlite.group_commit import unavailable
from credence.store.sqlite.write_turns import LOCK_TIMEOUT_SECONDS

Values = Sequence[object] | Mapping[str, object]


class Reader:
    """A connection that only reads, in the thread of its caller."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection = connect(path, "PRAGMA query_only = 1")
        self.damage: StoreDamaged | None = None
        """The damage that a read found in the file, if any."""

    def fetch(self, statement: str, values: Values) -> list[tuple[Any, ...]]:
        """Return all rows of a query; StoreUnavailable if it fails.

        Text that UTF-8 cannot write is in no row, and NULL is equal to nothing.
        """
        try:
            return self._connection.execute(statement, values).fetchall()
        except UnicodeEncodeError:
            if isinstance(values, Mapping):
                return self.fetch(statement, {name: _storable(each) for name, each in values.items()})
            return self.fetch(statement, [_storable(each) for each in values])
        except sqlite3.Error as error:
            fault = unavailable(error)
            self.damage = fault if isinstance(fault, StoreDamaged) else self.damage
            raise fault from error

    async def fetch_apart(self, statement: str, values: Values) -> list[tuple[Any, ...]]:
        """Return what `fetch` returns, read by a thread and a connection of its own: for a query that takes long."""

        def read() -> list[tuple[Any, ...]]:
            with closing(Reader(self._path)) as apart:
                return apart.fetch(statement, values)

        return await asyncio.to_thread(read)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def _storable(value: object) -> object:
    is_torn = isinstance(value, str) and any("\ud800" <= character <= "\udfff" for character in value)
    return None if is_torn else value


def connect(path: Path, *more: str) -> sqlite3.Connection:
    """Open the file and run these statements; a missing one is created, readable and writable by its owner only."""
    path.touch(mode=0o600, exist_ok=True)
    connection = sqlite3.connect(path, timeout=LOCK_TIMEOUT_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        for statement in ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", *more):
            connection.execute(statement)
    except BaseException:
        connection.close()
        raise
    return connection
