"""A whole SQLite store in one transaction (`whole`)."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
from typing_extensions import override

from credence.files import FOR_ITS_OWNER
from credence.store.contract import StoreUnavailable
from credence.store.migrations import require_newest
from credence.store.sqlite import migrations
from credence.store.sqlite.change_counter import ChangeCounter
from credence.store.transfer.location import StoreLocation, StoreTransaction
from credence.store.transfer.out_of_service import PREFIX, TABLE, TABLES, OutOfService, require_in_service
from credence.store.transfer.parts import PARTS, Part, Row

PATIENCE = 10.0
"""Seconds for which the writes of others are waited for; each of theirs takes milliseconds."""

_BESIDE = ("-wal", "-shm", "-bell")


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
        with _failures_told(self._path), closing(_connect(self._path, mode="ro")) as connection:
            connection.execute("BEGIN")
            require_in_service(migrations.aside(connection))
            yield SqliteTransaction(connection)

    @contextmanager
    @override
    def exclusive(self, *, create: bool = False) -> Iterator["SqliteTransaction"]:
        is_new = create and not self._path.exists()
        if not create:
            require_newest("sqlite", migrations.schema_number(self._path))
        try:
            with _failures_told(self._path):
                if is_new:
                    self._path.touch(mode=FOR_ITS_OWNER)
                with closing(_connect(self._path, mode="rw")) as connection:
                    if create and migrations.aside(connection) is None:
                        connection.execute("PRAGMA journal_mode = WAL")
                        migrations.migrate_sqlite(connection)
                    connection.execute("PRAGMA synchronous = FULL")
                    connection.execute("BEGIN IMMEDIATE")
                    with connection:  # commits, or takes everything back
                        yield SqliteTransaction(connection)
                with closing(ChangeCounter(self._path.with_name(f"{self._path.name}-bell"))) as bell:
                    bell.ring()  # a server that runs looks at the log, which it finds put aside: no token passes there
        except BaseException:
            for beside in ("", *_BESIDE) if is_new else ():
                self._path.with_name(self._path.name + beside).unlink(missing_ok=True)
            raise


class SqliteTransaction(StoreTransaction):
    """The file as one transaction sees it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @override
    def is_empty(self) -> bool:
        return not any(self._connection.execute(f"SELECT 1 FROM {part.table} LIMIT 1").fetchone() for part in PARTS)  # noqa: S608 - constants, here and below

    @override
    def rows(self, part: Part) -> Iterator[Row]:
        yield from self._connection.execute(
            f"SELECT {', '.join(part.columns)} FROM {part.table} ORDER BY {part.columns[0]}"  # noqa: S608
        )

    @override
    def write(self, part: Part, rows: Iterable[Row]) -> None:
        marks = ", ".join("?" * len(part.columns))
        self._connection.executemany(
            f"INSERT INTO {part.table} ({', '.join(part.columns)}) VALUES ({marks})",  # noqa: S608
            rows,
        )

    @override
    def clear(self) -> None:
        for part in PARTS:
            self._connection.execute(f"DELETE FROM {part.table}")  # noqa: S608

    @override
    def numbers(self) -> tuple[int, int]:
        last = dict(self._connection.execute("SELECT name, seq FROM sqlite_sequence").fetchall())
        return last.get("changes", 0), last.get("status_blocks", 0)

    @override
    def start_after(self, log: int, blocks: int) -> None:
        for table, last in (("changes", log), ("status_blocks", blocks)):
            self._connection.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
            self._connection.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, last))

    @override
    def aside(self) -> OutOfService | None:
        return migrations.aside(self._connection)

    @override
    def put_out_of_service(self, aside: OutOfService) -> None:
        self._connection.execute(f"CREATE TABLE {TABLE} ({', '.join(OutOfService.__struct_fields__)})")
        self._connection.execute(f"INSERT INTO {TABLE} VALUES (?, ?, ?, ?)", msgspec.structs.astuple(aside))  # noqa: S608
        for table in TABLES:
            self._connection.execute(f"ALTER TABLE {table} RENAME TO {PREFIX}{table}")

    @override
    def return_to_service(self) -> None:
        for table in TABLES:
            self._connection.execute(f"ALTER TABLE {PREFIX}{table} RENAME TO {table}")
        self._connection.execute(f"DROP TABLE {TABLE}")


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.as_uri()}?mode={mode}", uri=True, timeout=PATIENCE, isolation_level=None)


@contextmanager
def _failures_told(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise StoreUnavailable(f"{path}: {error}") from error
