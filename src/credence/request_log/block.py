"""A block of records: what a row of the log file is, and how it is packed for the shared store."""

import zlib
from typing import Any, NamedTuple

import msgspec

from credence.clock import Milliseconds
from credence.request_log.record import Record, marks_of

FORMAT = 1
"""The format number of records and their marks, in the file of a node and in a shared store."""

BLOCK_RECORDS = 1_024
"""The records of a complete block."""

_NUMBER = bytes([FORMAT])


class Block(NamedTuple):
    """Records of one process. The fields are the columns of the file, in order."""

    first: Milliseconds
    """When the first request arrived."""
    last: Milliseconds
    process: str
    lowest: int
    """The smallest serial number of a request id (D9); -1 without records."""
    highest: int
    lost: int
    """Requests of this time that could not be written."""
    marks: bytes
    content: bytes
    """The columns of the records as MessagePack."""


def block_of(columns: list[list[Any]], lost: int, now: Milliseconds) -> Block:
    """Return the block with these columns of `Record`; `now` is its time if it has no records."""
    times, ids = columns[0] or [now], columns[1]
    process = ids[0].rpartition("-")[0] if ids else ""
    serials = [int(each[len(process) + 1 :]) for each in ids] or [-1]
    spans = (min(times), max(times), process, min(serials), max(serials))
    return Block(*spans, lost, marks_of(columns), msgspec.msgpack.encode(columns))


def shared(block: Block) -> Block:
    """Return the block as other nodes read it: packed, and with the format number before its marks."""
    return block._replace(marks=_NUMBER + block.marks, content=packed(block.content))


def marks_in(marks: bytes) -> bytes | None:
    """Return the marks of a shared block; None if another version wrote it, whose records this one does not know."""
    return marks[1:] if marks[:1] == _NUMBER else None


def packed(content: bytes) -> bytes:
    """Return the content of a block as a seventh of its size; this takes a millisecond for a thousand records."""
    return zlib.compress(content, 1)


def unpacked(content: bytes) -> bytes:
    """Return the content that was packed. Raises zlib.error for other bytes."""
    return zlib.decompress(content)


def records_of(content: bytes) -> list[Record]:
    """Return the records of a block. Raises msgspec.DecodeError."""
    return list(map(Record._make, zip(*msgspec.msgpack.decode(content, type=list[list[int | str]]), strict=True)))
