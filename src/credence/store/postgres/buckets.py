"""Buckets of a PostgreSQL store: partitions by the day on which rows may go, each dropped whole (threats §7, L12).

They are made before the first row for them comes. A row that finds none, because it lives longer than any before it, lies in
the rest of its table, and a day of which the rest holds a row gets no bucket: such rows go one by one (`sweep`).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec
from psycopg.abc import Query
from psycopg.errors import CheckViolation, LockNotAvailable
from psycopg.sql import SQL, Composed, Identifier, Literal

from credence.clock import Milliseconds
from credence.store.postgres.connections import Connection, Connections

DAY = 86_400_000
"""Milliseconds."""

AHEAD = 3
"""Days beyond the last expiry there is for which buckets are made: what comes until tomorrow, and a day for a log entry."""

NEAR = 8
"""Days. A bucket that begins later than that is as wide: a plan of a rotation looks at each, so there must not be many."""

PATIENCE = 60.0
"""Seconds. The files of a large bucket go after its commit, when nobody waits for it any more."""

LARGEST_REST = 256 * 1024 * 1024
"""Octets. The rest is read whole when a bucket is made beside it, and meanwhile nobody writes."""

SWEEP_LOCK = 7308328431934137200
"""Held by the one node that frees rows, for a transaction; the number beside that of migrations."""

# Who waits for a table is waited for by all who come after; if it is in use for longer, another time will do.
_SESSION = "SELECT set_config('lock_timeout', '100ms', true), set_config('statement_timeout', '55s', true)"

PARTITIONS = "SELECT relname FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = %s::regclass"

_BOUNDS: Mapping[str, tuple[str, Callable[[Milliseconds], bytes | int]]] = {
    "families": ("id", lambda at: at.to_bytes(6, "big")),
    "changes": ("until", int),
    "status_blocks": ("until", int),
}
"""Of each table with buckets the column that says when a row may go, and an instant as such a column has it."""

_OPTIONS = {"families": SQL(" WITH (fillfactor = 60)")}

_name = re.compile(r"([a-z_]+)_([0-9]+)_([0-9]+)").fullmatch


class Bucket(msgspec.Struct, frozen=True):
    """The rows of a table that may go on one of these days, counted from the Unix epoch; `until` is not one of them."""

    table: str
    first: int
    until: int

    @property
    def name(self) -> str:
        """That of the partition."""
        return f"{self.table}_{self.first}_{self.until}"


async def maintain(connections: Connections, now: Milliseconds) -> int:
    """Drop the buckets whose last instant has passed, make those that come next; return how many were dropped."""
    dropped = 0
    last = await connections.one("SELECT id FROM families ORDER BY id DESC LIMIT 1")
    end = max(now // DAY, day_of(last[0]) if last else 0) + AHEAD + 1
    for table in _BOUNDS:
        buckets = await buckets_of(connections, table)
        for bucket in buckets:
            if bucket.until * DAY <= now:
                dropped += await _change(connections, SQL("DROP TABLE IF EXISTS {}").format(Identifier(bucket.name)))
        for bucket in missing(table, buckets, now // DAY, end):
            await make(connections, bucket)
    return dropped


def day_of(family_id: bytes) -> int:
    """Return the day on which a family expires, which its id begins with."""
    return int.from_bytes(family_id[:6], "big") // DAY


async def buckets_of(connections: Connections, table: str) -> list[Bucket]:
    """Return the buckets that a table has, in their order."""
    return named(table, (name for (name,) in await connections.rows(PARTITIONS, (table,))))


def named(table: str, names: Iterable[str]) -> list[Bucket]:
    """Return the buckets of a table by the names of its partitions, in their order."""
    found = [Bucket(table, int(name[2]), int(name[3])) for name in map(_name, names) if name]
    return sorted(found, key=lambda bucket: bucket.first)


def missing(table: str, buckets: list[Bucket], today: int, end: int) -> Iterator[Bucket]:
    """Yield what lacks between these buckets, and after them, so that they reach from today to the day before `end`."""
    first = today
    for there in buckets:
        for bucket in _following(table, first, there.first, today):
            yield msgspec.structs.replace(bucket, until=min(bucket.until, there.first))
        first = max(first, there.until)
    yield from _following(table, first, end, today)


def _following(table: str, first: int, end: int, today: int) -> Iterator[Bucket]:
    while first < end:
        until = first + (NEAR if first - today > NEAR else 1)
        yield Bucket(table, first, until)
        first = until


async def make(connections: Connections, bucket: Bucket) -> bool:
    """Make a bucket and tell whether it is there: not if the rest has rows of its days, nor if a table is in use."""
    column, instant = _BOUNDS[bucket.table]
    of_it = SQL("SELECT 1 FROM {} WHERE {} >= {} AND {} < {}").format(
        Identifier(f"{bucket.table}_rest"),
        Identifier(column),
        Literal(instant(bucket.first * DAY)),
        Identifier(column),
        Literal(instant(bucket.until * DAY)),
    )
    hindrance = SQL("SELECT EXISTS ({}) OR pg_relation_size({}) > {}").format(
        of_it, Literal(f"{bucket.table}_rest"), Literal(LARGEST_REST)
    )
    return await _change(connections, making(bucket), hindrance)


def making(bucket: Bucket) -> Composed:
    """Return the statement that makes a bucket."""
    _, instant = _BOUNDS[bucket.table]
    bounds = [Literal(instant(day * DAY)) for day in (bucket.first, bucket.until)]
    creation = SQL("CREATE TABLE IF NOT EXISTS {} PARTITION OF {} FOR VALUES FROM ({}) TO ({})")
    statement = creation.format(Identifier(bucket.name), Identifier(bucket.table), *bounds)
    return statement + _OPTIONS.get(bucket.table, SQL(""))


async def _change(connections: Connections, statement: Composed, hindrance: Composed | None = None) -> bool:
    """Run it unless another node is at it, there is a hindrance or the table is in use; tell whether it was done."""
    async with connections.transaction(PATIENCE) as connection:
        await connection.execute(_SESSION)
        if not await _told(connection, SQL("SELECT pg_try_advisory_xact_lock({})").format(Literal(SWEEP_LOCK))):
            return False
        if hindrance and await _told(connection, hindrance):
            return False
        try:
            async with connection.transaction():
                await connection.execute(statement)
        except (LockNotAvailable, CheckViolation):  # the second when a row of these days came to the rest just now
            return False
    return True


async def _told(connection: Connection, question: Query) -> object:
    found = await (await connection.execute(question)).fetchone()
    return found[0] if found else None
