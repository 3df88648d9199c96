"""Parses the URLs that may be called: one strict form of https URL (threats E3).

A URL is parsed once, here. The host, the port and the path of the call come from this result, so no two parsers can
disagree about them.
"""

import re
from collections.abc import Container
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address

from credence.outgoing.addresses import Network, literal, may_connect

MAX_URL_CHARACTERS = 2_000

HTTPS_PORT = 443

_URL = re.compile(
    r"https://(?P<host>[a-z0-9.\-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::(?P<port>[1-9][0-9]{0,4}))?"
    r"(?P<path>/[A-Za-z0-9._~!$&'()*+,;=:@/%\-]*)?(?P<query>\?[A-Za-z0-9._~!$&'()*+,;=:@/?%\-]*)?",
    re.IGNORECASE | re.ASCII,  # without ASCII the letters s, k and i match others: \u017f, \u212a, \u0131
).fullmatch
"""No user information, no fragment, no empty port; names in ASCII (RFC 3986, RFC 5890)."""

_LABEL = re.compile(r"[a-z0-9]([a-z0-9\-]{0,61}[a-z0-9])?").fullmatch

_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*").fullmatch
"""Matches a last label that makes a resolver read the host as an IPv4 address in decimal, octal or hexadecimal notation."""


class CallRefused(Exception):
    """The client refuses to make this call. The message is a reason code."""


@dataclass(frozen=True, slots=True)
class OutgoingRules:
    """The operator's rules for outgoing calls."""

    networks: tuple[Network, ...] = ()
    """Networks that may be called although they are not public."""
    hosts: tuple[str, ...] = ()
    """The only hosts that may be called; a name with a leading dot means all names below it. Empty for all."""
    ports: Container[int] = (HTTPS_PORT,)
    proxy: str = ""
    """`http://host:port` of the egress proxy. It resolves the names, and must itself refuse private addresses."""


@dataclass(frozen=True, slots=True)
class Target:
    """The parsed URL of a call."""

    host: str
    """The host in lower case; an IPv6 address in brackets."""
    port: int
    path: str
    """Path and query, in the form in which they are sent."""

    @property
    def address(self) -> IPv4Address | IPv6Address | None:
        """The address, if the URL has one instead of a name; None otherwise."""
        return literal(self.host)

    @property
    def authority(self) -> str:
        """The Host field of the request (RFC 9110 §7.2)."""
        return self.host if self.port == HTTPS_PORT else f"{self.host}:{self.port}"


def read_target(url: str, rules: OutgoingRules) -> Target:
    """Return the parsed URL; raises CallRefused for another form, and for a URL that the rules do not allow.

    An address in place of a name is checked here too; a name is checked when it is resolved, at each call.
    """
    match = _URL(url) if len(url) <= MAX_URL_CHARACTERS else None
    host = match["host"].lower() if match else ""
    port = int(match["port"] or HTTPS_PORT) if match else 0
    if match is None or port > 65_535 or not _is_host(host):
        raise CallRefused("bad_url")
    if port not in rules.ports:
        raise CallRefused("port_not_allowed")
    if rules.hosts and not any(host == each or (each.startswith(".") and host.endswith(each)) for each in rules.hosts):
        raise CallRefused("host_not_allowed")
    target = Target(host, port, (match["path"] or "/") + (match["query"] or ""))
    if target.address is not None and not may_connect(target.address, rules.networks):
        raise CallRefused("address_not_public")
    return target


def _is_host(host: str) -> bool:
    if literal(host) is not None:
        return host.startswith("[") == (":" in host)
    labels = host.split(".")
    return all(_LABEL(label) for label in labels) and not _NUMBER(labels[-1])
