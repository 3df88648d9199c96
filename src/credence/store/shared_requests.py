"""The request logs of all nodes in a shared store: each node finds what others answered, even one that is lost.

They are copies of the blocks in the files of the nodes (`request_log/log_file.py`), compressed.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from msgspec import Struct

from credence.clock import Milliseconds
from credence.store.statements import Act, Add, Statements, do, is_storable

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


_NOT_SYNCED = do("SET LOCAL synchronous_commit = off")
_TYPES = {
    "node": "text",
    "first": "bigint",
    "last": "bigint",
    "process": "text",
    "lowest": "bigint",
    "highest": "bigint",
    "lost": "bigint",
    "marks": "bytea",
    "content": "bytea",
}
_HEADS = (
    "SELECT number, node, last, lost, marks FROM request_blocks WHERE last >= :since AND first <= :newest "
    "AND (node <> :own OR process <> ALL(:own_processes::text[]) OR last < :own_since) "
    "AND (:of_all OR node = ANY(:nodes::text[])) AND (last, number) < (:last, :number) "
)
_OF_PROCESS = "AND process = :process AND highest >= :serial AND lowest <= :serial "
_NEWEST_FIRST = "ORDER BY last DESC, number DESC LIMIT :most"
_CONTENTS = "SELECT number, content FROM request_blocks WHERE number = ANY(:numbers::bigint[])"
_HAVING = (
    "SELECT process, serial FROM unnest(:processes::text[], :serials::bigint[]) AS wanted(process, serial) "
    "WHERE EXISTS (SELECT FROM request_blocks AS b "
    "WHERE b.process = wanted.process AND b.highest >= wanted.serial AND b.lowest <= wanted.serial)"
)
# One node deletes at a time, so that no two wait for each other's rows.
_TRIM = (
    "DELETE FROM request_blocks WHERE (SELECT pg_try_advisory_xact_lock(7308328431934137202)) "
    "AND number < (SELECT min(number) FROM request_blocks) + :max_blocks AND (last < :since OR number <= "
    "coalesce((SELECT number FROM (SELECT number, sum(octet_length(content) + octet_length(marks)) "
    "OVER (ORDER BY number DESC) AS size FROM request_blocks) AS kept WHERE size > :max_bytes "
    "ORDER BY number DESC LIMIT 1), 0)) RETURNING 1"
)
_LAST = 2**63 - 1


class SharedRequests(Statements):
    """The stored blocks of all nodes. Every method raises StoreUnavailable."""

    async def add(self, blocks: Sequence[RequestBlock]) -> None:
        """Add the blocks. One that is stored already is left out.

        The call does not wait for the disk: a crash of the database may lose the last ones.
        """

        def adding() -> Act[None]:
            yield _NOT_SYNCED
            yield Add("request_blocks", _TYPES, [msgspec.structs.astuple(each) for each in blocks])

        await self._transact(adding)

    async def page(self, wanted: Wanted, before: tuple[Milliseconds, int] | None = None) -> list[BlockHead]:
        """Return at most `PAGE_BLOCKS` heads of blocks, the newest first, that come after `last` and number of another."""
        last, number = before or (_LAST, _LAST)
        process, serial = wanted.serial or ("", -1)
        rows = await self._rows(
            _HEADS + (_OF_PROCESS if wanted.serial else "") + _NEWEST_FIRST,
            since=wanted.since,
            newest=wanted.newest,
            own=wanted.own,
            own_processes=list(wanted.own_processes),
            own_since=wanted.own_since,
            of_all=not wanted.nodes,
            nodes=list(wanted.nodes),
            process=process,
            serial=serial,
            last=last,
            number=number,
            most=PAGE_BLOCKS,
        )
        return [BlockHead(*row) for row in rows]

    async def contents(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """Return what is in the blocks with these numbers that are still stored."""
        return dict(await self._rows(_CONTENTS, numbers=list(numbers)))

    async def having(self, serials: Sequence[tuple[str, int]]) -> set[tuple[str, int]]:
        """Return those of these processes and serial numbers that are between the ends of a stored block."""
        wanted = [each for each in serials if is_storable(each[0])]
        columns = {"processes": [process for process, _ in wanted], "serials": [serial for _, serial in wanted]}
        return set(await self._rows(_HAVING, **columns))

    async def trim(self, since: Milliseconds, max_bytes: int, max_blocks: int = TRIMMED_BLOCKS) -> None:
        """Delete the blocks whose last request is before an instant, and the oldest beyond this size.

        Only the `max_blocks` oldest may go, so that the call ends within the deadline after a bound was lowered. One node
        trims at a time; for the others the call does nothing.
        """
        await self._write(_TRIM, since=since, max_bytes=max_bytes, max_blocks=max_blocks)
