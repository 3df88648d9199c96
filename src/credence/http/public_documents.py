"""The two documents that anyone may read: provider configuration and key set (spec §1.4, §4.3, §4.4, §5.9, D12, D13)."""

from functools import lru_cache

from credence import paths
from credence.crypto import base64url
from credence.crypto.digest import sha256
from credence.http.answer import JSON, Answer, Headers
from credence.http.request import Request
from credence.oauth.discovery import configuration
from credence.oauth.keys import max_age
from credence.service import Service

ANY_ORIGIN = ("access-control-allow-origin", "*")
"""Pages of every origin may read what everybody may read, to verify tokens themselves. No other answer says so (E5)."""

CONFIGURATION_MAX_AGE = 3_600
"""Seconds for which a client may keep the provider configuration."""


async def provider_configuration(service: Service, request: Request) -> Answer:
    """Return the discovery document, made from the paths that are mounted."""
    settings = service.settings
    return cacheable(request, _configuration(settings.issuer, settings.algorithms), CONFIGURATION_MAX_AGE)


async def key_set(service: Service, request: Request) -> Answer:
    """Return the public keys, to be kept no longer than until the next of them changes its state (threats K2)."""
    await service.authority.follow(request.now)
    ring = service.authority.ring
    return cacheable(request, ring.key_set, max_age(ring, request.now))


def cacheable(
    request: Request, body: bytes, max_age: int, media_type: str = JSON, headers: Headers = (ANY_ORIGIN,)
) -> Answer:
    """Return the document, or 304 when the caller holds this very one (RFC 9110 §13.1.2)."""
    tag = entity_tag(body)
    headers = (("etag", tag), ("cache-control", f"public, max-age={max_age}"), *headers)
    if is_held(request, tag):
        return Answer(304, media_type, b"", headers)
    return Answer(200, media_type, body, headers)


def is_held(request: Request, tag: str) -> bool:
    """Say whether the caller holds the document with this tag (RFC 9110 §13.1.2)."""
    held = request.headers.get("if-none-match")
    if held is None:
        return False
    return held.strip() == "*" or tag in (each.strip().removeprefix("W/") for each in held.split(","))


@lru_cache(maxsize=32)
def entity_tag(body: bytes) -> str:
    """Return a strong entity tag: equal for equal bodies (RFC 9110 §8.8.3)."""
    return f'"{base64url.encode(sha256(body)[:12])}"'


@lru_cache(maxsize=4)
def _configuration(issuer: str, algorithms: tuple[str, ...]) -> bytes:
    return configuration(issuer, paths.METADATA, algorithms)
