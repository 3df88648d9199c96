"""Where an attribute may stand: header, body or HTTP Basic, and what holds when it stands in two places (D2, P8)."""

import base64
import binascii
from collections.abc import Mapping, Sequence
from urllib.parse import unquote_plus

from credence.oauth.attributes import Attributes

HEADER_ATTRIBUTES = ("client_id", "client_secret", "grant_type", "refresh_token", "token")


def gather(
    headers: Mapping[str, str], body: Mapping[str, str | None], resources: Sequence[str] = (), *, standard: bool
) -> Attributes:
    """Return everything said, each attribute from wherever it stood."""
    contradicts = False
    basic_id, basic_secret = None, None
    if has_basic(headers):
        pair = _read_basic(headers["authorization"], form_decoded=standard)
        contradicts = pair is None
        basic_id, basic_secret = pair or (None, None)
    found: dict[str, str] = {}
    for name, value in (
        *((name, headers.get(name)) for name in HEADER_ATTRIBUTES),
        ("client_id", basic_id),
        ("client_secret", basic_secret),
        *body.items(),
    ):
        if value is None or not value.strip():
            continue
        if found.setdefault(name, value) != value:
            contradicts = True
    return Attributes(
        **found,
        resources=tuple(resources),
        contradicts=contradicts,
        standard=standard,
        proves_twice=standard and _proves_twice(headers, body, found),
    )


def has_basic(headers: Mapping[str, str]) -> bool:
    """Tell whether the client speaks HTTP Basic (RFC 7617 §2)."""
    return headers.get("authorization", "")[:6].lower() == "basic "


def _proves_twice(headers: Mapping[str, str], body: Mapping[str, str | None], found: Mapping[str, str]) -> bool:
    """Tell of two of Basic, a secret in the form and an assertion. A secret in a header is the house's (D2)."""
    by_basic = has_basic(headers)
    if "client_assertion" in found:
        return by_basic or "client_secret" in found
    return by_basic and bool((body.get("client_secret") or "").strip())


def _read_basic(authorization: str, *, form_decoded: bool) -> tuple[str, str] | None:
    try:
        text = base64.b64decode(authorization[6:].strip(), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None
    client_id, colon, secret = text.partition(":")
    if not colon:
        return None
    if form_decoded:  # RFC 6749 §2.3.1
        return unquote_plus(client_id), unquote_plus(secret)
    return client_id, secret
