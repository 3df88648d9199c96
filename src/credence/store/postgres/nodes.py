"""The processes of a deployment in PostgreSQL (`store/nodes.py`)."""

from typing_extensions import override

from credence.store.nodes import NodeProcess, Nodes
from credence.store.postgres.connections import Connections

_NOTE = (
    "INSERT INTO nodes (id, node, seen_at, key_ids) VALUES (%s, %s, %s, %s) ON CONFLICT (id) DO UPDATE "
    "SET node = excluded.node, seen_at = excluded.seen_at, key_ids = excluded.key_ids RETURNING 1"
)
_NOTED = "SELECT id, node, seen_at, key_ids FROM nodes ORDER BY node, id"
_FORGET = "DELETE FROM nodes WHERE id = %s RETURNING 1"


class PostgresNodes(Nodes):
    """The rows of the node processes in one database."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    @override
    async def note(self, process: NodeProcess) -> None:
        values = (process.id, process.node, process.seen_at, list(process.key_ids))
        await self._connections.rows(_NOTE, values)

    @override
    async def noted(self) -> list[NodeProcess]:
        rows = await self._connections.rows(_NOTED)
        return [NodeProcess(bytes(id_), node, seen_at, tuple(key_ids)) for id_, node, seen_at, key_ids in rows]

    @override
    async def forget(self, process: bytes) -> None:
        await self._connections.rows(_FORGET, (process,))
