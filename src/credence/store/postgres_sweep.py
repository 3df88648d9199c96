"""Frees the rows of a PostgreSQL store that nothing can depend on any more.

Every deletion walks an index from its oldest end, so its cost is that of what goes; rows that another node is about to free
are left to it.
"""

from credence.clock import Milliseconds
from credence.store.postgres_connections import Connections


def _deletion(table: str, key: str, until: str) -> str:
    """Return the statement that frees the oldest rows of one table. The names are constants of this file."""
    return (
        f"WITH gone AS (DELETE FROM {table} WHERE {key} = ANY(ARRAY("  # noqa: S608
        f"SELECT {key} FROM {table} WHERE {until} <= %s ORDER BY {until} LIMIT %s FOR UPDATE SKIP LOCKED"
        f")) RETURNING 1) SELECT count(*) FROM gone"
    )


_FAMILIES = _deletion("families", "id", "id")
_OTHERS = (
    _deletion("changes", "sequence", "until"),
    _deletion("tallies", "key", "greatest(drains_at, familiar_until)"),
    _deletion("spent", "mark", "until"),
    _deletion("status_blocks", "number", "until"),
)


async def sweep(connections: Connections, now: Milliseconds, most: int) -> int:
    """Free at most that many rows, each kind in a transaction of its own, and return how many went."""
    last_expired = now.to_bytes(6, "big") + b"\xff" * 16
    room = most - await _free(connections, _FAMILIES, last_expired, most)
    for statement in _OTHERS:
        room -= await _free(connections, statement, now, room)
    return most - room


async def _free(connections: Connections, statement: str, until: Milliseconds | bytes, most: int) -> int:
    found = await connections.one(statement, (until, most)) if most > 0 else None
    return found[0] if found else 0
