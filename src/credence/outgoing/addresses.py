"""Decides which addresses the outgoing client may connect to: public ones, and the operator's networks (threats E3).

Names are resolved with the machine's resolver, in threads that nothing else uses (threats A5, E3): a name server that does
not answer holds a thread for up to half a minute, also after the call was given up, and a client chooses the name server
with the host.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

_SPECIAL_IPV4 = tuple(
    IPv4Network(each)
    for each in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/3",
    )
)
"""IANA's registry of special addresses (RFC 6890), multicast and the reserved class E."""

_GLOBAL_IPV6 = IPv6Network("2000::/3")
"""The only part of IPv6 for global unicast (RFC 4291 §2.4).

Loopback, mapped, unique local, link-local and multicast addresses are outside.
"""

_SPECIAL_IPV6 = tuple(IPv6Network(each) for each in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"))
"""Special networks in that part: protocol assignments with Teredo, documentation, 6to4."""

_NAT64 = IPv6Network("64:ff9b::/96")
"""The well-known prefix (RFC 6052 §2.1): the last 32 bits are the IPv4 address that is reached."""


def is_public(address: Address) -> bool:
    """Return whether the address is a host on the public Internet."""
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _SPECIAL_IPV4)
    if address.scope_id is not None:
        return False
    if address in _NAT64:
        return is_public(IPv4Address(int(address) & 0xFFFFFFFF))
    return address in _GLOBAL_IPV6 and not any(address in network for network in _SPECIAL_IPV6)


def may_connect(address: Address, networks: Iterable[Network]) -> bool:
    """Return whether the client may connect to the address: it is public, or in one of the operator's networks."""
    return is_public(address) or any(address in network for network in networks)


def literal(host: str) -> Address | None:
    """Return the address that the host of a URL is, in its one canonical spelling; None for a name."""
    bare = host[1:-1] if host.startswith("[") else host
    try:
        return ip_address(bare)
    except ValueError:
        return None


Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Returns every address of a name, as text; OSError if it has none."""

THREADS = 8


def system_resolver() -> Resolve:
    """Return a resolver with at most `THREADS` threads, which begin when they are needed."""
    threads = ThreadPoolExecutor(THREADS, thread_name_prefix="resolver")

    async def resolve(host: str, port: int) -> Sequence[str]:
        asked = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
        found = await asyncio.get_running_loop().run_in_executor(threads, asked)
        return list(dict.fromkeys(str(address[0]) for *_, address in found))

    return resolve
