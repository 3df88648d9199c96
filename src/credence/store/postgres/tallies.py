"""The tallies of wrong passwords in PostgreSQL: one row a key, every change one statement (threats A4)."""

from collections.abc import Iterable, Sequence

from credence.clock import Milliseconds
from credence.store.postgres.connections import Connections
from credence.store.records import Tally, TallyIncrement
from credence.store.tallies import in_order, last_key

_READ = "SELECT key, drains_at, familiar_until FROM tallies WHERE key = ANY(%s::bytea[])"
_COUNT = (
    "INSERT INTO tallies (key, drains_at, familiar_until) VALUES (%(key)s, %(at)s + least(%(step)s, %(most)s), 0) "
    "ON CONFLICT (key) DO UPDATE "
    "SET drains_at = least(greatest(tallies.drains_at, %(at)s) + %(step)s, %(at)s + %(most)s)"
)
_SUCCEED = (
    "INSERT INTO tallies (key, drains_at, familiar_until) VALUES (%s, 0, %s) ON CONFLICT (key) DO UPDATE "
    "SET drains_at = 0, familiar_until = greatest(tallies.familiar_until, excluded.familiar_until) RETURNING 1"
)
_CLEAR = (
    "WITH found AS MATERIALIZED (SELECT key FROM tallies WHERE key BETWEEN %s AND %s ORDER BY key FOR UPDATE) "
    "UPDATE tallies SET drains_at = 0 FROM found WHERE tallies.key = found.key RETURNING 1"
)


async def read(connections: Connections, keys: Sequence[bytes]) -> list[Tally]:
    """Return one tally a key."""
    return in_order(keys, await connections.rows(_READ, (list(keys),)))


async def count(connections: Connections, increments: Iterable[TallyIncrement], at: Milliseconds) -> None:
    """Count one failure against every key; locked in their order, so nobody waits for another crosswise."""
    ordered = sorted(increments, key=lambda increment: increment.key)
    values = [{"key": each.key, "at": at, "step": each.step, "most": each.most} for each in ordered]
    async with connections.transaction() as connection:
        await connection.cursor().executemany(_COUNT, values)


async def succeed(connections: Connections, key: bytes, trusted_until: Milliseconds) -> None:
    """Empty one tally and note how long its key stays familiar."""
    await connections.rows(_SUCCEED, (key, trusted_until))


async def clear(connections: Connections, beginning: bytes) -> None:
    """Empty every tally whose key begins so."""
    await connections.rows(_CLEAR, (beginning, last_key(beginning)))
