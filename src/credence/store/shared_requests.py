"""The request logs of all nodes in a shared store: each node finds what others answered, even one that is lost.

They are copies of the blocks in the files of the nodes (`request_log/log_file.py`), compressed.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct

from credence.clock import Milliseconds

PAGE_BLOCKS = 100
"""Blocks in one page of a search; with their marks some 200 kB."""


TRIMMED_BLOCKS = 10_000
"""Blocks that are deleted at most at a time: ten million requests."""


class RequestBlock(Struct, frozen=True):
    """At most 1,024 requests that one process of a node answered."""

    node: str
    first: Milliseconds
    """When the first of them arrived."""
    last: Milliseconds
    process: str
    lowest: int
    """The smallest serial number of a request id (D9)."""
    highest: int
    lost: int
    """Requests of this time that are in no block."""
    marks: bytes
    content: bytes


class BlockHead(NamedTuple):
    """A block without what is in it."""

    number: int
    node: str
    last: Milliseconds
    lost: int
    marks: bytes


class Wanted(NamedTuple):
    """Which blocks a search reads."""

    since: Milliseconds
    newest: Milliseconds
    """Blocks with a request from `since` to `newest`."""
    own: str
    """The node that searches: blocks that are in its file are left out."""
    own_processes: Sequence[str]
    """The processes of the blocks in the file. Another node may have the same name, and a new one an empty file."""
    own_since: Milliseconds
    """Blocks that end before this instant are not in the file."""
    nodes: Sequence[str] = ()
    """The nodes whose blocks are wanted; empty for all."""
    serial: tuple[str, int] | None = None
    """Process and serial number of the only request that is wanted."""


class SharedRequests(Protocol):
    """The stored blocks of all nodes. Every method raises StoreUnavailable."""

    async def add(self, blocks: Sequence[RequestBlock]) -> None:
        """Add the blocks. One that is stored already is left out.

        The call does not wait for the disk: a crash of the database may lose the last ones.
        """

    async def page(self, wanted: Wanted, before: tuple[Milliseconds, int] | None = None) -> list[BlockHead]:
        """Return at most `PAGE_BLOCKS` heads of blocks, the newest first, that come after `last` and number of another."""

    async def contents(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """Return what is in the blocks with these numbers that are still stored."""

    async def having(self, serials: Sequence[tuple[str, int]]) -> set[tuple[str, int]]:
        """Return those of these processes and serial numbers that are between the ends of a stored block."""

    async def trim(self, since: Milliseconds, max_bytes: int, max_blocks: int = TRIMMED_BLOCKS) -> None:
        """Delete the blocks whose last request is before an instant, and the oldest beyond this size.

        Only the `max_blocks` oldest may go, so that the call ends within the deadline after a bound was lowered. One node
        trims at a time; for the others the call does nothing.
        """
