"""One answered request in the log, and the marks by which a search skips blocks without its values (threats A11, I12).

Values are verified, or of a kind that the caller cannot choose: the path is that of the route, so neither a query nor text
that a caller wrote into a path is stored. A mark is four octets for each value that occurs in a block. Two values may have
the same mark; then a block is read without a match, but no wrong result is returned.
"""

from array import array
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple
from zlib import crc32

from credence.clock import Milliseconds

Columns = Sequence[Sequence[Any]]
"""The values of several records: one sequence for each field of `Record`."""

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"})
"""The methods that log and audit trail name (RFC 9110 §9.3, RFC 5789).

Any other word was chosen by the caller and is left out.
"""


class Record(NamedTuple):
    """The fields are the stored columns, in order. Unknown text is empty."""

    at: Milliseconds
    """When the request arrived."""
    request_id: str
    correlation_id: str
    client_id: str
    """The client_id of an existing application."""
    account: str
    """The login name of an existing account."""
    method: str
    path: str
    """The path of the route, such as `/manage/v1/applications/{client_id}`."""
    status: int
    microseconds: int
    """The duration until the answer, in microseconds."""
    reason: str
    """The reason code of a refusal."""
    address: str
    """The address of the caller."""
    peer: str
    """The address of the proxy that forwarded the request; empty without one."""


def serial_of(request_id: str) -> tuple[str, int]:
    """Return the process and the serial number of a request id (D9); ("", -1) for text of another form."""
    process, _, number = request_id.rpartition("-")
    return (process, int(number)) if number.isascii() and number.isdigit() and len(number) < 19 else ("", -1)


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
