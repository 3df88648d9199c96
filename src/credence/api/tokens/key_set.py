"""GET /oauth2/v1/keys: the public keys (spec §1.4, §4.4, §5.9, D13)."""

from contextlib import suppress

from credence.oauth.keys.ring import max_age
from credence.request_context import RequestContext
from credence.service import Service
from credence.store.revocation_cache import StaleRevocationState
from credence.web.messages.answer import Answer
from credence.web.messages.caching import cacheable


async def key_set(service: Service, request: RequestContext) -> Answer:
    """Return the public keys, cacheable until the next change of a key's state at the latest (threats K2).

    They are also served while the store is unavailable: verifiers need them for tokens that are in use (threats F3).
    """
    authority = service.authority
    with suppress(StaleRevocationState):
        await authority.revocation_cache.ensure_current()
    await authority.follow_keys(request.now)
    ring = authority.ring
    return cacheable(request, ring.key_set, max_age(ring, request.now))
