"""Cache directives, entity tags, 304 responses and compression (RFC 9110 §12.5.3, §13.1.2, RFC 9111, threats A12)."""

import gzip
import re
from functools import lru_cache

from credence.crypto import base64url
from credence.crypto.digest import sha256
from credence.request_context import RequestContext
from credence.web.messages.answer import JSON, Answer, Headers

NO_STORE = ("cache-control", "no-store")
"""Cache directive of every token and every error (D9, threats A12)."""

PRIVATE = ("cache-control", "private, no-cache")
"""Cache directive of responses to one caller that may change with the next load."""

VARY = ("vary", "accept")
"""The Vary field of every response with more than one media type (RFC 9110 §12.5.5)."""

ANY_ORIGIN = ("access-control-allow-origin", "*")
"""The CORS field of public documents only: pages of every origin may read them, to verify tokens themselves (threats E5)."""


def cacheable(
    request: RequestContext, body: bytes, max_age: int, media_type: str = JSON, headers: Headers = (ANY_ORIGIN,)
) -> Answer:
    """Return a document that any cache may store for `max_age` seconds; 304 if If-None-Match has its tag."""
    tag = entity_tag(body)
    headers = (("etag", tag), ("cache-control", f"public, max-age={max_age}"), *headers)
    if is_held(request, tag):
        return Answer(304, media_type, b"", headers)
    return Answer(200, media_type, body, headers)


def constant(
    request: RequestContext, body: bytes, max_age: int, media_type: str = JSON, headers: Headers = (ANY_ORIGIN,)
) -> Answer:
    """Return a public document as `cacheable` does, compressed (once per document) for callers that accept it."""
    return in_either_coding(request, body, compressed(body), max_age, media_type, headers)


def in_either_coding(
    request: RequestContext,
    body: bytes,
    gzipped: bytes,
    max_age: int,
    media_type: str,
    headers: Headers = (ANY_ORIGIN,),
) -> Answer:
    """Return `gzipped` if the caller accepts it, otherwise `body` (RFC 9110 §12.5.3, §12.5.5)."""
    headers = (*headers, ("vary", "accept-encoding"))
    if not accepts_gzip(request):
        return cacheable(request, body, max_age, media_type, headers)
    return cacheable(request, gzipped, max_age, media_type, (*headers, ("content-encoding", "gzip")))


def varying(answer: Answer, field: str) -> Answer:
    """Return the answer with this request field added to Vary (RFC 9110 §12.5.5)."""
    names = ", ".join([*(value for name, value in answer.headers if name == "vary"), field])
    others = tuple(each for each in answer.headers if each[0] != "vary")
    return answer._replace(headers=(*others, ("vary", names)))


def accepts_gzip(request: RequestContext) -> bool:
    """Return whether Accept-Encoding names gzip with a quality above 0 (RFC 9110 §12.5.3)."""
    for each in request.headers.get("accept-encoding", "").lower().split(","):
        coding, _, weight = each.partition(";")
        if coding.strip() in {"gzip", "x-gzip"}:
            return not re.fullmatch(r"q=0(\.0*)?", weight.strip())
    return False


@lru_cache(maxsize=32)
def compressed(body: bytes) -> bytes:
    """Return the body compressed by gzip."""
    return gzip.compress(body, mtime=0)


def is_held(request: RequestContext, tag: str) -> bool:
    """Return whether If-None-Match contains this entity tag."""
    tags = request.headers.get("if-none-match")
    if tags is None:
        return False
    return tags.strip() == "*" or tag in (each.strip().removeprefix("W/") for each in tags.split(","))


@lru_cache(maxsize=32)
def entity_tag(body: bytes) -> str:
    """Return a strong entity tag: equal for equal bodies (RFC 9110 §8.8.3)."""
    return f'"{base64url.encode(sha256(body)[:12])}"'
