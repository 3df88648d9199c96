"""One request, from its first byte to its answer: what the web layer and the OAuth endpoints share.

The pipeline (`web/pipeline.py`) creates it and fills in what it decodes. Endpoints read it and return their result; while a
client or a token is authenticated, its owner and the rate limits are added for the audit trail and the answer's header.
"""

from collections.abc import Mapping, Sequence
from enum import Enum

import msgspec

from credence.access.caller_address import Address, Network, caller_address
from credence.clock import Milliseconds
from credence.identity.hashing_queue import Disconnected, never_disconnects
from credence.ratelimit.limiter import NO_USAGE, Usage, require_admitted


class ResponseFormat(Enum):
    """The format of an answer (D1, D8); JSON resources have problem details."""

    HOUSE_JSON = "house JSON"
    HOUSE_XML = "house XML"
    STANDARD = "RFC 6749"
    PROBLEM = "RFC 9457"


class RequestContext(msgspec.Struct, eq=False):
    """One request. The first seven fields are as received and never change."""

    request_id: str
    method: str
    path: str
    """The percent-encoded path, without the query."""
    query: bytes
    raw_headers: Sequence[tuple[bytes, bytes]]
    peer: str
    """The IP address of the connection."""
    disconnected: Disconnected = never_disconnects
    """Returns when the caller has disconnected. Await it only after the whole body has been read."""

    now: Milliseconds = 0
    """The time of the request, which all its checks use."""
    headers: Mapping[str, str] = {}
    """Header fields by name in lower case; empty until they have been read."""
    body: bytes = b""
    segments: tuple[str, ...] = ()
    """The values of the route's path parameters in their order, percent-decoded and not yet screened."""
    parameters: Mapping[str, str] = {}
    """Query parameters, percent-decoded and not yet screened."""
    correlation_id: str | None = None
    trace_id: str | None = None
    """The id of the trace that the request belongs to; None without traces."""
    route_path: str | None = None
    """The path of the route in the table of routes; None until a route is found."""
    address_prefix: str = ""
    """The network that counts as one caller (threats A4)."""
    response_format: ResponseFormat | None = None
    """None until the dialect of the request is known."""

    client_id: str | None = None
    """The client_id of the request's application, if it exists."""
    proven: bool = False
    """Whether the request was authenticated, by an application's credentials or by a token."""
    username: str | None = None
    """The login name of the request's account, if it exists."""
    claimed_username: str | None = None
    """The login name that the caller sent. Never logged in clear (threats A11)."""
    reason: str | None = None
    """The reason code of the request's refusal."""
    usage: Usage = NO_USAGE
    """The use of the request's rate limits, for the RateLimit fields of the answer (D16)."""
    required_scope: str = ""
    """The scopes that the token of the request must have, separated by spaces."""
    required_sign_in: tuple[str, int | None] = ("", None)
    """The accepted `acr` values, separated by spaces, and the maximum age of the sign-in in seconds; None for any."""
    dpop_nonce: str | None = None
    """The nonce for the client's next proof, when the client does not have it yet (RFC 9449 §8.2)."""

    @property
    def ids(self) -> Mapping[str, str]:
        """The fields by which a log line identifies this request."""
        return {"request_id": self.request_id} | ({"trace_id": self.trace_id} if self.trace_id else {})

    @property
    def segment(self) -> str:
        """The value of the only path parameter; empty without one."""
        return self.segments[0] if self.segments else ""

    @property
    def forwarded(self) -> str:
        """All X-Forwarded-For fields, joined by commas; empty without one."""
        return self.headers.get("x-forwarded-for", "")

    def caller(self, trusted_proxies: Sequence[Network]) -> Address:
        """Return the address of the caller (D15, D26)."""
        return caller_address(self.peer, (self.forwarded,) if self.forwarded else (), trusted_proxies)

    def enforce(self, usage: Usage) -> None:
        """Add the usage to that of the request, then raise Refused (spike arrest) if a limit had no room (D16)."""
        if usage is NO_USAGE:
            return
        self.usage = self.usage.and_then(usage)
        require_admitted(usage)
