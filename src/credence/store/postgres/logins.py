"""What the families of an application come to, in PostgreSQL. Asked by commands alone: it reads the whole table."""

from credence.clock import Milliseconds
from credence.store.postgres.connections import Connections
from credence.store.records import FamilyStatistics

PATIENCE = 60.0
"""Seconds. Nobody waits for it but who typed the command, and it holds up nothing."""

_PATIENCE = "SET LOCAL statement_timeout = '60s'"
_SELECTION = """
SELECT families.client_id,
       count(*) FILTER (WHERE families.ended_at IS NULL AND families.expires_at > %s
           AND families.created_at >= (convert_from(applications.document, 'UTF8')::json ->> 'not_before')::bigint
           AND families.created_at >= (convert_from(accounts.document, 'UTF8')::json ->> 'not_before')::bigint),
       max(families.created_at)
FROM families JOIN applications USING (client_id) JOIN accounts USING (username)
GROUP BY families.client_id ORDER BY families.client_id
"""


async def read(connections: Connections, now: Milliseconds) -> list[FamilyStatistics]:
    """Return one row for each application that has families."""
    async with connections.transaction(PATIENCE) as connection:
        await connection.execute(_PATIENCE)
        return [FamilyStatistics(*row) for row in await (await connection.execute(_SELECTION, (now,))).fetchall()]
