"""A whole PostgreSQL store in one transaction (`whole`)."""

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
from credence.store.transfer.out_of_service import PREFIX, TABLE, TABLES, OutOfService, require_in_service
from credence.store.transfer.parts import FAMILIES, PARTS, Part, Row

_TABLES = (*TABLES, "log_head")
_SESSION = (
    "SELECT set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true), "
    # Of writers each takes milliseconds; who waits for a table is waited for by all who come after.
    "set_config('lock_timeout', '10s', true)"
)
_BLOCKS = "pg_get_serial_sequence('status_blocks', 'number')::regclass"

_AT_A_TIME = 10_000
"""Rows."""

Connection = psycopg.Connection[Row]


class PostgresLocation(StoreLocation):
    """A database of PostgreSQL."""

    def __init__(self, address: str) -> None:
        self._address = address

    @property
    @override
    def name(self) -> str:
        said = conninfo_to_dict(conninfo(self._address))
        return f"PostgreSQL, database {said.get('dbname', '')} at {said.get('host', '')}"

    @contextmanager
    @override
    def snapshot(self) -> Iterator["PostgresTransaction"]:
        with _session(self._address) as connection:
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            connection.execute(_SESSION)
            require_newest("postgres", _schema_number(connection))
            whole = PostgresTransaction(connection)
            require_in_service(whole.aside())
            yield whole

    @contextmanager
    @override
    def exclusive(self, *, create: bool = False) -> Iterator["PostgresTransaction"]:
        with _session(self._address) as connection:
            is_aside = PostgresTransaction(connection).aside() is not None
            number = _schema_number(connection)
        if not create:
            require_newest("postgres", number)
        elif not is_aside:
            asyncio.run(migrate_postgres(self._address))
        with _session(self._address) as connection:
            connection.execute(_SESSION)
            connection.execute(DURABLE, (True,))
            if not is_aside:
                names = SQL(", ").join(map(Identifier, _TABLES))
                connection.execute(SQL("LOCK TABLE {} IN EXCLUSIVE MODE").format(names))
            yield PostgresTransaction(connection)


class PostgresTransaction(StoreTransaction):
    """The database as one transaction sees it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @override
    def is_empty(self) -> bool:
        return not any(
            self._connection.execute(SQL("SELECT 1 FROM {} LIMIT 1").format(Identifier(part.table))).fetchone()
            for part in PARTS
        )

    @override
    def rows(self, part: Part) -> Iterator[Row]:
        with self._connection.cursor(name="rows") as cursor:  # kept by the server, which sends some at a time
            cursor.itersize = _AT_A_TIME
            key = Identifier(part.columns[0])
            cursor.execute(
                SQL("SELECT {} FROM {} ORDER BY {}").format(_columns(part), Identifier(part.table), key),
            )
            yield from cursor

    @override
    def write(self, part: Part, rows: Iterable[Row]) -> None:
        # Families arrive in order of expiry, one bucket a day (threats L12).
        if part is not FAMILIES:
            self._copy(part, rows)
            return
        for day, of_day in groupby(rows, lambda row: buckets.day_of(row[0])):
            self._make_bucket(Bucket(part.table, day, day + 1))
            self._copy(part, of_day)

    def _copy(self, part: Part, rows: Iterable[Row]) -> None:
        copy = SQL("COPY {} ({}) FROM STDIN").format(Identifier(part.table), _columns(part))
        with self._connection.cursor() as cursor, cursor.copy(copy) as stream:
            for row in rows:
                stream.write_row(row)

    def _make_bucket(self, bucket: Bucket) -> None:
        names = self._connection.execute(buckets.PARTITIONS, (bucket.table,)).fetchall()
        there = buckets.named(bucket.table, (name for (name,) in names))
        if not any(other.first <= bucket.first < other.until for other in there):
            self._connection.execute(buckets.making(bucket))

    @override
    def clear(self) -> None:
        for part in PARTS:
            self._connection.execute(SQL("DELETE FROM {}").format(Identifier(part.table)))

    @override
    def numbers(self) -> tuple[int, int]:
        found = self._connection.execute(
            f"SELECT last, coalesce(pg_sequence_last_value({_BLOCKS}), 0) FROM log_head"  # noqa: S608 - a constant
        ).fetchone()
        return (found[0], found[1]) if found else (0, 0)

    @override
    def start_after(self, log: int, blocks: int) -> None:
        self._connection.execute("UPDATE log_head SET last = %s", (log,))
        self._connection.execute(f"SELECT setval({_BLOCKS}, %s, false)", (blocks + 1,))

    @override
    def aside(self) -> OutOfService | None:
        if self._connection.execute("SELECT to_regclass(%s)", (TABLE,)).fetchone() == (None,):
            return None
        row = self._connection.execute(SQL("SELECT * FROM {}").format(Identifier(TABLE))).fetchone()
        return OutOfService(*row) if row else None

    @override
    def put_out_of_service(self, aside: OutOfService) -> None:
        table = Identifier(TABLE)
        self._connection.execute(SQL("CREATE TABLE {} (copy text, role text, other text, at bigint)").format(table))
        self._connection.execute(
            SQL("INSERT INTO {} VALUES (%s, %s, %s, %s)").format(table), msgspec.structs.astuple(aside)
        )
        for name in _TABLES:
            self._rename(name, PREFIX + name)

    @override
    def return_to_service(self) -> None:
        for name in _TABLES:
            self._rename(PREFIX + name, name)
        self._connection.execute(SQL("DROP TABLE {}").format(Identifier(TABLE)))

    def _rename(self, name: str, to: str) -> None:
        self._connection.execute(SQL("ALTER TABLE {} RENAME TO {}").format(Identifier(name), Identifier(to)))


def _columns(part: Part) -> Composed:
    return SQL(", ").join(map(Identifier, part.columns))


def _schema_number(connection: Connection) -> int:
    if connection.execute("SELECT to_regclass('schema_number')").fetchone() == (None,):
        return 0
    row = connection.execute("SELECT number FROM schema_number").fetchone()
    return int(row[0]) if row else 0


@contextmanager
def _session(address: str) -> Iterator[Connection]:
    """Connect and run a transaction, which commits at the end and is undone by any exception."""
    try:
        with psycopg.connect(conninfo(address)) as connection:
            yield connection
    except psycopg.Error as error:
        raise StoreUnavailable(str(error)) from error
