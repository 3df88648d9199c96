"""Marks that may be used once, and the blocks of the status lists, in SQLite."""

import sqlite3

import msgspec

from credence.clock import Milliseconds
from credence.store.records import StatusBlock

_COLUMNS = ", ".join(StatusBlock.__struct_fields__)

_SPEND = (
    "INSERT INTO spent (mark, until) SELECT ?1, ?2 "
    "WHERE NOT EXISTS (SELECT 1 FROM spent WHERE mark = x'' AND until >= ?2) ON CONFLICT DO NOTHING RETURNING 1"
)

SELECTION = f"SELECT number, {_COLUMNS} FROM status_blocks WHERE number BETWEEN ? AND ? ORDER BY number"  # noqa: S608

BOUNDS = "SELECT (SELECT min(number) FROM status_blocks), (SELECT max(number) FROM status_blocks)"
"""Each on its own, or SQLite reads every row for the two of them."""


def consume_once(connection: sqlite3.Connection, mark: bytes, until: Milliseconds) -> bool:
    """Note a mark; tell whether it was new."""
    return connection.execute(_SPEND, (mark, until)).fetchone() is not None


def open_blocks(connection: sqlite3.Connection, block: StatusBlock, count: int) -> list[int]:
    """Keep that many blocks and return their numbers."""
    values = msgspec.structs.astuple(block)
    marks = ", ".join("?" * len(values))
    statement = f"INSERT INTO status_blocks ({_COLUMNS}) VALUES ({marks}) RETURNING number"  # noqa: S608
    return [connection.execute(statement, values).fetchone()[0] for _ in range(count)]
