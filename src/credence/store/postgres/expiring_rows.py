"""Deletes the expired rows of a PostgreSQL store.

Most rows are in buckets and are deleted with them, at the cost of one file. For rows outside buckets each deletion walks an
index from its oldest end, so its cost is that of the rows that it deletes. One node deletes at a time.
"""

from credence.clock import Milliseconds
from credence.store.postgres import buckets
from credence.store.postgres.connections import Connections


def _deletion(table: str, key: str, until: str) -> str:
    """Return the statement that deletes the oldest rows of one table. The names are constants of this file."""
    return (
        f"WITH gone AS (DELETE FROM {table} WHERE {key} = ANY(ARRAY("  # noqa: S608 - constants
        f"SELECT {key} FROM {table} WHERE {until} <= %s AND (SELECT pg_try_advisory_xact_lock({buckets.SWEEP_LOCK})) "
        f"ORDER BY {until} LIMIT %s"
        f")) RETURNING 1) SELECT count(*) FROM gone"
    )


_DELETE_BY_ID = (_deletion("families_rest", "id", "id"), _deletion("sign_ins", "family_id", "family_id"))
_DELETE_OTHERS = (
    _deletion("changes_rest", "sequence", "until"),
    _deletion("tallies", "key", "greatest(drains_at, familiar_until)"),
    _deletion("spent", "mark", "until"),
    _deletion("status_blocks_rest", "number", "until"),
    _deletion("sessions", "key", "expires_at"),
    _deletion("report_reads", "ctid", "until"),
    _deletion("report_uses", "key", "until"),
    _deletion("deliveries", "id", "keep_until"),
    _deletion("webhook_attempts", "ctid", "until"),
    _deletion("alert_states", "number", "until"),
    _deletion("nodes", "id", "seen_at"),
    _deletion("monitoring_events", "number", "until"),
    _deletion("kept_answers", "key", "until"),
    _deletion("ledger_lines", "upload", "until"),
    _deletion("device_requests", "key", "expires_at"),
    _deletion("issuer_sessions", "session", "expires_at"),
    _deletion("refusals", "number", "at"),
)


async def sweep(connections: Connections, now: Milliseconds, max_rows: int) -> int:
    """Drop expired buckets, then delete at most `max_rows` expired rows, one transaction per table; return how many."""
    dropped = await buckets.maintain(connections, now)
    last_expired = now.to_bytes(6, "big") + b"\xff" * 16
    left = max_rows
    for statement in _DELETE_BY_ID:
        left -= await _delete(connections, statement, last_expired, left)
    for statement in _DELETE_OTHERS:
        left -= await _delete(connections, statement, now, left)
    return dropped + max_rows - left


async def _delete(connections: Connections, statement: str, until: Milliseconds | bytes, max_rows: int) -> int:
    found = await connections.one(statement, (until, max_rows)) if max_rows > 0 else None
    return found[0] if found else 0
