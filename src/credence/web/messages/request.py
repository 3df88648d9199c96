"""A request as the pipeline hands it on: read once, frozen, nothing decoded twice."""

from collections.abc import Iterable, Mapping
from urllib.parse import unquote_to_bytes

import msgspec

from credence.clock import Milliseconds
from credence.identity.hashing_queue import Disconnected, never_disconnects
from credence.ratelimit.limiter import NO_USAGE, Usage
from credence.refusals import THREAT, Refused

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
"""Fields defined as lists (RFC 9110 §5.3, and what proxies append to); any other field that comes twice is an attack.

Two of DPoP are none, for a list of proofs is no proof (RFC 9449 §4.3 item 1).
"""


class Trace:
    """What turns out about a request on its way, for the audit trail: who is calling, and what was done."""

    __slots__ = ("account", "application", "asked_for", "deed", "nonce", "usage")

    def __init__(self) -> None:
        self.application: str | None = None
        """The client_id of an application that exists."""
        self.account: str | None = None
        """The login name of an account that exists."""
        self.asked_for: str | None = None
        """The login name as the caller gave it: never to be written down as it stands."""
        self.deed: str | None = None
        """What was done that is worth a line although nothing was refused."""
        self.usage: Usage = NO_USAGE
        """What the request counted against: the response's RateLimit fields (D16)."""
        self.nonce: str | None = None
        """What the caller's next proof of possession must hold, where it does not know yet (RFC 9449 §8.2)."""


class Request(msgspec.Struct, frozen=True):
    """One request. Header names are in lower case, `segment` and `parameters` are percent-decoded, not yet screened."""

    headers: Mapping[str, str]
    body: bytes
    peer: str
    now: Milliseconds
    segment: str = ""
    """What stands in the place of the route's path parameter."""
    parameters: Mapping[str, str] = {}
    """Of the query."""
    trace: Trace = msgspec.field(default_factory=Trace)
    method: str = "GET"
    path: str = ""
    """As it came, percent-encoded."""
    gone: Disconnected = never_disconnects
    """Returns when the caller has hung up. To be asked only after the whole body has been read."""

    @property
    def forwarded(self) -> str:
        """All X-Forwarded-For fields, joined by commas; empty when there is none."""
        return self.headers.get("x-forwarded-for", "")


def read_headers(raw: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return the fields by name, aliases resolved; Refused when one comes twice that may not (D2, threats P9).

    Also when there is no Host (RFC 9112 §3.2, threats P12). Which one it is does not matter: nothing is made from it.
    """
    headers: dict[str, str] = {}
    for raw_name, raw_value in raw:
        name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1")
        name = ALIASES.get(name, name)
        if name in headers:
            if name not in LISTS:
                raise Refused(THREAT, "header.repeated")
            value = f"{headers[name]}, {value}"
        headers[name] = value
    if not headers.get("host"):
        raise Refused(THREAT, "header.host")
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
