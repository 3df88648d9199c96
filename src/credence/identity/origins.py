"""Checks origins of web pages that may read answers to an application (RFC 6454 §6.2, threats E5)."""

import re
from urllib.parse import urlsplit

from credence.errors import InvalidInput

_HOST = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)*|\[[0-9a-f:]+\]").fullmatch
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
_DEFAULT_PORTS = {"https": 443, "http": 80}


def check_origin(text: str) -> str:
    """Return an origin to be registered; InvalidInput unless it is written exactly as browsers send it.

    That is scheme, host in lower case and a port other than the default one, without a path. Plain HTTP is for pages of the
    same machine. `null` and patterns are refused.
    """
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise _malformed(text) from None
    host = parts.netloc.rpartition(":")[0] if port is not None else parts.netloc
    secure = parts.scheme == "https" or (parts.scheme == "http" and host in _LOOPBACK)
    standard = port is None or port != _DEFAULT_PORTS.get(parts.scheme)
    if not (secure and standard and _HOST(host) and text == f"{parts.scheme}://{parts.netloc}"):
        raise _malformed(text)
    return text


def _malformed(text: str) -> InvalidInput:
    return InvalidInput(
        f"{text!r} is not an origin: write it as browsers send it, such as https://app.example.com (no path, lower case, "
        "no default port; http for localhost only)."
    )
