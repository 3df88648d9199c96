"""The host names under which the service is reached; a request for another is misdirected (RFC 9110 §7.4, threats P12).

A page of another site can have its name resolve to this machine and then read what a loopback caller may read (DNS
rebinding). Its requests name that site.
"""

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import ip_address

_MAX_CHARACTERS = 262
"""A name of 253 characters, a root dot and a port. Longer fields are not cached, because a caller can invent any number."""


class KnownHosts:
    """The names that a deployment answers to; every name and address of the loopback interface is among them."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(name.lower() for name in names)
        self._cached = lru_cache(maxsize=256)(self._is_known)

    def know(self, host: str) -> bool:
        """Return whether the value of a Host field, a port included, is one of them."""
        return len(host) <= _MAX_CHARACTERS and self._cached(host)

    def _is_known(self, host: str) -> bool:
        name = host_name(host)
        return name in self._names or _is_loopback(name)


def host_name(host: str) -> str:
    """Return the name or address of a Host field in lower case, without its port, brackets and root dot."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower().removesuffix(".")


def _is_loopback(name: str) -> bool:
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")  # RFC 6761 §6.3
