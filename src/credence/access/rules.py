"""The access rules of applications and accounts: networks and hours (spec §5.10, D15, threats A9, A10)."""

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, ip_network
from zoneinfo import ZoneInfo

from credence.access.caller_address import Address, Network, unwrapped
from credence.clock import Milliseconds

MINUTES_PER_DAY = 24 * 60


@dataclass(frozen=True, slots=True)
class Window:
    """From `start` until before `end`, in minutes of the local day (0 to 1,440), on each of `weekdays` (Monday is 0).

    A window that ends before it starts runs past midnight and belongs to the day on which it starts. Equal bounds mean
    the whole local day, from midnight to midnight.
    """

    weekdays: tuple[int, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class AccessRules:
    """The access rules, as plain values that any store can save. No networks: every address. No windows: every hour.

    `networks` are CIDR ranges as text; `time_zone` is a name of the IANA database.
    """

    networks: tuple[str, ...] = ()
    windows: tuple[Window, ...] = ()
    time_zone: str = "UTC"
    weakest_class: str = ""
    """The weakest class of authentication (`acr`) that a person's token may have at the API; empty for any (RFC 9470)."""
    max_age: int | None = None
    """The maximum number of seconds since the person signed in, at the API; None for any."""


def decide(rules: AccessRules, address: Address, now: Milliseconds) -> str | None:
    """Return None if the call is allowed, else `access.network` or `access.hours`; the network is checked first.

    Raises ValueError for a network and ZoneInfoNotFoundError for a zone that this machine cannot read: a rule that
    cannot be applied never allows a call.
    """
    if rules.networks and not _in_networks(unwrapped(address), rules.networks):
        return "access.network"
    if rules.windows and not is_open(rules, now):
        return "access.hours"
    return None


def read_network(text: str) -> Network:
    """Return the network of a CIDR range or single address; an IPv4-mapped one becomes its IPv4 network.

    Raises ValueError for any other text, and when host bits are set.
    """
    network = ip_network(text)
    if isinstance(network.network_address, IPv6Address):
        mapped = network.network_address.ipv4_mapped
        if mapped is not None and network.prefixlen >= 96:
            return IPv4Network((mapped, network.prefixlen - 96))
    return network


def local_time(rules: AccessRules, now: Milliseconds) -> datetime:
    """Return the instant in the time zone of the rules.

    Only UTC is converted to local time, never the reverse, so an hour that a clock change skips or repeats needs no
    special case (threats A10).
    """
    return datetime.fromtimestamp(now // 1000, _zone(rules.time_zone))


def _in_networks(address: Address, networks: tuple[str, ...]) -> bool:
    return any(address in _network(text) for text in networks)


def is_open(rules: AccessRules, now: Milliseconds) -> bool:
    """Return whether one of the windows is open; raises ZoneInfoNotFoundError as `decide` does."""
    local = local_time(rules, now)
    weekday, minute = local.weekday(), local.hour * 60 + local.minute
    return any(_covers(window, weekday, minute) for window in rules.windows)


def _covers(window: Window, weekday: int, minute: int) -> bool:
    today = weekday in window.weekdays
    if window.start == window.end:
        return today
    if window.start < window.end:
        return today and window.start <= minute < window.end
    yesterday = (weekday - 1) % 7 in window.weekdays
    return (today and minute >= window.start) or (yesterday and minute < window.end)


_network = lru_cache(maxsize=4096)(read_network)
_zone = lru_cache(maxsize=64)(ZoneInfo)
