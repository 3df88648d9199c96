"""Frees the rows of a PostgreSQL store that nothing can depend on any more.

Most lies in buckets and goes with them, at the cost of a file whatever is in it. Of what does not, every deletion walks an
index from its oldest end, so its cost is that of what goes. One node at a time frees rows; the others leave it to it.
"""

from credence.clock import Milliseconds
from credence.store.postgres import buckets
from credence.store.postgres.connections import Connections


def _deletion(table: str, key: str, until: str) -> str:
    """Return the statement that frees the oldest rows of one table. The names are constants of this file."""
    return (
        f"WITH gone AS (DELETE FROM {table} WHERE {key} = ANY(ARRAY("  # noqa: S608
        f"SELECT {key} FROM {table} WHERE {until} <= %s AND (SELECT pg_try_advisory_xact_lock({buckets.LEASE})) "
        f"ORDER BY {until} LIMIT %s"
        f")) RETURNING 1) SELECT count(*) FROM gone"
    )


_FAMILIES = _deletion("families_rest", "id", "id")
_OTHERS = (
    _deletion("changes_rest", "sequence", "until"),
    _deletion("tallies", "key", "greatest(drains_at, familiar_until)"),
    _deletion("spent", "mark", "until"),
    _deletion("status_blocks_rest", "number", "until"),
)


async def sweep(connections: Connections, now: Milliseconds, most: int) -> int:
    """Free at most that many rows, each kind in a transaction of its own, and return how many went.

    A bucket counts as one, and goes whatever else does.
    """
    dropped = await buckets.tend(connections, now)
    last_expired = now.to_bytes(6, "big") + b"\xff" * 16
    room = most - await _free(connections, _FAMILIES, last_expired, most)
    for statement in _OTHERS:
        room -= await _free(connections, statement, now, room)
    return dropped + most - room


async def _free(connections: Connections, statement: str, until: Milliseconds | bytes, most: int) -> int:
    found = await connections.one(statement, (until, most)) if most > 0 else None
    return found[0] if found else 0
