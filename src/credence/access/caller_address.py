"""Where a request comes from: the peer, or what a trusted proxy says about it (D15, D26, A9, I8)."""

import re
from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from credence.generational_cache import GenerationalCache

_SHORT = 128
"""Characters of X-Forwarded-For that are worth remembering: what a caller makes up is not (A12)."""

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

_HOP = re.compile(
    r"(?P<v4>[0-9.]+)(?::[0-9]{1,5})?|\[(?P<boxed>[0-9A-Fa-f:.]+)\](?::[0-9]{1,5})?|(?P<v6>[0-9A-Fa-f:.]+)"
)


def caller_address(peer: str, forwarded: Sequence[str], trusted: Sequence[Network]) -> Address:
    """Return the peer's address, or behind trusted proxies the right-most hop that is not one of them.

    `forwarded` holds the values of all X-Forwarded-For fields in the order received. Each proxy appends the peer it
    saw, so the hops are walked from the right, and only as long as the one who wrote them is trusted. A hop that is
    no address ends the walk: the last address reached stands, which is the proxy that wrote it. A hop may carry a port
    and, for IPv6, brackets. `Forwarded` (RFC 7239) and every other header are ignored.
    Raises `ValueError` if `peer` is no address, which is the server's fault and not the caller's.
    """
    address = peer_address(peer)
    if not trusted or not forwarded:
        return address
    hops = [hop for line in forwarded for hop in line.split(",")]
    while hops and _within(address, trusted):
        hop = _hop(hops.pop().strip(" \t"))
        if hop is None:
            break
        address = hop
    return address


def is_trusted(peer: str, trusted: Sequence[Network]) -> bool:
    """Tell whether what this peer says of its callers is believed (D26, I8)."""
    return bool(trusted) and _within(peer_address(peer), trusted)


class CallerPrefixes:
    """Remembers the network of each caller: it is asked for at each request, and five microseconds' work."""

    def __init__(self, trusted: Sequence[Network]) -> None:
        self._trusted = trusted
        self._recent: GenerationalCache[tuple[str, str], str] = GenerationalCache(4_096)

    def of(self, peer: str, forwarded: str) -> str:
        """Return the network that counts as one caller; `forwarded` holds all X-Forwarded-For fields, joined by commas."""
        if not self._trusted:
            forwarded = ""  # it decides nothing, and would only make more to remember
        known = self._recent.get((peer, forwarded))
        if known is not None:
            return known
        prefix = address_prefix(caller_address(peer, (forwarded,) if forwarded else (), self._trusted))
        if len(forwarded) <= _SHORT:
            self._recent.put((peer, forwarded), prefix)
        return prefix


def address_prefix(address: Address) -> str:
    """Return the network that counts as one caller: /32 for IPv4, /64 for IPv6 (A4)."""
    if address.version == 4:
        return f"{address}/32"
    return str(IPv6Network((int(address) >> 64 << 64, 64)))


def unwrapped(address: Address) -> Address:
    """Return the IPv4 address inside an IPv4-mapped one (RFC 4291 §2.5.5.2); NAT64 and 6to4 stay as they are (A9)."""
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address


def _within(address: Address, networks: Sequence[Network]) -> bool:
    return any(address in network for network in networks)


@lru_cache(maxsize=4096)
def peer_address(text: str) -> Address:
    """Return the address of a peer as the server names it; ValueError for anything else."""
    return unwrapped(ip_address(text.partition("%")[0]))  # the zone of a link-local address is ours, not the caller's


def _hop(text: str) -> Address | None:
    form = _HOP.fullmatch(text)
    if form is None:
        return None
    try:
        # `ip_address` refuses octets with leading zeros, which some read as octal.
        return unwrapped(ip_address(form["v4"] or form["boxed"] or form["v6"]))
    except ValueError:
        return None
