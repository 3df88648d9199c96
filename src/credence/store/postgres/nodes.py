"""The processes of a deployment in PostgreSQL (`store/nodes.py`)."""

from typing_extensions import override

from credence.store.nodes import GONE_AFTER_MS, SILENT_AFTER_MS, NodeProcess, Nodes
from credence.store.postgres.connections import Connections

_NOTE = (
    "INSERT INTO nodes (id, node, seen_at, key_ids) VALUES (%s, %s, %s, %s) ON CONFLICT (id) DO UPDATE "
    "SET node = excluded.node, seen_at = excluded.seen_at, key_ids = excluded.key_ids RETURNING 1"
)
_FORGET_KILLED = "DELETE FROM nodes WHERE seen_at < %s OR (node = %s AND seen_at < %s) RETURNING 1"
_NOTED = "SELECT id, node, seen_at, key_ids FROM nodes ORDER BY node, id"
_FORGET = "DELETE FROM nodes WHERE id = %s RETURNING 1"


class PostgresNodes(Nodes):
    """The rows of the node processes in one database."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    @override
    async def note(self, process: NodeProcess, *, forgets: bool = False) -> None:
        values = (process.id, process.node, process.seen_at, list(process.key_ids))
        await self._connections.rows(_NOTE, values)
        if forgets:
            now = process.seen_at
            await self._connections.rows(_FORGET_KILLED, (now - GONE_AFTER_MS, process.node, now - SILENT_AFTER_MS))

    @override
    async def noted(self) -> list[NodeProcess]:
        rows = await self._connections.rows(_NOTED)
        return [NodeProcess(bytes(id_), node, seen_at, tuple(key_ids)) for id_, node, seen_at, key_ids in rows]

    @override
    async def forget(self, process: bytes) -> None:
        await self._connections.rows(_FORGET, (process,))
