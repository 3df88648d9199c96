"""The keys that anyone may read (spec §1.4, §4.4, D13)."""

from credence.http.answer import Answer
from credence.http.caching import cacheable
from credence.http.request import Request
from credence.oauth.keys import max_age
from credence.service import Service


async def key_set(service: Service, request: Request) -> Answer:
    """Return the public keys, to be kept no longer than until the next of them changes its state (threats K2)."""
    await service.authority.follow(request.now)
    ring = service.authority.ring
    return cacheable(request, ring.key_set, max_age(ring, request.now))
