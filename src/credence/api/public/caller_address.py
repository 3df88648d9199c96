"""GET /callerz: the kind of the caller's address, and the service's clock (threats A9, D26).

`credence doctor` uses it to check the chain of proxies from outside. The response contains no address, so it discloses
nothing about the proxies.
"""

from ipaddress import ip_network
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from credence.access.caller_address import Address, peer_address
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import NO_STORE

_DOCUMENTATION = tuple(
    ip_network(text) for text in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32")
)
"""Address blocks for documentation (RFC 5737, RFC 3849): no caller has such an address, so it is forged."""


class SeenCaller(Struct):
    """The kind of the caller's address."""

    caller: Annotated[
        Literal["public", "private", "loopback", "documentation"],
        Meta(description="The kind of address. No one calls from one for documentation: it was made up."),
    ]
    forwarded: Annotated[
        Literal["believed", "ignored", "none"],
        Meta(description="Whether X-Forwarded-For came, and from a trusted proxy."),
    ]
    time: Annotated[int, Meta(description="The service's clock, in milliseconds since 1970 (UTC).")]


async def caller(service: Service, request: RequestContext) -> Annotated[Answer, SeenCaller]:
    """Kind of the caller's address.

    The kind of address to which access rules apply, for `credence doctor`. The response contains no address.
    """
    address = request.caller(service.settings.trusted_proxies)
    document = {
        "caller": _kind(address),
        "forwarded": _forwarded(service, request),
        "time": request.now,
    }
    return Answer(200, JSON, msgspec.json.encode(document), (NO_STORE,))


def _kind(address: Address) -> str:
    if address.is_loopback:
        return "loopback"
    if any(address in network for network in _DOCUMENTATION):
        return "documentation"
    return "public" if address.is_global else "private"


def _forwarded(service: Service, request: RequestContext) -> str:
    if "x-forwarded-for" not in request.headers:
        return "none"
    peer = peer_address(request.peer)
    return "believed" if any(peer in network for network in service.settings.trusted_proxies) else "ignored"
