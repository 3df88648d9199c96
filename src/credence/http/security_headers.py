"""What every answer says to browsers, made once: the path of a request only copies it (threats E4, E5, E6).

The reference page adds its own (`reference/page.py`). No answer names the server's make, and only public documents may
be read by pages of another origin (`public_documents.py`).
"""

from credence.settings import Environment, Settings

RawHeader = tuple[bytes, bytes]

_NOT_GUESSED = (b"x-content-type-options", b"nosniff")
"""The media type is what it says: JSON is never run as a script or shown as a page."""

_WHO = (b"server", b"credence")
"""Said because the server underneath would otherwise say its own make."""

_HTTPS_ONLY = (b"strict-transport-security", b"max-age=31536000")
"""For a year (RFC 6797 §6.1). Other names under the same domain are not ours to decide about."""


def always(settings: Settings) -> tuple[RawHeader, ...]:
    """Return the fields of every answer.

    The sandbox does not insist on HTTPS: it shares the name localhost with whatever else runs on the machine, and
    browsers would apply it to all ports of that name.
    """
    if settings.environment is not Environment.SANDBOX and settings.issuer.startswith("https://"):
        return (_WHO, _NOT_GUESSED, _HTTPS_ONLY)
    return (_WHO, _NOT_GUESSED)
