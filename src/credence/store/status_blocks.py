"""The blocks of the status lists in a store."""

import msgspec

from credence.store.records import StatusBlock
from credence.store.statements import Pair, Statements, columns

_COLUMNS, _PLACES = columns(StatusBlock)
_COPIES = Pair(
    sqlite="WITH RECURSIVE copies (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copies WHERE n < :count)",
    postgres="WITH copies AS (SELECT generate_series(1, :count))",
)
_OPEN = Pair(
    *(
        f"{copies} INSERT INTO status_blocks ({_COLUMNS}) SELECT {_PLACES} FROM copies RETURNING number"  # noqa: S608 - constants, here and below
        for copies in _COPIES
    )
)
_NUMBERS = "SELECT (SELECT min(number) FROM status_blocks), (SELECT max(number) FROM status_blocks)"
"""Two subqueries use the index; one query with both aggregates would read every row in SQLite."""
_BLOCKS = f"SELECT number, {_COLUMNS} FROM status_blocks WHERE number BETWEEN :first AND :last ORDER BY number"  # noqa: S608 - constants


class StatusBlocks(Statements):
    """The part of a store that has the blocks of the status lists."""

    async def open_status_blocks(self, block: StatusBlock, count: int) -> list[int]:
        """Store `count` copies of the block and return their numbers, ascending from 1. No number is reused."""
        rows = await self._write(_OPEN, count=count, **msgspec.structs.asdict(block))
        return sorted(number for (number,) in rows)

    async def status_blocks(self, first: int, last: int) -> list[tuple[int, StatusBlock]]:
        """Return the blocks numbered `first` to `last`, both included, in order."""
        return [(number, StatusBlock(*block)) for number, *block in await self._rows(_BLOCKS, first=first, last=last)]

    async def status_block_numbers(self) -> range:
        """Return the numbers from the oldest stored block to the newest. Blocks in between may have been deleted."""
        ((oldest, newest),) = await self._rows(_NUMBERS)
        return range(0) if newest is None else range(oldest, newest + 1)
