"""Reads the head of a request: its size, then its header fields, path parameters and query, each once.

The size is checked before anything is decoded (D3, D16, threats P1, P13).
"""

from collections.abc import Iterable, Sequence
from urllib.parse import unquote_to_bytes

from credence.refusals import HOST_MALFORMED, THREAT, Refused
from credence.screening.limits import Limits

RawHeaders = Sequence[tuple[bytes, bytes]]
"""The header fields as ASGI delivers them: names in lower case."""

_MAX_LENGTH_DIGITS = 10
"""A declared length with more digits is refused without converting it (threats P2)."""

ALIASES = {
    "client-id": "client_id",
    "client-secret": "client_secret",
    "grant-type": "grant_type",
    "refresh-token": "refresh_token",
}
"""Spelling with hyphens -> spelling with underscores: some proxies drop header fields with underscores (D2)."""

LISTS = frozenset(
    {
        "accept",
        "accept-charset",
        "accept-encoding",
        "accept-language",
        "cache-control",
        "connection",
        "cookie",
        "dpop",
        "forwarded",
        "if-match",
        "if-none-match",
        "pragma",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "via",
        "x-forwarded-for",
        "x-forwarded-host",
        "x-forwarded-proto",
    }
)
"""Fields defined as lists (RFC 9110 §5.3, and what proxies append to); any other repeated field is refused.

Two DPoP fields become one value, which is not a valid proof (RFC 9449 §4.3 item 1).
"""


def check_head(raw_path: bytes, query: bytes, headers: RawHeaders, limits: Limits) -> int | None:
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


def _declared_length(value: bytes, limits: Limits) -> int:
    if not value.isdigit():
        raise Refused(THREAT, "body.length")
    if len(value) > _MAX_LENGTH_DIGITS or int(value) > limits.body:
        raise Refused(THREAT, "body.size")
    return int(value)


def read_headers(raw: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return the fields by name in lower case, aliases resolved (D2).

    Raises Refused for a repeated field that is not in `LISTS` (threats P9), and with 400 for a missing or repeated Host
    (RFC 9112 §3.2, threats P12). The pipeline checks the value of Host; no address or link is derived from it.
    """
    headers: dict[str, str] = {}
    for raw_name, raw_value in raw:
        name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1")
        name = ALIASES.get(name, name)
        if name in headers:
            if name not in LISTS:
                raise Refused(HOST_MALFORMED, "header.host") if name == "host" else Refused(THREAT, "header.repeated")
            value = f"{headers[name]}{'; ' if name == 'cookie' else ', '}{value}"  # RFC 9113 §8.2.3
        headers[name] = value
    if not headers.get("host"):
        raise Refused(HOST_MALFORMED, "header.host")
    return headers


def decode_percent(text: str) -> str:
    """Return percent-encoded text decoded once. Raises Refused if it is not UTF-8 or contains a NUL (threats P2, P12)."""
    if "%" not in text:
        return text
    try:
        decoded = unquote_to_bytes(text).decode()
    except UnicodeDecodeError:
        raise Refused(THREAT, "url.encoding") from None
    if "\0" in decoded:
        raise Refused(THREAT, "url.character")
    return decoded


def read_query(query: str) -> dict[str, str]:
    """Return the decoded parameters of a query. Raises Refused for a repeated name."""
    parameters: dict[str, str] = {}
    for pair in query.split("&"):
        if not pair:
            continue
        name, _, value = pair.partition("=")
        name, value = decode_percent(name.replace("+", " ")), decode_percent(value.replace("+", " "))
        if name in parameters:
            raise Refused(THREAT, "query.repeated")
        parameters[name] = value
    return parameters
