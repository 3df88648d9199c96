"""Tells whether a proof was made for this address: `htu` (RFC 9449 §4.3 item 9)."""

import re
import string
from urllib.parse import urlsplit


def same_address(said: str, ours: str) -> bool:
    """Tell whether two addresses are one, whatever query and fragment the first has.

    Case, default port and needless percent-encoding do not matter (RFC 3986 §6.2.2.1, §6.2.2.2, §6.2.3).
    """
    said = said.partition("#")[0].partition("?")[0]
    return said == ours or _normal(said) == _normal(ours) is not None


def _normal(address: str) -> tuple[str, str, int | None, str] | None:
    """Return scheme, host, port and path in their normal forms; None for what is no plain web address."""
    if not address.isascii() or not address.isprintable() or " " in address:
        return None  # urlsplit would pass over some of it
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname or "@" in parts.netloc:
        return None
    path = _ENCODED.sub(_decoded, parts.path) or "/"
    return parts.scheme, parts.hostname, port or _DEFAULT_PORTS[parts.scheme], path


def _decoded(match: re.Match[str]) -> str:
    character = chr(int(match[1], 16))
    return character if character in _UNRESERVED else match[0].upper()


_DEFAULT_PORTS = {"https": 443, "http": 80}
_ENCODED = re.compile("%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset(string.ascii_letters + string.digits + "-._~")
"""What needs no percent-encoding (RFC 3986 §2.3)."""
