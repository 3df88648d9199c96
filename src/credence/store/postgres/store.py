"""The store in PostgreSQL, shared by any number of nodes (threats §4). Each token operation is one round trip.

A conditional statement makes each decision and returns its result. A statement that also adds to the change log does both,
because the database writes the log (`log_change` in the schema).
"""

from typing_extensions import override

from credence.clock import Clock, Milliseconds, system_clock
from credence.crypto import base64url
from credence.store.contract import PoolUse, Store
from credence.store.nodes import Nodes
from credence.store.postgres import buckets, expiring_rows
from credence.store.postgres.connections import Connections
from credence.store.postgres.log import Log
from credence.store.postgres.migrations import migrate_postgres
from credence.store.postgres.nodes import PostgresNodes
from credence.store.postgres.rotations import Rotations
from credence.store.postgres.running import PostgresStatements
from credence.store.postgres.shared_refusals import PostgresRefusals
from credence.store.postgres.shared_requests import PostgresRequests
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


class PostgresStore(PostgresStatements, Store):
    """The store in one database, which any number of processes share."""

    def __init__(self, connections: Connections, log: Log) -> None:
        self._connections = connections
        self.seconds = connections.seconds
        self._log = log
        self._rotations = Rotations(connections)
        self._nodes = PostgresNodes(connections)
        self._refusals = PostgresRefusals(connections)
        self._requests = PostgresRequests(connections)

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
        return await expiring_rows.sweep(self._connections, now, max_rows)

    @override
    async def check_writable(self) -> None:
        await self._connections.rows("UPDATE scratch SET count = count + 1 RETURNING 1")

    @override
    async def close(self) -> None:
        await self._rotations.close()
        await self._log.close()
        await self._connections.close()
