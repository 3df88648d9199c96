"""May this address call at this hour? Rules of applications and of accounts (spec §5.10, D15, A9, A10)."""

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, ip_network
from zoneinfo import ZoneInfo

from credence.access.caller_address import Address, Network, unwrapped
from credence.clock import Milliseconds

DAY = 24 * 60
"""Minutes."""


@dataclass(frozen=True, slots=True)
class Window:
    """From `start` until before `end`, in minutes of the local day (0 to 1,440), on each of `weekdays` (Monday is 0).

    A window whose end comes before its start runs past midnight and belongs to the day on which it starts. Equal
    bounds mean the whole local day, from midnight to midnight.
    """

    weekdays: tuple[int, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class AccessRules:
    """What is allowed. No networks: every address. No windows: every hour. Plain values, so that any store can keep it.

    `networks` are CIDR ranges as text, `time_zone` is a name of the IANA database.
    """

    networks: tuple[str, ...] = ()
    windows: tuple[Window, ...] = ()
    time_zone: str = "UTC"


def decide(rules: AccessRules, address: Address, now: Milliseconds) -> str | None:
    """Return None if the call is allowed, else `access.network` or `access.hours`; the network is asked first.

    Raises `ValueError` for a network or `ZoneInfoNotFoundError` for a zone that this machine cannot read, so a rule
    that cannot be applied never allows.
    """
    if rules.networks and not _in_networks(unwrapped(address), rules.networks):
        return "access.network"
    if rules.windows and not _in_hours(rules, now):
        return "access.hours"
    return None


def read_network(text: str) -> Network:
    """Return the network of one CIDR range or single address, an IPv4-mapped one as the IPv4 network it means.

    Raises `ValueError` if it is neither or has host bits set.
    """
    network = ip_network(text)
    if isinstance(network.network_address, IPv6Address):
        mapped = network.network_address.ipv4_mapped
        if mapped is not None and network.prefixlen >= 96:
            return IPv4Network((mapped, network.prefixlen - 96))
    return network


def local_time(rules: AccessRules, now: Milliseconds) -> datetime:
    """Return the moment in the zone of the rules.

    UTC becomes local time and never the reverse: an hour that is missing or comes twice needs no thought (A10).
    """
    return datetime.fromtimestamp(now // 1000, _zone(rules.time_zone))


def _in_networks(address: Address, networks: tuple[str, ...]) -> bool:
    return any(address in _network(text) for text in networks)


def _in_hours(rules: AccessRules, now: Milliseconds) -> bool:
    local = local_time(rules, now)
    weekday, minute = local.weekday(), local.hour * 60 + local.minute
    return any(_is_open(window, weekday, minute) for window in rules.windows)


def _is_open(window: Window, weekday: int, minute: int) -> bool:
    today = weekday in window.weekdays
    if window.start == window.end:
        return today
    if window.start < window.end:
        return today and window.start <= minute < window.end
    yesterday = (weekday - 1) % 7 in window.weekdays
    return (today and minute >= window.start) or (yesterday and minute < window.end)


_network = lru_cache(maxsize=4096)(read_network)
_zone = lru_cache(maxsize=64)(ZoneInfo)
