"""What every answer says to browsers, made once: the path of a request only copies it (threats E4, E5, E6).

A page to read says more. No answer names the server's make, and only public documents may be read by pages of another
origin (`caching.py`).
"""

from credence.settings import Environment, Settings
from credence.web.messages.answer import Headers

RawHeader = tuple[bytes, bytes]

_NOT_GUESSED = (b"x-content-type-options", b"nosniff")
"""The media type is what it says: JSON is never run as a script or shown as a page."""

_WHO = (b"server", b"credence")
"""Said because the server underneath would otherwise say its own make."""

_HTTPS_ONLY = (b"strict-transport-security", b"max-age=31536000")
"""For a year (RFC 6797 §6.1). Other names under the same domain are not ours to decide about."""


NO_REFERRER = ("referrer-policy", "no-referrer")
"""Where somebody goes from here does not learn what was read."""


def always(settings: Settings) -> tuple[RawHeader, ...]:
    """Return the fields of every answer.

    The sandbox does not insist on HTTPS: it shares the name localhost with whatever else runs on the machine, and
    browsers would apply it to all ports of that name.
    """
    if settings.environment is not Environment.SANDBOX and settings.issuer.startswith("https://"):
        return (_WHO, _NOT_GUESSED, _HTTPS_ONLY)
    return (_WHO, _NOT_GUESSED)


def page_headers(policy: str) -> Headers:
    """Return the fields of a page to read: its policy, nobody frames it, no other origin holds on to it."""
    return (
        ("content-security-policy", f"{policy}; frame-ancestors 'none'"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        NO_REFERRER,
    )
