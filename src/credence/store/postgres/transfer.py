"""A whole PostgreSQL store in one transaction (`transfer/location.py`)."""

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby

import msgspec
import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.sql import SQL, Composed, Identifier
from typing_extensions import override

from credence.store.contract import StoreUnavailable
from credence.store.migrations import require_newest
from credence.store.postgres import buckets
from credence.store.postgres.buckets import Bucket
from credence.store.postgres.connections import DURABLE, conninfo
from credence.store.postgres.migrations import migrate_postgres
from credence.store.transfer.location import StoreLocation, StoreTransaction
from credence.store.transfer.out_of_service import (
    MARKER_TABLE,
    PREFIX,
    RENAMED_TABLES,
    OutOfService,
    require_in_service,
)
from credence.store.transfer.tables import FAMILIES, TABLES, Row, StoreTable

_TABLES = (*RENAMED_TABLES, "log_head")
_SESSION = (
    "SELECT set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true), "
    # Other writers take milliseconds each. All later statements queue behind one that waits for a table lock.
    "set_config('lock_timeout', '10s', true)"
)
_BLOCKS = "pg_get_serial_sequence('status_blocks', 'number')::regclass"

_FETCH_ROWS = 10_000

Connection = psycopg.Connection[Row]


class PostgresLocation(StoreLocation):
    """A PostgreSQL database."""

    def __init__(self, address: str) -> None:
        self._address = address

    @property
    @override
    def name(self) -> str:
        given = conninfo_to_dict(conninfo(self._address))
        return f"PostgreSQL, database {given.get('dbname', '')} at {given.get('host', '')}"

    @contextmanager
    @override
    def snapshot(self) -> Iterator["PostgresTransaction"]:
        with _session(self._address) as connection:
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            connection.execute(_SESSION)
            require_newest("postgres", _schema_number(connection))
            transaction = PostgresTransaction(connection)
            require_in_service(transaction.out_of_service())
            yield transaction

    @contextmanager
    @override
    def exclusive(self, *, create: bool = False) -> Iterator["PostgresTransaction"]:
        with _session(self._address) as connection:
            is_out = PostgresTransaction(connection).out_of_service() is not None
            number = _schema_number(connection)
        if not create:
            require_newest("postgres", number)
        elif not is_out:
            asyncio.run(migrate_postgres(self._address))
        with _session(self._address) as connection:
            connection.execute(_SESSION)
            connection.execute(DURABLE, (True,))
            if not is_out:
                names = SQL(", ").join(map(Identifier, _TABLES))
                connection.execute(SQL("LOCK TABLE {} IN EXCLUSIVE MODE").format(names))
            yield PostgresTransaction(connection)


class PostgresTransaction(StoreTransaction):
    """One transaction on the database."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @override
    def is_empty(self) -> bool:
        return not any(
            self._connection.execute(SQL("SELECT 1 FROM {} LIMIT 1").format(Identifier(table.name))).fetchone()
            for table in TABLES
        )

    @override
    def rows(self, table: StoreTable) -> Iterator[Row]:
        with self._connection.cursor(name="rows") as cursor:  # a server-side cursor, read in pieces
            cursor.itersize = _FETCH_ROWS
            key = Identifier(table.columns[0])
            cursor.execute(
                SQL("SELECT {} FROM {} ORDER BY {}").format(_columns(table), Identifier(table.name), key),
            )
            yield from cursor

    @override
    def write(self, table: StoreTable, rows: Iterable[Row]) -> None:
        # Families arrive in order of expiry, one bucket a day (threats L12).
        if table is not FAMILIES:
            self._copy(table, rows)
            return
        for day, of_day in groupby(rows, lambda row: buckets.day_of(row[0])):
            self._create_bucket(Bucket(table.name, day, day + 1))
            self._copy(table, of_day)

    def _copy(self, table: StoreTable, rows: Iterable[Row]) -> None:
        copy = SQL("COPY {} ({}) FROM STDIN").format(Identifier(table.name), _columns(table))
        with self._connection.cursor() as cursor, cursor.copy(copy) as stream:
            for row in rows:
                stream.write_row(row)

    def _create_bucket(self, bucket: Bucket) -> None:
        names = self._connection.execute(buckets.PARTITIONS, (bucket.table,)).fetchall()
        existing = buckets.named(bucket.table, (name for (name,) in names))
        if not any(other.first <= bucket.first < other.until for other in existing):
            self._connection.execute(buckets.creation_of(bucket))

    @override
    def clear(self) -> None:
        for table in TABLES:
            self._connection.execute(SQL("DELETE FROM {}").format(Identifier(table.name)))

    @override
    def last_numbers(self) -> tuple[int, int]:
        found = self._connection.execute(
            f"SELECT last, coalesce(pg_sequence_last_value({_BLOCKS}), 0) FROM log_head"  # noqa: S608 - a constant
        ).fetchone()
        return (found[0], found[1]) if found else (0, 0)

    @override
    def start_after(self, log: int, blocks: int) -> None:
        self._connection.execute("UPDATE log_head SET last = %s", (log,))
        self._connection.execute(f"SELECT setval({_BLOCKS}, %s, false)", (blocks + 1,))

    @override
    def out_of_service(self) -> OutOfService | None:
        if self._connection.execute("SELECT to_regclass(%s)", (MARKER_TABLE,)).fetchone() == (None,):
            return None
        row = self._connection.execute(SQL("SELECT * FROM {}").format(Identifier(MARKER_TABLE))).fetchone()
        return OutOfService(*row) if row else None

    @override
    def put_out_of_service(self, reason: OutOfService) -> None:
        table = Identifier(MARKER_TABLE)
        self._connection.execute(SQL("CREATE TABLE {} (copy text, role text, other text, at bigint)").format(table))
        self._connection.execute(
            SQL("INSERT INTO {} VALUES (%s, %s, %s, %s)").format(table), msgspec.structs.astuple(reason)
        )
        for name in _TABLES:
            self._rename(name, PREFIX + name)

    @override
    def return_to_service(self) -> None:
        for name in _TABLES:
            self._rename(PREFIX + name, name)
        self._connection.execute(SQL("DROP TABLE {}").format(Identifier(MARKER_TABLE)))

    def _rename(self, name: str, to: str) -> None:
        self._connection.execute(SQL("ALTER TABLE {} RENAME TO {}").format(Identifier(name), Identifier(to)))


def _columns(table: StoreTable) -> Composed:
    return SQL(", ").join(map(Identifier, table.columns))


def _schema_number(connection: Connection) -> int:
    if connection.execute("SELECT to_regclass('schema_number')").fetchone() == (None,):
        return 0
    row = connection.execute("SELECT number FROM schema_number").fetchone()
    return int(row[0]) if row else 0


@contextmanager
def _session(address: str) -> Iterator[Connection]:
    """Connect and run a transaction. It commits at the end and is rolled back by any exception."""
    try:
        with psycopg.connect(conninfo(address)) as connection:
            yield connection
    except psycopg.Error as error:
        raise StoreUnavailable(str(error)) from error
