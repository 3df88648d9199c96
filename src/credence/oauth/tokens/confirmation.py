"""What a token is bound to: as its `cnf` claim says it, and as one text that the store keeps (RFC 7800 §3.1).

The text is the one member of `cnf`, such as `jkt:<thumbprint>`; it is empty for a token that is bound to nothing.
"""

from collections.abc import Mapping
from typing import Literal

KEY = "jkt"
"""A key that each request proves, by its thumbprint (RFC 9449 §6.1)."""

CERTIFICATE = "x5t#S256"
"""The certificate of the connection, by its thumbprint (RFC 8705 §3.1)."""


def to_key(thumbprint: str) -> str:
    """Return the text for a key."""
    return f"{KEY}:{thumbprint}"


def to_certificate(thumbprint: str) -> str:
    """Return the text for a certificate."""
    return f"{CERTIFICATE}:{thumbprint}"


def claim(bound_to: str) -> dict[str, str] | None:
    """Return the `cnf` claim for such a text, None for the empty one."""
    member, _, thumbprint = bound_to.partition(":")
    return {member: thumbprint} if bound_to else None


def token_type(cnf: Mapping[str, str] | None) -> Literal["Bearer", "DPoP"]:
    """Return how a token with this claim is shown: a certificate needs no scheme of its own (RFC 9449 §5, RFC 8705 §3)."""
    return "DPoP" if cnf is not None and KEY in cnf else "Bearer"
