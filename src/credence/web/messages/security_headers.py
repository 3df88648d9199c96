"""Security header fields for browsers, built once at the start (threats E4, E5, E6).

Every response has them, and HTML pages have more. No response names the server software, and only public documents may
be read by pages of another origin (`caching.py`).
"""

from credence.settings import Environment, Settings
from credence.web.messages.answer import Headers

RawHeader = tuple[bytes, bytes]

_NO_SNIFFING = (b"x-content-type-options", b"nosniff")
"""Forbids browsers to guess the media type, so that JSON is never run as a script or displayed as a page."""

_SERVER = (b"server", b"credence")
"""Replaces the name that the HTTP server would send."""

_HSTS = (b"strict-transport-security", b"max-age=31536000")
"""HSTS for a year (RFC 6797 §6.1), without subdomains, which may belong to others."""

NO_REFERRER = ("referrer-policy", "no-referrer")
"""Keeps the address of the page from linked sites."""


def always(settings: Settings) -> tuple[RawHeader, ...]:
    """Return the header fields of every answer.

    The sandbox has no HSTS: browsers would apply it to all ports of localhost, which other programs use as well.
    """
    if settings.environment is not Environment.SANDBOX and settings.issuer.startswith("https://"):
        return (_SERVER, _NO_SNIFFING, _HSTS)
    return (_SERVER, _NO_SNIFFING)


def sign_in_headers(policy: str) -> Headers:
    """Return the header fields of a page of the sign-in.

    It has no Cross-Origin-Opener-Policy, which would separate it from an application that opened it as a pop-up: a
    deviation from ASVS 3.4.8 that the authorization endpoint cannot avoid.
    """
    return (
        ("content-security-policy", f"{policy}; frame-ancestors 'none'"),
        ("x-frame-options", "DENY"),
        ("cross-origin-resource-policy", "same-origin"),
        NO_REFERRER,
    )


def page_headers(policy: str) -> Headers:
    """Return the header fields of an HTML page: content security policy, no framing, isolation from other origins."""
    return (
        ("content-security-policy", f"{policy}; frame-ancestors 'none'"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        NO_REFERRER,
    )
