"""The newest refusals of all nodes in a shared store: each node can explain the answers of the others.

They are copies. The trail of each node has every refusal for longer (`telemetry/audit.py`).
"""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from credence.clock import Milliseconds

MAX_ROWS = 100_000
"""Refusals that are kept, about 100 MB; each batch deletes the oldest beyond them."""

PAGE_ROWS = 2_000
"""Refusals in one page of a search."""


class SharedRefusal(msgspec.Struct, frozen=True):
    """One refusal, as in the audit trail of its node."""

    request_id: str
    node: str
    at: Milliseconds
    """When the refusal was written to the store."""
    line: bytes


class SharedRefusals(Protocol):
    """The stored refusals of all nodes. Every method raises StoreUnavailable."""

    async def add(self, refusals: Sequence[SharedRefusal], max_rows: int = MAX_ROWS) -> None:
        """Add the refusals, at most 500 per call, and delete the oldest beyond `max_rows`.

        A refusal whose request is stored already is left out. The call does not wait for the disk: a crash of the database
        may lose the last ones.
        """

    async def of_request(self, request_id: str) -> SharedRefusal | None:
        """Return the refusal of the request with this id."""

    async def page(self, before: int | None = None) -> tuple[list[SharedRefusal], int | None]:
        """Return at most `PAGE_ROWS` refusals, the newest first, and the `before` of the next page, None at the end."""
