"""A PostgreSQL store filled with families: a server of its own, a partition for each eight days, as in a deployment.

Each partition is copied in the order of the ids into a table that gets its indexes afterwards and is then attached.
Meanwhile the server writes no write-ahead log of it.
"""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg.sql import SQL, Identifier, Literal

from bench.rotations.families import DAY_MS, FIRST_DAY, LIVE_DAYS, TODAY, Families
from credence.store.postgres.buckets import DAYS_AHEAD, NEAR_DAYS, Bucket
from credence.store.postgres.store import open_postgres
from credence.store.records import TokenFamily
from tests.postgres import PostgresServer

CHUNK_ROWS = 20_000

_COLUMNS = SQL(", ").join(map(Identifier, TokenFamily.__struct_fields__))

BUCKETS = [
    Bucket("families", first, first + NEAR_DAYS)
    for first in range(FIRST_DAY, TODAY + LIVE_DAYS + DAYS_AHEAD + NEAR_DAYS, NEAR_DAYS)
]


@contextmanager
def server(folder: Path, settings: Mapping[str, str]) -> Iterator[PostgresServer]:
    """Run a server whose files are in this folder, with these settings and otherwise Debian's."""
    folder.mkdir(mode=0o755)
    running = PostgresServer(folder, None, **settings)
    running.start()
    try:
        yield running
    finally:
        running.stop("immediate")
        shutil.rmtree(folder)


async def fill(running: PostgresServer, families: Families) -> None:
    """Make a store with these families in the server's database; return when it is on disk."""
    _configure(running, "SET wal_level = minimal", "SET max_wal_senders = 0", "SET maintenance_work_mem = '512MB'")
    await (await open_postgres(running.url)).close()
    begin = 0
    for bucket in BUCKETS:
        end = families.number_of((bucket.until * DAY_MS).to_bytes(6, "big"))
        _fill(running.url, bucket, families, range(begin, end))
        begin = end
    _configure(running, "RESET ALL")
    with psycopg.connect(running.url, autocommit=True) as connection:
        connection.execute("ANALYZE families")
    checkpoint(running)


def checkpoint(running: PostgresServer) -> None:
    """Let the server write what it has in memory, so that it is idle while another store is measured."""
    with psycopg.connect(running.url, autocommit=True) as connection:
        connection.execute("CHECKPOINT")


def warm(running: PostgresServer) -> None:
    """Read the live families and their indexes into the server's own memory, as far as it reaches."""
    with psycopg.connect(running.url, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS pg_prewarm")
        for bucket in BUCKETS:
            if bucket.until > TODAY:
                find = "SELECT pg_prewarm(indexrelid) FROM pg_index WHERE indrelid = %s::regclass"
                connection.execute(find, (bucket.name,))
                connection.execute("SELECT pg_prewarm(%s::regclass)", (bucket.name,))


def oldest(running: PostgresServer) -> bytes:
    """Return the first id of a family."""
    with psycopg.connect(running.url) as connection:
        (found,) = connection.execute("SELECT id FROM families ORDER BY id LIMIT 1").fetchall()
        return bytes(found[0])


def _configure(running: PostgresServer, *settings: str) -> None:
    with psycopg.connect(running.url, autocommit=True) as connection:
        for setting in settings:
            connection.execute(f"ALTER SYSTEM {setting}".encode())
    running.restart()


def _fill(url: str, bucket: Bucket, families: Families, numbers: range) -> None:
    table = Identifier(bucket.name)
    bounds = [Literal((day * DAY_MS).to_bytes(6, "big")) for day in (bucket.first, bucket.until)]
    with psycopg.connect(url) as connection:
        run = connection.execute
        run(SQL("CREATE TABLE {} (LIKE families INCLUDING DEFAULTS) WITH (fillfactor = 60)").format(table))
        within = SQL("ALTER TABLE {} ADD CONSTRAINT within CHECK (id >= {} AND id < {})")
        run(within.format(table, *bounds))  # so that attaching it reads no row
        with (
            connection.cursor() as cursor,
            cursor.copy(SQL("COPY {} ({}) FROM STDIN (FREEZE)").format(table, _COLUMNS)) as copy,
        ):
            for begin in range(numbers.start, numbers.stop, CHUNK_ROWS):
                chunk = range(begin, min(begin + CHUNK_ROWS, numbers.stop))
                copy.write("".join(_line(families.family(number)) for number in chunk))
        run(SQL("ALTER TABLE {} ADD PRIMARY KEY (id)").format(table))
        run(SQL("CREATE INDEX ON {} (username, client_id)").format(table))
        run(SQL("ALTER TABLE families ATTACH PARTITION {} FOR VALUES FROM ({}) TO ({})").format(table, *bounds))
        run(SQL("ALTER TABLE {} DROP CONSTRAINT within").format(table))


def _line(family: TokenFamily) -> str:
    """Return a family as a line of `COPY`; none of its texts has a letter to be escaped."""
    return (
        f"\\\\x{family.id.hex()}\t{family.client_id}\t{family.username}\t{family.scope}\t{family.created_at}\t"
        f"{family.expires_at}\t{family.issued_at}\t{family.expires_in}\t{family.kid}\t{family.generation}\t\\N\t\\N\t"
        f"\t\\N\t\t\\N\n"
    )
