"""The request logs of all nodes in PostgreSQL (`store/shared_requests.py`)."""

from collections.abc import Sequence

from typing_extensions import override

from credence.clock import Milliseconds
from credence.store.postgres.connections import Connections, is_storable
from credence.store.shared_requests import (
    PAGE_BLOCKS,
    TRIMMED_BLOCKS,
    BlockHead,
    RequestBlock,
    SharedRequests,
    Wanted,
)

_NOT_SYNCED = "SET LOCAL synchronous_commit = off"
_ADD = (
    "INSERT INTO request_blocks (node, first, last, process, lowest, highest, lost, marks, content) "
    "SELECT * FROM unnest(%s::text[], %s::bigint[], %s::bigint[], %s::text[], %s::bigint[], %s::bigint[], %s::bigint[], "
    "%s::bytea[], %s::bytea[]) ON CONFLICT DO NOTHING"
)
_HEADS = (
    "SELECT number, node, last, lost, marks FROM request_blocks WHERE last >= %s AND first <= %s "
    "AND (node <> %s OR process <> ALL(%s::text[]) OR last < %s) "
    "AND (%s::text[] = '{}' OR node = ANY(%s::text[])) AND (last, number) < (%s, %s) "
)
_NEWEST_FIRST = "ORDER BY last DESC, number DESC LIMIT %s"
_OF_PROCESS = "AND process = %s AND highest >= %s AND lowest <= %s "
_CONTENTS = "SELECT number, content FROM request_blocks WHERE number = ANY(%s)"
_HAVING = (
    "SELECT process, serial FROM unnest(%s::text[], %s::bigint[]) AS wanted(process, serial) WHERE EXISTS (SELECT FROM "
    "request_blocks AS b WHERE b.process = wanted.process AND b.highest >= wanted.serial AND b.lowest <= wanted.serial)"
)
# One node deletes at a time, so that no two wait for each other's rows.
_TRIM = (
    "DELETE FROM request_blocks WHERE (SELECT pg_try_advisory_xact_lock(7308328431934137202)) "
    "AND number < (SELECT min(number) FROM request_blocks) + %s AND (last < %s OR number <= "
    "coalesce((SELECT number FROM (SELECT number, sum(octet_length(content) + octet_length(marks)) "
    "OVER (ORDER BY number DESC) AS size FROM request_blocks) AS kept WHERE size > %s ORDER BY number DESC LIMIT 1), 0))"
)
_LAST = 2**63 - 1


class PostgresRequests(SharedRequests):
    """The shared request logs of one database."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    @override
    async def add(self, blocks: Sequence[RequestBlock]) -> None:
        columns = [[getattr(each, name) for each in blocks] for name in RequestBlock.__struct_fields__]
        async with self._connections.transaction() as connection:
            await connection.execute(_NOT_SYNCED)
            await connection.execute(_ADD, columns)

    @override
    async def page(self, wanted: Wanted, before: tuple[Milliseconds, int] | None = None) -> list[BlockHead]:
        nodes = [each for each in wanted.nodes if is_storable(each)]
        if wanted.nodes and not nodes:
            return []
        own = (wanted.own, list(wanted.own_processes), wanted.own_since)
        values = (wanted.since, wanted.newest, *own, nodes, nodes, *(before or (_LAST, _LAST)))
        if wanted.serial is None:
            rows = await self._connections.rows(_HEADS + _NEWEST_FIRST, (*values, PAGE_BLOCKS))
        else:
            process, serial = wanted.serial
            of_process = (process, serial, serial) if is_storable(process) else ("", 0, -1)
            rows = await self._connections.rows(
                _HEADS + _OF_PROCESS + _NEWEST_FIRST, (*values, *of_process, PAGE_BLOCKS)
            )
        return [BlockHead(*row) for row in rows]

    @override
    async def contents(self, numbers: Sequence[int]) -> dict[int, bytes]:
        return dict(await self._connections.rows(_CONTENTS, (list(numbers),)))

    @override
    async def having(self, serials: Sequence[tuple[str, int]]) -> set[tuple[str, int]]:
        wanted = [each for each in serials if is_storable(each[0])]
        columns = ([process for process, _ in wanted], [serial for _, serial in wanted])
        return set(await self._connections.rows(_HAVING, columns))

    @override
    async def trim(self, since: Milliseconds, max_bytes: int, max_blocks: int = TRIMMED_BLOCKS) -> None:
        async with self._connections.transaction() as connection:
            await connection.execute(_TRIM, (max_blocks, since, max_bytes))
