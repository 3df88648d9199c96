"""GET /callerz: what kind of address the service takes its caller for, and its clock (A9, D26).

It is how `credence doctor` sees the chain of proxies from outside. It names no address: one who is not the operator
learns nothing of what stands between.
"""

from ipaddress import ip_network

import msgspec

from credence.access.caller_address import Address, peer_address
from credence.service import Service
from credence.web.checks.callers import address_of
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import NO_STORE
from credence.web.messages.request import Request

_DOCUMENTATION = tuple(
    ip_network(text) for text in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32")
)
"""Where no caller comes from (RFC 5737, RFC 3849): one who seems to has made it up."""


async def caller(service: Service, request: Request) -> Answer:
    """Return the kind of address, whether a forwarded one was believed, and the time in milliseconds."""
    seen = {
        "caller": _kind(address_of(service, request)),
        "forwarded": _forwarded(service, request),
        "time": request.now,
    }
    return Answer(200, JSON, msgspec.json.encode(seen), (NO_STORE,))


def _kind(address: Address) -> str:
    if address.is_loopback:
        return "loopback"
    if any(address in network for network in _DOCUMENTATION):
        return "documentation"
    return "public" if address.is_global else "private"


def _forwarded(service: Service, request: Request) -> str:
    if "x-forwarded-for" not in request.headers:
        return "none"
    peer = peer_address(request.peer)
    return "believed" if any(peer in network for network in service.settings.trusted_proxies) else "ignored"
