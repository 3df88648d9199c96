"""The places of an attribute: header, body or HTTP Basic, and conflicts between them (D2, threats P8)."""

import base64
from collections.abc import Mapping, Sequence
from urllib.parse import unquote_plus

from credence.oauth.parameters.attributes import Attributes

HEADER_ATTRIBUTES = ("client_id", "client_secret", "grant_type", "refresh_token", "token")


def gather(
    headers: Mapping[str, str], body: Mapping[str, str | None], resources: Sequence[str] = (), *, standard: bool
) -> Attributes:
    """Return all attributes of a request, each from its place."""
    by_basic = has_basic(headers)
    in_basic = _read_basic(headers["authorization"], form_decoded=standard) if by_basic else {}
    in_headers = {name: headers[name] for name in HEADER_ATTRIBUTES if name in headers}
    conflicting_values = in_basic is None
    found: dict[str, str] = {}
    for place in (in_headers, in_basic or {}, body):
        for name, value in place.items():
            if value and value.strip() and found.setdefault(name, value) != value:
                conflicting_values = True
    return Attributes(
        **found,
        resources=tuple(resources),
        conflicting_values=conflicting_values,
        standard=standard,
        multiple_client_auth_methods=standard and _proves_twice(by_basic, body, found),
    )


def has_basic(headers: Mapping[str, str]) -> bool:
    """Return whether the request uses HTTP Basic (RFC 7617 §2)."""
    return headers.get("authorization", "")[:6].lower() == "basic "


def _proves_twice(by_basic: bool, body: Mapping[str, str | None], found: Mapping[str, str]) -> bool:
    """Return whether two of HTTP Basic, a secret in the form and an assertion occur (a secret in a header is D2)."""
    if "client_assertion" in found:
        return by_basic or "client_secret" in found
    return by_basic and bool((body.get("client_secret") or "").strip())


def _read_basic(authorization: str, *, form_decoded: bool) -> dict[str, str] | None:
    try:
        text = base64.b64decode(authorization[6:].strip(), validate=True).decode()
    except ValueError:  # not ASCII, not base64, not UTF-8
        return None
    client_id, colon, secret = text.partition(":")
    if not colon:
        return None
    if form_decoded:  # RFC 6749 §2.3.1
        client_id, secret = unquote_plus(client_id), unquote_plus(secret)
    return {"client_id": client_id, "client_secret": secret}
