"""Which addresses of applications the service calls: the rules of the settings, and their check at registration (D29)."""

from ipaddress import ip_network

from credence.errors import InvalidInput
from credence.outgoing.target import CallRefused, OutgoingRules, read_target
from credence.settings import Settings

_FORM_ONLY = OutgoingRules((ip_network("0.0.0.0/0"), ip_network("::/0")), ports=range(1, 65_536))
"""Rules that allow every address of the required form."""


def outgoing_rules(settings: Settings) -> OutgoingRules:
    """Return the rules for outgoing calls of these settings."""
    hosts = tuple(host.lower() for host in settings.outgoing_hosts)
    return OutgoingRules(settings.outgoing_networks, hosts, settings.outgoing_ports, settings.outgoing_proxy)


def is_callable(uri: str, settings: Settings) -> bool:
    """Return whether the rules allow calls to this URL, as far as its text shows; its host is resolved at each call."""
    try:
        read_target(uri, outgoing_rules(settings))
    except CallRefused:
        return False
    return settings.calls_out


def check_callable(uri: str) -> str:
    """Return a URL that an operator registers for calls; InvalidInput if it does not have the required form."""
    try:
        read_target(uri, _FORM_ONLY)
    except CallRefused:
        raise InvalidInput(f"{uri!r}: an address that is called is https, without user name and fragment.") from None
    return uri
