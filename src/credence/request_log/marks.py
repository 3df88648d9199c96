"""The marks of a block: four octets for each value that occurs in it, so that a search skips blocks without its values.

Two values may have the same mark; then a block is read without a match, but no wrong result is returned.
"""

from array import array
from collections.abc import Iterable
from zlib import crc32

from credence.request_log.record import Columns

CORRELATION, CLIENT, ACCOUNT, METHOD, PATH, STATUS, REASON, ADDRESS = 2, 3, 4, 5, 6, 7, 9, 10
"""The indexes of the columns whose values are marked."""


_MARKED = (CORRELATION, CLIENT, ACCOUNT, METHOD, PATH, ADDRESS)


def mark_of(column: int, value: str) -> bytes:
    """Return the mark of a value."""
    return array("I", _marks(column, (value,))).tobytes()


def marks_of(columns: Columns) -> bytes:
    """Return the marks of all values in a block, of classes of status such as `4xx`, and of reasons such as `token.*`."""
    found = array("I")
    for column in _MARKED:
        found.extend(_marks(column, set(columns[column])))
    statuses = {str(value) for value in set(columns[STATUS])}
    found.extend(_marks(STATUS, statuses | {f"{value[0]}xx" for value in statuses}))
    reasons = set(columns[REASON])
    found.extend(_marks(REASON, reasons | {family_of(value) for value in reasons if value}))
    return found.tobytes()


def family_of(reason: str) -> str:
    """Return the pattern of all reasons with the same first word, such as `token.*`."""
    return f"{reason.partition('.')[0]}.*"


def may_have(marks: bytes, wanted: Iterable[Iterable[bytes]]) -> bool:
    """Return whether at least one mark of each group occurs."""
    return all(any(mark in marks for mark in group) for group in wanted)


def _marks(column: int, values: Iterable[str]) -> list[int]:
    return [crc32(value.encode(), column) for value in values]
