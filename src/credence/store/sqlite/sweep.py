"""Frees the rows of a SQLite store that nothing can depend on any more.

Every deletion walks an index from its oldest end, so its cost is that of what goes.
"""

import sqlite3

from credence.clock import Milliseconds


def _deletion(table: str, key: str, until: str) -> str:
    """Return the statement that frees the oldest rows of one table. The names are constants of this file."""
    return f"DELETE FROM {table} WHERE {key} IN (SELECT {key} FROM {table} WHERE {until} <= ? ORDER BY {until} LIMIT ?)"  # noqa: S608


_FAMILIES = _deletion("families", "id", "id")
_OTHERS = (
    _deletion("changes", "sequence", "until"),
    _deletion("tallies", "key", "max(drains_at, familiar_until)"),
    _deletion("spent", "mark", "until"),
    _deletion("status_blocks", "number", "until"),
)


def sweep(connection: sqlite3.Connection, now: Milliseconds, most: int) -> int:
    """Free at most that many rows and return how many went."""
    last_expired = now.to_bytes(6, "big") + b"\xff" * 16
    room = most - connection.execute(_FAMILIES, (last_expired, most)).rowcount
    for statement in _OTHERS:
        room -= connection.execute(statement, (now, room)).rowcount
    return most - room
