"""The newest refusals of all nodes in PostgreSQL (`store/shared_refusals.py`)."""

from collections.abc import Sequence

from typing_extensions import override

from credence.store.postgres.connections import Connections, is_storable
from credence.store.shared_refusals import MAX_ROWS, PAGE_ROWS, SharedRefusal, SharedRefusals

_NOT_SYNCED = "SET LOCAL synchronous_commit = off"
_ADD = (
    "INSERT INTO refusals (request_id, node, at, line) "
    "SELECT * FROM unnest(%s::text[], %s::text[], %s::bigint[], %s::bytea[]) ON CONFLICT DO NOTHING"
)
# One node deletes at a time, so that no two wait for each other's rows.
_TRIM = (
    "DELETE FROM refusals WHERE number <= (SELECT max(number) FROM refusals) - %s "
    "AND (SELECT pg_try_advisory_xact_lock(7308328431934137201))"
)
_OF_REQUEST = "SELECT request_id, node, at, line FROM refusals WHERE request_id = %s"
_PAGE = (
    "SELECT number, request_id, node, at, line FROM refusals WHERE number < coalesce(%s, 9223372036854775807) "
    "ORDER BY number DESC LIMIT %s"
)


class PostgresRefusals(SharedRefusals):
    """The shared refusals of one database."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    @override
    async def add(self, refusals: Sequence[SharedRefusal], max_rows: int = MAX_ROWS) -> None:
        columns = (
            [each.request_id for each in refusals],
            [each.node for each in refusals],
            [each.at for each in refusals],
            [each.line for each in refusals],
        )
        async with self._connections.transaction() as connection:
            await connection.execute(_NOT_SYNCED)
            await connection.execute(_ADD, columns)
            await connection.execute(_TRIM, (max_rows,))

    @override
    async def of_request(self, request_id: str) -> SharedRefusal | None:
        row = await self._connections.one(_OF_REQUEST, (request_id,)) if is_storable(request_id) else None
        return SharedRefusal(*row) if row else None

    @override
    async def page(self, before: int | None = None) -> tuple[list[SharedRefusal], int | None]:
        rows = await self._connections.rows(_PAGE, (before, PAGE_ROWS))
        return [SharedRefusal(*row[1:]) for row in rows], rows[-1][0] if len(rows) == PAGE_ROWS else None
