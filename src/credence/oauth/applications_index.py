"""What must be known about all applications together: their origins and their algorithms.

A preflight request names no application (Fetch §3.2.2), and keys exist for the algorithms that any application uses (D13).
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field

from credence.store.contract import Store
from credence.store.records import Application
from credence.store.revocation_cache import RevocationCache


@dataclass(slots=True)
class ApplicationsIndex:
    """The origins and algorithms of all enabled applications.

    They are read from the store on first use, and again only after an application has changed.
    """

    origins: frozenset[str] = frozenset()
    """The origins of enabled applications."""
    algorithms: frozenset[str] = frozenset()
    """The algorithms that enabled applications are registered for."""
    _version: int = -1
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def follow(self, store: Store, cache: RevocationCache) -> None:
        """Bring the index up to date. Raises StoreUnavailable."""
        await cache.ensure_current()
        async with self._lock:
            version = cache.applications_version
            if self._version == version:
                return
            found = [each for each in await store.applications() if not each.disabled]
            self.origins = frozenset(origin for each in found for origin in each.origins)
            self.algorithms = algorithms_of(found)
            self._version = version


def algorithms_of(applications: Iterable[Application]) -> frozenset[str]:
    """Return the algorithms with which access tokens, ID tokens and user information of these applications are signed."""
    named = {name for each in applications for name in _algorithms(each)}
    return frozenset(name for name in named if name is not None)


def _algorithms(application: Application) -> tuple[str | None, ...]:
    return application.algorithm, application.id_token_algorithm, application.user_info_algorithm
