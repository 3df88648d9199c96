"""The two documents that anyone may read: provider configuration and key set (spec §1.4, §4.3, §4.4, §5.9, D12, D13)."""

from functools import lru_cache

from credence import paths
from credence.http.answer import Answer
from credence.http.caching import cacheable
from credence.http.request import Request
from credence.oauth.discovery import configuration
from credence.oauth.keys import max_age
from credence.service import Service

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


@lru_cache(maxsize=4)
def _configuration(issuer: str, algorithms: tuple[str, ...]) -> bytes:
    return configuration(issuer, paths.METADATA, algorithms)
