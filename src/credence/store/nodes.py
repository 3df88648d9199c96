"""The nodes of a shared store: each process notes that it runs, and which key-encryption keys it can open (D13).

A row has the ids of keys, never a key. It is written every few seconds and deleted by an orderly stop, so an old row is a
process that was killed, or that cannot reach the store.
"""

from typing import Protocol

import msgspec

from credence.clock import Milliseconds

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


class Nodes(Protocol):
    """The processes that use one store. Every method raises StoreUnavailable."""

    async def note(self, process: NodeProcess, *, forgets: bool = False) -> None:
        """Store the row of a process, in place of its earlier one.

        With `forgets` delete the rows of those that were killed: of this node the silent ones, of any node those that count
        as stopped.
        """

    async def noted(self) -> list[NodeProcess]:
        """Return all rows, ordered by node, then id."""

    async def forget(self, process: bytes) -> None:
        """Delete the row of the process with this id."""
