"""The address of the caller, and the host names of the deployment.

The address is the peer's, or the one that a trusted proxy forwards (D15, D26, threats A9, I8). A request for another host
name is misdirected (RFC 9110 §7.4, threats P12): a page of another site can have its name resolve to this machine and then
read what a loopback caller may read (DNS rebinding), but its requests name that site.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

_MAX_CACHED_CHARACTERS = 128
"""Longer values of X-Forwarded-For are not cached, because a caller can invent any number of them (threats A12)."""

_MAX_HOST_CHARACTERS = 262
"""A name of 253 characters, a root dot and a port. Longer fields are not cached, because a caller can invent any number."""

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

_HOP = re.compile(
    r"(?P<v4>[0-9.]+)(?::[0-9]{1,5})?|\[(?P<boxed>[0-9A-Fa-f:.]+)\](?::[0-9]{1,5})?|(?P<v6>[0-9A-Fa-f:.]+)"
)


def caller_address(peer: str, forwarded: Sequence[str], trusted: Sequence[Network]) -> Address:
    """Return the peer's address, or behind trusted proxies the right-most hop that is not one of them.

    `forwarded` contains the values of all X-Forwarded-For fields in the order received. Each proxy appends its own
    peer, so the hops are read from the right while the address before is a trusted proxy. At a hop that is not an
    address the last address is returned: the proxy that wrote the hop. A hop may have a port and, for IPv6, brackets.
    `Forwarded` (RFC 7239) and all other fields are ignored.
    Raises ValueError when `peer` is not an address, which is an error of the server and not of the caller.
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
    """Return whether the peer is a trusted proxy, whose fields about the caller are used (D26, threats I8)."""
    return bool(trusted) and _within(peer_address(peer), trusted)


class CallerPrefixes:
    """Returns the address prefix of each caller, with a cache: every request needs it, and it takes five microseconds."""

    def __init__(self, trusted: Sequence[Network]) -> None:
        self._trusted = trusted
        self._cached_prefix = lru_cache(maxsize=4_096)(self._prefix)

    def of(self, peer: str, forwarded: str) -> str:
        """Return the address prefix; `forwarded` contains all X-Forwarded-For fields, joined by commas."""
        if not self._trusted:
            forwarded = ""  # not used, and would only fill the cache
        prefix = self._cached_prefix if len(forwarded) <= _MAX_CACHED_CHARACTERS else self._prefix
        return prefix(peer, forwarded)

    def _prefix(self, peer: str, forwarded: str) -> str:
        return address_prefix(caller_address(peer, (forwarded,) if forwarded else (), self._trusted))


def address_prefix(address: Address) -> str:
    """Return the network that counts as one caller: /32 for IPv4, /64 for IPv6 (threats A4)."""
    if address.version == 4:
        return f"{address}/32"
    return str(IPv6Network((int(address) >> 64 << 64, 64)))


WIDER = (1, 2, 4)
"""How many times as much as an address prefix may do, may be done from each of the networks of `counted_networks`."""


@lru_cache(maxsize=4_096)
def counted_networks(prefix: str) -> tuple[str, ...]:
    """Return the networks that count as a caller together, from that of `address_prefix` on: /32, or /64, /56 and /48.

    A network provider gives one customer a /56 or a /48 (RFC 6177 §2), which is up to 65,536 networks of /64.
    """
    if ":" not in prefix:
        return (prefix,)
    network = IPv6Network(prefix)
    return (prefix, str(network.supernet(new_prefix=56)), str(network.supernet(new_prefix=48)))


def unwrapped(address: Address) -> Address:
    """Return the IPv4 address of an IPv4-mapped one (RFC 4291 §2.5.5.2); NAT64 and 6to4 are not changed (threats A9)."""
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address


def _within(address: Address, networks: Sequence[Network]) -> bool:
    return any(address in network for network in networks)


@lru_cache(maxsize=4096)
def peer_address(text: str) -> Address:
    """Return the address of a peer from the HTTP server; ValueError for any other text."""
    return unwrapped(
        ip_address(text.partition("%")[0])
    )  # the zone of a link-local address names an interface of this machine


@lru_cache(maxsize=4096)
def written_peer_address(text: str) -> str:
    """Return the address of a peer in the form of the audit trail; ValueError for any other text."""
    return str(peer_address(text))


def _hop(text: str) -> Address | None:
    form = _HOP.fullmatch(text)
    if form is None:
        return None
    try:
        # `ip_address` refuses octets with leading zeros, which some parsers read as octal.
        return unwrapped(ip_address(form["v4"] or form["boxed"] or form["v6"]))
    except ValueError:
        return None


_HOST = re.compile(r"(?:\[(?P<boxed>[^][]+)\]|(?P<name>[^][:]+))(?::[0-9]*)?").fullmatch


class KnownHosts:
    """The host names and addresses of a deployment, including those of the loopback interface."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(name.lower() for name in names)
        self._cached = lru_cache(maxsize=256)(self._is_known)

    def know(self, host: str) -> bool:
        """Return whether the value of a Host field, with or without a port, is one of them."""
        return len(host) <= _MAX_HOST_CHARACTERS and self._cached(host)

    def _is_known(self, host: str) -> bool:
        name = host_name(host)
        return name in self._names or _is_loopback(name)


def host_name(host: str) -> str:
    """Return the name or address in a Host field in lower case, without port, brackets and root dot.

    Returns "" for another form (RFC 9110 §7.2).
    """
    form = _HOST(host)
    return (form["boxed"] or form["name"].removesuffix(".")).lower() if form else ""


def _is_loopback(name: str) -> bool:
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")  # RFC 6761 §6.3
