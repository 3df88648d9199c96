"""The nodes of a shared store: each process notes that it runs, and which key-encryption keys it can open (D13).

A row has the ids of keys, never a key. It is written every few seconds and deleted by an orderly stop, so an old row is a
process that was killed, or that cannot reach the store.
"""

import msgspec

from credence.clock import Milliseconds
from credence.store.statements import Statements

BEAT_SECONDS = 2.0
"""The interval in which a process writes its row."""

SILENT_AFTER_MS = 30_000
"""A process whose row is older than this may have stopped."""

GONE_AFTER_MS = 600_000
"""A process whose row is older than this counts as stopped: nothing waits for it."""


class NodeProcess(msgspec.Struct, frozen=True):
    """One process of a node, as in its own row."""

    id: bytes
    """16 random octets."""
    node: str
    seen_at: Milliseconds
    key_ids: tuple[str, ...]
    """The ids of the key-encryption keys that the process would have after a restart; empty if they cannot be read."""


_NOTE = (
    "INSERT INTO nodes (id, node, seen_at, key_ids) VALUES (:id, :node, :seen_at, :key_ids) ON CONFLICT (id) DO UPDATE "
    "SET node = excluded.node, seen_at = excluded.seen_at, key_ids = excluded.key_ids RETURNING 1"
)
_FORGET_KILLED = "DELETE FROM nodes WHERE seen_at < :gone OR (node = :node AND seen_at < :silent) RETURNING 1"
_NOTED = "SELECT id, node, seen_at, key_ids FROM nodes ORDER BY node, id"
_FORGET = "DELETE FROM nodes WHERE id = :id RETURNING 1"


class Nodes(Statements):
    """The processes that use one store. Every method raises StoreUnavailable."""

    async def note(self, process: NodeProcess, *, forgets: bool = False) -> None:
        """Store the row of a process, in place of its earlier one.

        With `forgets` delete the rows of those that were killed: of this node the silent ones, of any node those that count
        as stopped.
        """
        key_ids = list(process.key_ids)
        await self._write(_NOTE, id=process.id, node=process.node, seen_at=process.seen_at, key_ids=key_ids)
        if forgets:
            gone, silent = process.seen_at - GONE_AFTER_MS, process.seen_at - SILENT_AFTER_MS
            await self._write(_FORGET_KILLED, gone=gone, node=process.node, silent=silent)

    async def noted(self) -> list[NodeProcess]:
        """Return all rows, ordered by node, then id."""
        rows = await self._rows(_NOTED)
        return [NodeProcess(bytes(id_), node, seen_at, tuple(key_ids)) for id_, node, seen_at, key_ids in rows]

    async def forget(self, process: bytes) -> None:
        """Delete the row of the process with this id."""
        await self._write(_FORGET, id=process)
