"""Checks the size of a request: lengths only, before anything is decoded (D3, D16, threats P1, P13).

Header names are in lower case, as ASGI delivers them.
"""

from collections.abc import Sequence

from credence.refusals import THREAT, Refused
from credence.screening.limits import Limits

Headers = Sequence[tuple[bytes, bytes]]

_MAX_LENGTH_DIGITS = 10
"""A declared length with more digits is refused without converting it (threats P2)."""


def check_head(raw_path: bytes, query: bytes, headers: Headers, limits: Limits) -> int | None:
    """Return the declared length of the body, None without one; refuse a head or a length that is too large.

    Raises Refused with `url.size`, `header.count`, `header.field`, `header.block`, `body.length` (not a single number,
    RFC 9110 §8.6) or `body.size`.
    """
    if len(raw_path) + len(query) + (1 if query else 0) > limits.url:
        raise Refused(THREAT, "url.size")
    if len(headers) > limits.header_fields:
        raise Refused(THREAT, "header.count")
    block = 0
    declared = None
    for name, value in headers:
        field = len(name) + len(value)
        if field > limits.header_field:
            raise Refused(THREAT, "header.field")
        block += field
        if name == b"content-length":
            if declared is not None:
                raise Refused(THREAT, "body.length")
            declared = value
    if block > limits.header_block:
        raise Refused(THREAT, "header.block")
    return None if declared is None else _declared_length(declared, limits)


def check_body(length: int, limits: Limits) -> None:
    """Refuse a body of more octets than the limit: called for each piece received, with the length so far.

    Raises `Refused` with `body.size`.
    """
    if length > limits.body:
        raise Refused(THREAT, "body.size")


def _declared_length(value: bytes, limits: Limits) -> int:
    if not value.isdigit():
        raise Refused(THREAT, "body.length")
    if len(value) > _MAX_LENGTH_DIGITS or int(value) > limits.body:
        raise Refused(THREAT, "body.size")
    return int(value)
