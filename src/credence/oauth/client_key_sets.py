"""The keys that applications and trusted issuers publish at an address (RFC 7591 §2 `jwks_uri`), fetched by outgoing calls.

A set is fetched when a signature needs it, and kept for a while. If a fetch fails, there are no keys, and no signature is
valid.
"""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from credence.clock import Milliseconds
from credence.crypto.client_jws import ClientJws
from credence.errors import InvalidInput
from credence.generational_cache import GenerationalCache
from credence.identity.applications import is_unverified
from credence.identity.client_keys import key_of, usable_keys
from credence.outgoing.target import CallRefused
from credence.store.records import Application, ClientKey
from credence.telemetry.log import log_unexpected

if TYPE_CHECKING:
    from credence.outgoing.client import Call, OutgoingClient, Standing

PURPOSE = "client_keys"

FRESH_MS = 600_000
"""How long a set is used without another fetch: a key that its owner removed is refused after this time."""

KEPT_MS = 3_600_000
"""How long a set is used while its address does not answer."""

PAUSE_MS = 60_000
"""The minimum pause between two fetches from one address, also after a failure or for a `kid` that is not in the set."""

WAIT_SECONDS = 3.0
"""How long a request waits for a fetch. The fetch continues, and a later request uses its result."""

MAX_ADDRESSES = 1_000
MAX_SET_BYTES = 65_536


@dataclass(frozen=True, slots=True)
class _Known:
    keys: tuple[ClientKey, ...] = ()
    fetched_at: Milliseconds = 0
    tried_at: Milliseconds = 0


class ClientKeySets:
    """The fetched key sets of this process."""

    def __init__(self, client: "OutgoingClient | None" = None) -> None:
        """`client` None means that the operator allows no outgoing calls: then no application has keys at an address."""
        self._client = client
        self._known: GenerationalCache[str, _Known] = GenerationalCache(MAX_ADDRESSES)
        self._fetching: dict[str, asyncio.Task[None]] = {}

    def keys_of(self, application: Application) -> tuple[ClientKey, ...]:
        """Return the registered keys, or those of the last fetch (see `prepare`)."""
        return application.keys if application.keys_uri is None else self.keys_at(application.keys_uri)

    def keys_at(self, uri: str) -> tuple[ClientKey, ...]:
        """Return the keys of the last fetch from an address (see `prepare_at`)."""
        known = self._known.get(uri)
        return () if known is None else known.keys

    async def prepare(self, application: Application, signed: ClientJws, now: Milliseconds) -> None:
        """Fetch the application's key set if this signature needs it; wait for the fetch for `WAIT_SECONDS` at most.

        Called before `keys_of`, which reads no clock.
        """
        if application.keys_uri is not None:
            standing: Standing = "new" if is_unverified(application) else "verified"
            await self.prepare_at(application.keys_uri, signed, now, PURPOSE, application.client_id, standing)

    async def prepare_at(
        self,
        uri: str,
        signed: ClientJws,
        now: Milliseconds,
        purpose: str,
        application: str | None = None,
        standing: "Standing" = "verified",
    ) -> None:
        """Do what `prepare` does for the keys at an address; the call is made for this purpose and application."""
        if self._client is None:
            return
        known = self._known.get(uri) or _Known()
        if known.keys and not 0 <= now - known.fetched_at < KEPT_MS:
            known = _Known(tried_at=known.tried_at)
            self._known.put(uri, known)
        fresh = 0 <= now - known.fetched_at < FRESH_MS
        if fresh and key_of(known.keys, signed) is not None:
            return
        if uri not in self._fetching and not 0 <= now - known.tried_at < PAUSE_MS:
            call = _call(uri, purpose, application, standing)
            task = asyncio.get_running_loop().create_task(self._fetch(self._client, call, now))
            self._fetching[uri] = task
            task.add_done_callback(lambda _: self._fetching.pop(uri))
        if uri in self._fetching:
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(self._fetching[uri]), WAIT_SECONDS)

    async def _fetch(self, client: "OutgoingClient", call: "Call", now: Milliseconds) -> None:
        keys: tuple[ClientKey, ...] = ()
        try:
            keys = await _fetched(client, call)
        except Exception as error:  # noqa: BLE001 - the request that waited for it may have ended
            log_unexpected(error)
        known = self._known.get(call.url) or _Known()
        fetched_at = now if keys else known.fetched_at
        self._known.put(call.url, _Known(keys or known.keys, fetched_at, now))


def _call(uri: str, purpose: str, application: str | None, standing: "Standing") -> "Call":
    # Imported only here: most deployments make no outgoing calls.
    from credence.outgoing.client import Call

    accepted = {"Accept": "application/jwk-set+json, application/json"}
    return Call(
        purpose,
        "GET",
        uri,
        accepted,
        max_answer_bytes=MAX_SET_BYTES,
        application=application,
        standing=standing,
    )


async def _fetched(client: "OutgoingClient", call: "Call") -> tuple[ClientKey, ...]:
    """Return the keys at an address; none when it does not answer with any. The audit trail says why."""
    from credence.outgoing.connecting import CallFailed

    try:
        answer = await client.call(call)
        return usable_keys(answer.body) if answer.status == 200 else ()
    except (CallRefused, CallFailed, InvalidInput):
        return ()
