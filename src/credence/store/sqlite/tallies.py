"""The tallies of wrong passwords in SQLite: one row a key, every change one statement (threats A4)."""

import sqlite3
from collections.abc import Iterable, Sequence

from credence.clock import Milliseconds
from credence.store.records import TallyIncrement
from credence.store.tallies import last_key

_COUNT = (
    "INSERT INTO tallies (key, drains_at, familiar_until) VALUES (?1, ?2 + min(?3, ?4), 0) "
    "ON CONFLICT (key) DO UPDATE SET drains_at = min(max(drains_at, ?2) + ?3, ?2 + ?4)"
)
_SUCCEED = (
    "INSERT INTO tallies (key, drains_at, familiar_until) VALUES (?, 0, ?) ON CONFLICT (key) DO UPDATE "
    "SET drains_at = 0, familiar_until = max(familiar_until, excluded.familiar_until)"
)
_CLEAR = "UPDATE tallies SET drains_at = 0 WHERE key BETWEEN ? AND ?"


def selection(keys: Sequence[bytes]) -> str:
    """Return the statement that reads the rows of that many keys."""
    return f"SELECT key, drains_at, familiar_until FROM tallies WHERE key IN ({', '.join('?' * len(keys))})"  # noqa: S608


def count(connection: sqlite3.Connection, increments: Iterable[TallyIncrement], at: Milliseconds) -> None:
    """Count one failure against every key."""
    connection.executemany(_COUNT, [(increment.key, at, increment.step, increment.most) for increment in increments])


def succeed(connection: sqlite3.Connection, key: bytes, trusted_until: Milliseconds) -> None:
    """Empty one tally and note how long its key stays familiar."""
    connection.execute(_SUCCEED, (key, trusted_until))


def clear(connection: sqlite3.Connection, beginning: bytes) -> None:
    """Empty every tally whose key begins so."""
    connection.execute(_CLEAR, (beginning, last_key(beginning)))
