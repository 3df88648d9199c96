"""The origins that any application has registered: a preflight request names no application (Fetch §3.2.2)."""

import asyncio
from dataclasses import dataclass, field

from credence.store.contract import Store
from credence.store.revocation_cache import RevocationCache


@dataclass(slots=True)
class RegisteredOrigins:
    """Read from the store when the first preflight comes, and again only after an application has changed."""

    _origins: frozenset[str] = frozenset()
    _version: int = -1
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def include(self, origin: str, store: Store, cache: RevocationCache) -> bool:
        """Return whether an enabled application has this origin. StoreUnavailable when it cannot be known."""
        await cache.ensure_current()
        if self._version != cache.applications_version:
            async with self._lock:
                await self._read(store, cache)
        return origin in self._origins

    async def _read(self, store: Store, cache: RevocationCache) -> None:
        version = cache.applications_version
        if self._version == version:  # read by another request, while this one waited
            return
        found = await store.applications()
        self._origins = frozenset(origin for each in found if not each.disabled for origin in each.origins)
        self._version = version
