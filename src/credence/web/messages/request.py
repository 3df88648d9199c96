"""Reads the head of a request: its size, then its header fields, media types, path parameters and query, each once.

The size is checked before anything is decoded (D3, D16, threats P1, P13). The media type of the body is that of
Content-Type, the one of the response follows from Accept (D1, D8).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from urllib.parse import unquote_to_bytes

from credence.refusals.refusal import Refused
from credence.refusals.requests import HOST_MALFORMED, NOT_FOUND, THREAT
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


def check_head(raw_path: bytes | str, query: bytes, headers: RawHeaders, limits: Limits) -> int | None:
    """Return the declared length of the body, None without one; refuse a head or a length that is too large.

    `raw_path` has one character for each octet. Raises Refused with `url.size`, `header.count`, `header.field`,
    `header.block`, `body.length` (not a single number, RFC 9110 §8.6) or `body.size`.
    """
    if len(raw_path) + len(query) + (1 if query else 0) > limits.url:
        raise Refused(THREAT, "url.size")
    if len(headers) > limits.header_fields:
        raise Refused(THREAT, "header.count")
    block = longest = 0
    declared = []
    for name, value in headers:
        size = len(name) + len(value)
        block += size
        if size > longest:
            longest = size
        if name == b"content-length":
            declared.append(value)
    if longest > limits.header_field:
        raise Refused(THREAT, "header.field")
    if block > limits.header_block:
        raise Refused(THREAT, "header.block")
    if len(declared) > 1:
        raise Refused(THREAT, "body.length")
    return _declared_length(declared[0], limits) if declared else None


def _declared_length(value: bytes, limits: Limits) -> int:
    if not value.isdigit():
        raise Refused(THREAT, "body.length")
    if len(value) > _MAX_LENGTH_DIGITS or (length := int(value)) > limits.body:
        raise Refused(THREAT, "body.size")
    return length


def check_transfer_coding(headers: Mapping[str, str]) -> None:
    """Refuse a body of any other transfer coding than one `chunked` (RFC 9112 §6.1, threats P11).

    The HTTP server takes several and decodes the last alone; a proxy before it may have read another body.
    """
    if "transfer-encoding" in headers and headers["transfer-encoding"].lower() != "chunked":
        raise Refused(THREAT, "body.coding")


_NAMES = {
    name.encode(): ALIASES.get(name, name)
    for name in (
        *(LISTS | ALIASES.keys() | set(ALIASES.values())),
        *(
            "authorization",
            "content-length",
            "content-type",
            "host",
            "origin",
            "token",
            "user-agent",
            "x-correlation-id",
        ),
    )
}
"""The names of most fields, in each spelling, which therefore need no decoding."""


def read_headers(raw: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return the fields by name in lower case, aliases resolved (D2).

    Raises Refused for a repeated field that is not in `LISTS` (threats P9), and with 400 for a missing or repeated Host
    (RFC 9112 §3.2, threats P12). The pipeline checks the value of Host; no address or link is derived from it.
    """
    headers: dict[str, str] = {}
    for raw_name, raw_value in raw:
        name, value = _NAMES.get(raw_name) or _name(raw_name), raw_value.decode("latin-1")
        if name in headers:
            if name not in LISTS:
                raise Refused(HOST_MALFORMED, "header.host") if name == "host" else Refused(THREAT, "header.repeated")
            value = f"{headers[name]}{'; ' if name == 'cookie' else ', '}{value}"  # RFC 9113 §8.2.3
        headers[name] = value
    if not headers.get("host"):
        raise Refused(HOST_MALFORMED, "header.host")
    return headers


def _name(raw: bytes) -> str:
    name = raw.decode("latin-1")
    return ALIASES.get(name, name)


_CORRELATION_ID = re.compile(r"[A-Za-z0-9._:\-]{1,128}").fullmatch


def correlation_id(headers: Mapping[str, str]) -> str | None:
    """Return the correlation id that the caller has sent; None without one, and for any other text (D9)."""
    sent = headers.get("x-correlation-id")
    return sent if sent and _CORRELATION_ID(sent) else None


class MediaType(Enum):
    """The media types of bodies on the token endpoints."""

    JSON = "application/json"
    XML = "application/xml"
    FORM = "application/x-www-form-urlencoded"


_BODY_TYPES = {
    "application/json": MediaType.JSON,
    "application/xml": MediaType.XML,
    "text/xml": MediaType.XML,
    "application/x-www-form-urlencoded": MediaType.FORM,
}


def body_media_type(headers: Mapping[str, str]) -> MediaType | None:
    """Return the media type that Content-Type names; None for any other type or a charset other than UTF-8 (threats P7)."""
    content_type = headers.get("content-type", "")
    named = _BODY_TYPES.get(content_type)  # the spelling of most clients
    if named is not None:
        return named
    form, utf_8 = _content_type(content_type)
    return form if utf_8 else None


def media_type_in_other_charset(headers: Mapping[str, str]) -> MediaType | None:
    """Return the media type if Content-Type names it with a charset other than UTF-8, otherwise None."""
    form, utf_8 = _content_type(headers.get("content-type", ""))
    return None if utf_8 else form


def _content_type(content_type: str) -> tuple[MediaType | None, bool]:
    """Return the media type of Content-Type, and whether its charset is UTF-8 or missing."""
    essence, _, parameters = content_type.partition(";")
    form = _BODY_TYPES.get(essence.strip().lower())
    for parameter in parameters.split(";"):
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset" and value.strip().strip('"').lower() not in {"utf-8", "utf8"}:
            return form, False
    return form, True


def answer_media_type(headers: Mapping[str, str]) -> MediaType:
    """Return JSON or XML: the preferred type of Accept, else that of the request, else JSON (D8)."""
    requested = MediaType.XML if body_media_type(headers) is MediaType.XML else MediaType.JSON
    accept = headers.get("accept")
    if accept is None or accept == "*/*":
        return requested
    json, xml = _preference(accept, MediaType.JSON.value), _preference(accept, MediaType.XML.value)
    if json == xml:
        return requested if json > _UNACCEPTABLE else MediaType.JSON
    return MediaType.JSON if json > xml else MediaType.XML


def preferred(accept: str, offered: Sequence[str]) -> str:
    """Return the offered media type that Accept prefers: the first among equals, and the first if Accept excludes all."""
    return max(offered, key=lambda media_type: _preference(accept, media_type))


def named_types(accept: str) -> frozenset[str]:
    """Return the media ranges that Accept names, in lower case and without parameters."""
    return frozenset(name for entry in accept.split(",") if (name := entry.partition(";")[0].strip().lower()))


_UNACCEPTABLE = (0.0, 0)


def _preference(accept: str, media_type: str) -> tuple[float, int]:
    """Return the quality of a media type in Accept and the specificity of the matching range (RFC 9110 §12.5.1)."""
    names = {media_type: 3, f"{media_type.partition('/')[0]}/*": 2, "*/*": 1}
    if media_type == MediaType.XML.value:
        names |= {"text/xml": 3, "text/*": 2}
    quality, specificity = 0.0, 0
    for entry in accept.split(","):
        name, *parameters = (part.strip().lower() for part in entry.split(";"))
        if names.get(name, 0) > specificity:
            quality, specificity = _quality(parameters), names[name]
    return (quality, specificity) if quality > 0 else _UNACCEPTABLE


def _quality(parameters: list[str]) -> float:
    for parameter in parameters:
        if parameter.startswith("q="):
            try:
                return min(1.0, max(0.0, float(parameter[2:])))
            except ValueError:
                return 0.0
    return 1.0


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


def path_parameters(segments: Iterable[str], *, public: bool) -> tuple[str, ...]:
    """Return the decoded segments of a path.

    Raises Refused for one that is not UTF-8 or contains a NUL: as a threat, but with 404 among public documents, of which
    none has such a name and no check comes before them (D22).
    """
    try:
        return tuple(map(decode_percent, segments))
    except Refused:
        if public:
            raise Refused(NOT_FOUND, "path.unknown") from None
        raise


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
