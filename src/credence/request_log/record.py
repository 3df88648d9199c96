"""One answered request in the log: verified values, and values the caller cannot choose (threats A11, I12).

The path is that of the route, so neither a query nor text that a caller wrote into a path is stored.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

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
