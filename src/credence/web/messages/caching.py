"""What may be kept, by whom and for how long, and 304 for the one who holds it (RFC 9110 §13.1.2, RFC 9111, threats A12)."""

from functools import lru_cache

from credence.crypto import base64url
from credence.crypto.digest import sha256
from credence.request_context import RequestContext
from credence.web.messages.answer import JSON, Answer, Headers

NO_STORE = ("cache-control", "no-store")
"""On every token and every error (D9, threats A12)."""

PRIVATE = ("cache-control", "private, no-cache")
"""An answer is for the one who asked, and may change with the next load."""

VARY = ("vary", "accept")
"""On every answer that has more than one form (RFC 9110 §12.5.5)."""

ANY_ORIGIN = ("access-control-allow-origin", "*")
"""Allows pages of every origin to read public documents, to verify tokens. No other response has it (threats E5)."""


def cacheable(
    request: RequestContext, body: bytes, max_age: int, media_type: str = JSON, headers: Headers = (ANY_ORIGIN,)
) -> Answer:
    """Return a document that anyone may keep for `max_age` seconds, or 304 when the caller holds this very one."""
    tag = entity_tag(body)
    headers = (("etag", tag), ("cache-control", f"public, max-age={max_age}"), *headers)
    if is_held(request, tag):
        return Answer(304, media_type, b"", headers)
    return Answer(200, media_type, body, headers)


def is_held(request: RequestContext, tag: str) -> bool:
    """Tell whether the caller holds the document with this tag."""
    held = request.headers.get("if-none-match")
    if held is None:
        return False
    return held.strip() == "*" or tag in (each.strip().removeprefix("W/") for each in held.split(","))


@lru_cache(maxsize=32)
def entity_tag(body: bytes) -> str:
    """Return a strong entity tag: equal for equal bodies (RFC 9110 §8.8.3)."""
    return f'"{base64url.encode(sha256(body)[:12])}"'
