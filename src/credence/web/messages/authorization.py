"""Reads an access token from the Authorization header (RFC 9110 §11.6.2). The dialects read HTTP Basic."""

from collections.abc import Collection, Mapping

from credence.oauth.endpoints.bearer import Credentials

BEARER = frozenset({"bearer"})
BEARER_OR_DPOP = frozenset({"bearer", "dpop"})


def credentials_of(headers: Mapping[str, str], schemes: Collection[str]) -> Credentials | None:
    """Return the scheme and the token; None without a token in one of these schemes (RFC 6750 §2.1, RFC 9449 §7.1).

    One or more spaces separate the two (RFC 9110 §11.4).
    """
    scheme, _, token = headers.get("authorization", "").partition(" ")
    scheme, token = scheme.lower(), token.lstrip(" ")
    if scheme not in schemes or not token or " " in token:
        return None
    return Credentials(scheme, token)
