"""A whole SQLite store in one transaction (`transfer/location.py`)."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
from typing_extensions import override

from credence.files import OWNER_ONLY
from credence.store.contract import StoreDamaged, StoreUnavailable
from credence.store.migrations import require_newest
from credence.store.sqlite import migrations
from credence.store.sqlite.change_counter import SUFFIX, ChangeCounter
from credence.store.sqlite.group_commit import is_damage
from credence.store.transfer.location import StoreLocation, StoreTransaction
from credence.store.transfer.out_of_service import (
    MARKER_TABLE,
    PREFIX,
    RENAMED_TABLES,
    OutOfService,
    require_in_service,
)
from credence.store.transfer.tables import TABLES, Row, StoreTable

LOCK_TIMEOUT_SECONDS = 10.0
"""How long to wait for the writes of other processes; each takes milliseconds."""

_COMPANIONS = ("-wal", "-shm", SUFFIX)


class SqliteLocation(StoreLocation):
    """A SQLite file."""

    def __init__(self, path: Path) -> None:
        self._path = path.absolute()

    @property
    @override
    def name(self) -> str:
        return str(self._path)

    @contextmanager
    @override
    def snapshot(self) -> Iterator["SqliteTransaction"]:
        require_newest("sqlite", migrations.schema_number(self._path))
        with _translate_errors(self._path), closing(_connect(self._path, mode="ro")) as connection:
            connection.execute("BEGIN")
            require_in_service(migrations.out_of_service(connection))
            yield SqliteTransaction(connection)

    @contextmanager
    @override
    def exclusive(self, *, create: bool = False) -> Iterator["SqliteTransaction"]:
        is_new = create and not self._path.exists()
        if not create:
            require_newest("sqlite", migrations.schema_number(self._path))
        try:
            with _translate_errors(self._path):
                if is_new:
                    self._path.touch(mode=OWNER_ONLY)
                with closing(_connect(self._path, mode="rw")) as connection:
                    if create and migrations.out_of_service(connection) is None:
                        connection.execute("PRAGMA journal_mode = WAL")
                        migrations.migrate_sqlite(connection)
                    connection.execute("PRAGMA synchronous = FULL")
                    connection.execute("BEGIN IMMEDIATE")
                    with connection:  # commits, or rolls back
                        yield SqliteTransaction(connection)
                with closing(ChangeCounter(self._path)) as counter:
                    counter.increment()  # a running server now reads the log, finds it renamed, and accepts no token
        except BaseException:
            for suffix in ("", *_COMPANIONS) if is_new else ():
                self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
            raise


class SqliteTransaction(StoreTransaction):
    """One transaction on the file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @override
    def is_empty(self) -> bool:
        return not any(self._connection.execute(f"SELECT 1 FROM {table.name} LIMIT 1").fetchone() for table in TABLES)  # noqa: S608 - constants, here and below

    @override
    def rows(self, table: StoreTable) -> Iterator[Row]:
        yield from self._connection.execute(
            f"SELECT {', '.join(table.columns)} FROM {table.name} ORDER BY {table.columns[0]}"  # noqa: S608 - constants
        )

    @override
    def write(self, table: StoreTable, rows: Iterable[Row]) -> None:
        marks = ", ".join("?" * len(table.columns))
        self._connection.executemany(
            f"INSERT INTO {table.name} ({', '.join(table.columns)}) VALUES ({marks})",  # noqa: S608 - constants
            rows,
        )

    @override
    def clear(self) -> None:
        for table in TABLES:
            self._connection.execute(f"DELETE FROM {table.name}")  # noqa: S608 - constants

    @override
    def last_numbers(self) -> tuple[int, int]:
        last = dict(self._connection.execute("SELECT name, seq FROM sqlite_sequence").fetchall())
        return last.get("changes", 0), last.get("status_blocks", 0)

    @override
    def start_after(self, log: int, blocks: int) -> None:
        for table, last in (("changes", log), ("status_blocks", blocks)):
            self._connection.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
            self._connection.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, last))

    @override
    def out_of_service(self) -> OutOfService | None:
        return migrations.out_of_service(self._connection)

    @override
    def put_out_of_service(self, reason: OutOfService) -> None:
        self._connection.execute(f"CREATE TABLE {MARKER_TABLE} ({', '.join(OutOfService.__struct_fields__)})")
        self._connection.execute(f"INSERT INTO {MARKER_TABLE} VALUES (?, ?, ?, ?)", msgspec.structs.astuple(reason))  # noqa: S608 - constants
        for table in RENAMED_TABLES:
            self._connection.execute(f"ALTER TABLE {table} RENAME TO {PREFIX}{table}")

    @override
    def return_to_service(self) -> None:
        for table in RENAMED_TABLES:
            self._connection.execute(f"ALTER TABLE {PREFIX}{table} RENAME TO {table}")
        self._connection.execute(f"DROP TABLE {MARKER_TABLE}")


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.as_uri()}?mode={mode}", uri=True, timeout=LOCK_TIMEOUT_SECONDS, isolation_level=None)


@contextmanager
def _translate_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise (StoreDamaged if is_damage(error) else StoreUnavailable)(f"{path}: {error}") from error
