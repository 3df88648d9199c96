"""Compares the address of a proof, `htu`, with that of the request (RFC 9449 §4.3 item 9)."""

import re
import string
from urllib.parse import urlsplit


def same_address(htu: str, requested: str) -> bool:
    """Return whether both addresses are equal. Query and fragment of `htu` are ignored.

    Case, default port and unnecessary percent-encoding make no difference (RFC 3986 §6.2.2.1, §6.2.2.2, §6.2.3).
    """
    htu = htu.partition("#")[0].partition("?")[0]
    return htu == requested or _normal(htu) == _normal(requested) is not None


def _normal(address: str) -> tuple[str, str, int | None, str] | None:
    """Return scheme, host, port and path in their normal forms; None for anything but a plain http or https URL."""
    if not address.isascii() or not address.isprintable() or " " in address:
        return None  # urlsplit would ignore some of these characters
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
"""The characters that need no percent-encoding (RFC 3986 §2.3)."""
