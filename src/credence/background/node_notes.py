"""Records in a shared store that this process runs and which key-encryption keys it has read (D13)."""

import asyncio

from credence.clock import Milliseconds
from credence.crypto.randomness import random_bytes
from credence.crypto.sealing import key_id
from credence.errors import OperatorError
from credence.service import Service
from credence.store.nodes import SILENT_AFTER_MS, NodeProcess, Nodes
from credence.telemetry.log import error, event

_ID_BYTES = 16


class NodeNotes:
    """The row of this process in the store."""

    def __init__(self, service: Service, nodes: Nodes) -> None:
        self._service = service
        self._nodes = nodes
        self._id = random_bytes(_ID_BYTES)
        self.fault: str | None = None
        """Why the key-encryption keys cannot be read; None if they can."""
        self._writing = asyncio.Lock()
        self._noted_since: Milliseconds | None = None
        """Since when each note has been stored: for as long the others could store theirs too."""
        self._forgot_at: Milliseconds = 0

    async def note(self) -> None:
        """Read the key-encryption keys again, start to use new ones, and write the row."""
        key_ids = await self._key_ids()
        async with self._writing:
            now = self._service.clock()
            since, self._noted_since = self._noted_since, None
            forgets = since is not None and min(now - since, now - self._forgot_at) > SILENT_AFTER_MS
            await self._nodes.note(NodeProcess(self._id, self._service.settings.node, now, key_ids), forgets=forgets)
            self._noted_since = now if since is None else since
            self._forgot_at = now if forgets else self._forgot_at

    async def leave(self) -> None:
        """Delete the row, so that a change of key does not wait for this process.

        Called when `note` is not called any more.
        """
        async with self._writing:
            await self._nodes.forget(self._id)

    async def _key_ids(self) -> tuple[str, ...]:
        authority = self._service.authority
        try:
            keks = await asyncio.to_thread(authority.read_keks)
        except OperatorError as fault:
            self._log(str(fault))
            return ()
        self._log(None)
        authority.take_keks(keks)
        return tuple(key_id(key) for key in keks.keys)

    def _log(self, fault: str | None) -> None:
        """Log a fault once, and once that it has ended."""
        if fault == self.fault:
            return
        self.fault = fault
        if fault is None:
            event("key_encryption_key_readable")
        else:
            error("key_encryption_key_unreadable", fault=fault)
