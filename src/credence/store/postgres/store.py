"""The store in PostgreSQL, shared by any number of nodes (threats §4). Each token operation is one round trip.

A conditional statement makes each decision and returns its result. A statement that also adds to the change log does both,
because the database writes the log (`log_change` in the schema).
"""

from typing_extensions import override

from credence.clock import Clock, Milliseconds, system_clock
from credence.crypto import base64url
from credence.store.contract import PoolUse, Store
from credence.store.nodes import Nodes
from credence.store.postgres import buckets
from credence.store.postgres.connections import Connections
from credence.store.postgres.log import Log
from credence.store.postgres.migrations import migrate_postgres
from credence.store.postgres.rotations import Rotations
from credence.store.postgres.running import PostgresStatements
from credence.store.records import (
    AccessTokenParameters,
    Change,
    TokenFamily,
)
from credence.store.shared_refusals import SharedRefusals
from credence.store.shared_requests import SharedRequests
from credence.token_lifetime_limits import MAX_ACCESS_TOKEN_SECONDS

_END_FAMILY = """
WITH ended AS (
    UPDATE families SET ended_at = %s, ended_because = %s WHERE id = %s AND ended_at IS NULL RETURNING expires_at
)
SELECT log_change('family', %s, expires_at + %s) FROM ended
"""
_REVOKE_TOKEN = "SELECT log_change('token', %s, %s)"  # noqa: S105 - a statement


async def open_postgres(address: str, clock: Clock = system_clock) -> "PostgresStore":
    """Connect to the database, bring its schema up to date and follow the change log. `clock` is the machine's clock.

    Raises StoreUnavailable if this fails, SchemaTooNew if the schema no longer supports this program.
    """
    connections = Connections(address)
    try:
        await migrate_postgres(address)
        await connections.open()
        log = Log(address, connections, clock)
        await log.open()
    except BaseException:
        await connections.close()
        raise
    return PostgresStore(connections, log)


class _Nodes(PostgresStatements, Nodes):
    """The nodes that share the database."""


class _Refusals(PostgresStatements, SharedRefusals):
    """The refusals of all nodes."""


class _Requests(PostgresStatements, SharedRequests):
    """The request logs of all nodes."""


class PostgresStore(PostgresStatements, Store):
    """The store in one database, which any number of processes share."""

    def __init__(self, connections: Connections, log: Log) -> None:
        super().__init__(connections, log)
        self.seconds = connections.seconds
        self._rotations = Rotations(connections)
        self._nodes = _Nodes(connections, log)
        self._refusals = _Refusals(connections, log)
        self._requests = _Requests(connections, log)

    @property
    @override
    def pool_use(self) -> PoolUse:
        return self._connections.use()

    @property
    @override
    def nodes(self) -> Nodes:
        return self._nodes

    @property
    @override
    def refusals(self) -> SharedRefusals:
        return self._refusals

    @property
    @override
    def requests(self) -> SharedRequests:
        return self._requests

    @override
    async def rotate(
        self, family_id: bytes, generation: int, parameters: AccessTokenParameters, not_before: Milliseconds = 0
    ) -> TokenFamily | None:
        return await self._rotations.rotate(family_id, generation, parameters, not_before)

    @override
    async def end_family(self, family_id: bytes, at: Milliseconds, because: str) -> bool:
        subject = base64url.encode(family_id)
        if await self._log.change(_END_FAMILY, (at, because, family_id, subject, MAX_ACCESS_TOKEN_SECONDS * 1000)):
            return True
        await self.family(family_id)  # "already ended" is an answer as well, and waits for the standby
        return False

    @override
    async def revoke_token(self, jti: str, until: Milliseconds) -> None:
        await self._log.change(_REVOKE_TOKEN, (jti, until))

    @override
    async def changes(self, after: int) -> list[Change]:
        return await self._log.after(after)

    @override
    async def acknowledged_changes(self, after: int) -> list[Change]:
        return await self._log.after(after, still_primary=True)

    @override
    def timeline(self) -> int:
        return self._log.timeline

    @override
    def change_marker(self) -> int:
        return self._log.change_marker

    @override
    def clock_offset(self) -> Milliseconds:
        return self._log.clock_offset

    @override
    async def prepare(self, now: Milliseconds) -> None:
        await buckets.prepare(self._connections, now)

    @override
    async def sweep(self, now: Milliseconds, max_rows: int = 1_000) -> int:
        return await sweep(self._connections, now, max_rows)

    @override
    async def check_writable(self) -> None:
        await self._connections.rows("UPDATE scratch SET count = count + 1 RETURNING 1")

    @override
    async def close(self) -> None:
        await self._rotations.close()
        await self._log.close()
        await self._connections.close()


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
    """Drop expired buckets, then delete at most `max_rows` expired rows, one transaction per table; return how many.

    Most rows are in buckets and are deleted with them, at the cost of one file. For the others each deletion walks an index
    from its oldest end. One node deletes at a time.
    """
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
