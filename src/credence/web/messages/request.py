"""Reads the header fields, the path parameter and the query of a request, each once."""

from collections.abc import Iterable
from urllib.parse import unquote_to_bytes

from credence.refusals import HOST_MALFORMED, THREAT, Refused

ALIASES = {
    "client-id": "client_id",
    "client-secret": "client_secret",
    "grant-type": "grant_type",
    "refresh-token": "refresh_token",
}
"""Proxies drop names with underscores, so each has a spelling that passes (D2)."""

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


def read_headers(raw: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return the fields by name in lower case, aliases resolved (D2).

    Raises Refused for a repeated field that is not in `LISTS` (threats P9), and with 400 for no Host or two (RFC 9112
    §3.2, threats P12).
    The value of Host is checked by the pipeline; no address or link is derived from it.
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
    """Return percent-encoded text decoded once; Refused when it is not UTF-8 or holds a NUL (threats P2, P12)."""
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
    """Return the decoded parameters of a query; Refused when one comes twice."""
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
