"""Marks that may be used once, and the blocks of the status lists, in PostgreSQL."""

import msgspec

from credence.clock import Milliseconds
from credence.store.postgres.connections import Connections
from credence.store.records import StatusBlock

_COLUMNS = ", ".join(StatusBlock.__struct_fields__)
_MARKS = ", ".join(["%s"] * len(StatusBlock.__struct_fields__))

_SPEND = (
    "INSERT INTO spent (mark, until) SELECT %(mark)s::bytea, %(until)s::bigint "
    "WHERE NOT EXISTS (SELECT 1 FROM spent WHERE mark = '' AND until >= %(until)s) ON CONFLICT DO NOTHING RETURNING 1"
)
_OPEN = f"INSERT INTO status_blocks ({_COLUMNS}) SELECT {_MARKS} FROM generate_series(1, %s) RETURNING number"  # noqa: S608
_BOUNDS = "SELECT coalesce(min(number), 0), coalesce(max(number), -1) FROM status_blocks"
_READ = f"SELECT number, {_COLUMNS} FROM status_blocks WHERE number BETWEEN %s AND %s ORDER BY number"  # noqa: S608


async def consume_once(connections: Connections, mark: bytes, until: Milliseconds) -> bool:
    """Note a mark; tell whether it was new."""
    return await connections.one(_SPEND, {"mark": mark, "until": until}) is not None


async def open_blocks(connections: Connections, block: StatusBlock, count: int) -> list[int]:
    """Keep that many blocks and return their numbers."""
    rows = await connections.rows(_OPEN, (*msgspec.structs.astuple(block), count))
    return sorted(number for (number,) in rows)


async def read_blocks(connections: Connections, first: int, last: int) -> list[tuple[int, StatusBlock]]:
    """Return the blocks from the first number to the last."""
    return [(number, StatusBlock(*block)) for number, *block in await connections.rows(_READ, (first, last))]


async def bounds(connections: Connections) -> range:
    """Return the numbers from the oldest block to the newest."""
    (oldest, newest), *_ = await connections.rows(_BOUNDS)
    return range(oldest, newest + 1)
