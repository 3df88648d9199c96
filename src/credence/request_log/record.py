"""One answered request as the log keeps it: verified values, and values the caller cannot choose (threats A11, I12).

The path is that of the route, so neither a query nor what a caller wrote into a path is kept.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from credence.clock import Milliseconds

Columns = Sequence[Sequence[Any]]
"""The values of several records, a sequence for each field of `Record`."""

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"})
"""Methods that log and audit trail name (RFC 9110 §9.3, RFC 5789). Any other word is the caller's own and is left out."""


class Record(NamedTuple):
    """The fields are those of the stored columns, in their order. Text that is not known is empty."""

    at: Milliseconds
    """When the request came."""
    request_id: str
    correlation_id: str
    client_id: str
    """Of an application that exists."""
    account: str
    """Of an account that exists."""
    method: str
    path: str
    """Of the route, such as `/manage/v1/applications/{client_id}`."""
    status: int
    microseconds: int
    """How long the answer took."""
    reason: str
    """The reason code of a refusal."""
    address: str
    """Of the caller."""
    peer: str
    """Of the proxy that forwarded the request; empty without one."""


def serial_of(request_id: str) -> tuple[str, int]:
    """Return the process and the serial number of a request id (D9); ("", -1) for text of another form."""
    process, _, number = request_id.rpartition("-")
    return (process, int(number)) if number.isascii() and number.isdigit() and len(number) < 19 else ("", -1)
