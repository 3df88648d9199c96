"""Deletes the expired rows of a SQLite store.

Each deletion walks an index from its oldest end, so its cost is that of the rows that it deletes. It commits after a few
rows, because other writes wait for the transaction that deletes them.
"""

import sqlite3

from credence.clock import Milliseconds

ROWS_PER_COMMIT = 25
"""Rows that one transaction deletes. Each is a page of its own in the index of families by account."""


def _deletion(table: str, key: str, until: str) -> str:
    """Return the statement that deletes the oldest rows of one table. The names are constants of this file."""
    return f"DELETE FROM {table} WHERE {key} IN (SELECT {key} FROM {table} WHERE {until} <= ? ORDER BY {until} LIMIT ?)"  # noqa: S608 - constants


_DELETE_BY_ID = (_deletion("families", "id", "id"), _deletion("sign_ins", "family_id", "family_id"))
_DELETE_OTHERS = (
    _deletion("changes", "sequence", "until"),
    _deletion("tallies", "key", "max(drains_at, familiar_until)"),
    _deletion("spent", "mark", "until"),
    _deletion("status_blocks", "number", "until"),
    _deletion("sessions", "key", "expires_at"),
    _deletion("report_reads", "rowid", "until"),
    _deletion("report_uses", "key", "until"),
    _deletion("monitoring_events", "number", "until"),
    _deletion("kept_answers", "key", "until"),
    _deletion("ledger_lines", "upload", "until"),
    _deletion("device_requests", "key", "expires_at"),
    _deletion("issuer_sessions", "session", "expires_at"),
    _deletion("deliveries", "id", "keep_until"),
    _deletion("webhook_attempts", "rowid", "until"),
    _deletion("alert_states", "number", "until"),
)


def sweep(connection: sqlite3.Connection, now: Milliseconds, max_rows: int) -> int:
    """Delete at most `max_rows` expired rows and return how many."""
    last_expired = now.to_bytes(6, "big") + b"\xff" * 16
    left = max_rows
    for statement in _DELETE_BY_ID:
        left -= connection.execute(statement, (last_expired, left)).rowcount if left else 0
    for statement in _DELETE_OTHERS:
        left -= connection.execute(statement, (now, left)).rowcount if left else 0
    return max_rows - left
