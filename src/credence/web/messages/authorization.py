"""Reads the Authorization header (RFC 9110 §11.6.2) where a token stands in it. HTTP Basic is read by the dialects."""

from collections.abc import Collection, Mapping

from credence.refusals import AUTHENTICATION_FAILED, Refused

BEARER = frozenset({"bearer"})
BEARER_OR_DPOP = frozenset({"bearer", "dpop"})


def shown_token(headers: Mapping[str, str], schemes: Collection[str]) -> tuple[str, str]:
    """Return the scheme, in lower case, and the token; Refused without one (RFC 6750 §2.1, RFC 9449 §7.1)."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    scheme = scheme.lower()
    if scheme not in schemes or not token or " " in token:
        raise Refused(AUTHENTICATION_FAILED, "bearer.header")
    return scheme, token
