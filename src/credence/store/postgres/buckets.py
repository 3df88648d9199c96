"""Buckets of a PostgreSQL store: partitions by the day on which rows expire, each dropped as a whole (threats §7, L12).

A bucket is created before the first row for it arrives. A row that expires later than every bucket goes into the default
partition, `<table>_rest`. A day for which the default partition has a row gets no bucket: such rows are deleted one by one
(`store.sweep`).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec
from psycopg.abc import Query
from psycopg.errors import CheckViolation, LockNotAvailable
from psycopg.sql import SQL, Composed, Identifier, Literal

from credence.clock import Milliseconds
from credence.store.postgres.connections import Connection, Connections

DAY_MS = 86_400_000

DAYS_AHEAD = 3
"""Buckets exist for this many days after the last stored expiry: for logins until tomorrow, and a day for log entries."""

NEAR_DAYS = 8
"""A bucket that begins later than this covers this number of days. Few buckets keep the plan of a rotation small."""

DEADLINE_SECONDS = 60.0
"""The deadline of a statement on buckets: the server removes the files of a large bucket after the commit."""

MAX_REST_BYTES = 256 * 1024 * 1024
"""No bucket is created while the default partition is larger: creating one reads all of it and blocks writers."""

SWEEP_LOCK = 7308328431934137200
"""The advisory lock of the node that deletes rows, held for a transaction. Migrations use the number before it."""

# All later statements queue behind one that waits for a table lock, so it gives up soon and is tried again at the next
# sweep.
_SESSION = "SELECT set_config('lock_timeout', '100ms', true), set_config('statement_timeout', '55s', true)"

PARTITIONS = "SELECT relname FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = %s::regclass"

_BOUNDS: Mapping[str, tuple[str, Callable[[Milliseconds], bytes | int]]] = {
    "families": ("id", lambda at: at.to_bytes(6, "big")),
    "changes": ("until", int),
    "status_blocks": ("until", int),
}
"""For each table with buckets: the column of the expiry, and an instant in the form of that column."""

_OPTIONS = {"families": SQL(" WITH (fillfactor = 60)")}

_name = re.compile(r"([a-z_]+)_([0-9]+)_([0-9]+)").fullmatch


class Bucket(msgspec.Struct, frozen=True):
    """The rows of a table that expire on the days from `first` to before `until`, counted from the Unix epoch."""

    table: str
    first: int
    until: int

    @property
    def name(self) -> str:
        """The name of the partition."""
        return f"{self.table}_{self.first}_{self.until}"


async def maintain(connections: Connections, now: Milliseconds) -> int:
    """Drop expired buckets and create the next ones; return how many were dropped."""
    dropped = 0
    for table in _BOUNDS:
        for bucket in await buckets_of(connections, table):
            if bucket.until * DAY_MS <= now:
                dropped += await _change(connections, SQL("DROP TABLE IF EXISTS {}").format(Identifier(bucket.name)))
    await prepare(connections, now)
    return dropped


async def prepare(connections: Connections, now: Milliseconds) -> None:
    """Create the next buckets."""
    last = await connections.one("SELECT id FROM families ORDER BY id DESC LIMIT 1")
    end = max(now // DAY_MS, day_of(last[0]) if last else 0) + DAYS_AHEAD + 1
    for table in _BOUNDS:
        for bucket in missing(table, await buckets_of(connections, table), now // DAY_MS, end):
            await create(connections, bucket)


def day_of(family_id: bytes) -> int:
    """Return the day on which a family expires. Its id starts with the expiry."""
    return int.from_bytes(family_id[:6], "big") // DAY_MS


async def buckets_of(connections: Connections, table: str) -> list[Bucket]:
    """Return the buckets of a table, in order."""
    return named(table, (name for (name,) in await connections.rows(PARTITIONS, (table,))))


def named(table: str, names: Iterable[str]) -> list[Bucket]:
    """Return the buckets of a table from the names of its partitions, in order."""
    found = [Bucket(table, int(name[2]), int(name[3])) for name in map(_name, names) if name]
    return sorted(found, key=lambda bucket: bucket.first)


def missing(table: str, buckets: list[Bucket], today: int, end: int) -> Iterator[Bucket]:
    """Yield the buckets that are missing so that every day from today to before `end` has one."""
    first = today
    for existing in buckets:
        for bucket in _following(table, first, existing.first, today):
            yield msgspec.structs.replace(bucket, until=min(bucket.until, existing.first))
        first = max(first, existing.until)
    yield from _following(table, first, end, today)


def _following(table: str, first: int, end: int, today: int) -> Iterator[Bucket]:
    while first < end:
        until = first + (NEAR_DAYS if first - today > NEAR_DAYS else 1)
        yield Bucket(table, first, until)
        first = until


async def create(connections: Connections, bucket: Bucket) -> bool:
    """Create a bucket; return False if the default partition has rows of its days, or the table is in use."""
    column, instant = _BOUNDS[bucket.table]
    rows = SQL("SELECT 1 FROM {} WHERE {} >= {} AND {} < {}").format(
        Identifier(f"{bucket.table}_rest"),
        Identifier(column),
        Literal(instant(bucket.first * DAY_MS)),
        Identifier(column),
        Literal(instant(bucket.until * DAY_MS)),
    )
    obstacle = SQL("SELECT EXISTS ({}) OR pg_relation_size({}) > {}").format(
        rows, Literal(f"{bucket.table}_rest"), Literal(MAX_REST_BYTES)
    )
    return await _change(connections, creation_of(bucket), obstacle)


def creation_of(bucket: Bucket) -> Composed:
    """Return the statement that creates a bucket."""
    _, instant = _BOUNDS[bucket.table]
    bounds = [Literal(instant(day * DAY_MS)) for day in (bucket.first, bucket.until)]
    creation = SQL("CREATE TABLE IF NOT EXISTS {} PARTITION OF {} FOR VALUES FROM ({}) TO ({})")
    statement = creation.format(Identifier(bucket.name), Identifier(bucket.table), *bounds)
    return statement + _OPTIONS.get(bucket.table, SQL(""))


async def _change(connections: Connections, statement: Composed, obstacle: Composed | None = None) -> bool:
    """Run the statement; return False if another node changes buckets, `obstacle` holds, or the table is in use."""
    async with connections.transaction(DEADLINE_SECONDS) as connection:
        await connection.execute(_SESSION)
        if not await _value(connection, SQL("SELECT pg_try_advisory_xact_lock({})").format(Literal(SWEEP_LOCK))):
            return False
        if obstacle and await _value(connection, obstacle):
            return False
        try:
            async with connection.transaction():
                await connection.execute(statement)
        except (LockNotAvailable, CheckViolation):  # the latter if the default partition just received such a row
            return False
    return True


async def _value(connection: Connection, question: Query) -> object:
    found = await (await connection.execute(question)).fetchone()
    return found[0] if found else None
