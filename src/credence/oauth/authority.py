"""The token authority of one process: its keys, its store, and its caches of both."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from credence.clock import Milliseconds
from credence.clock_tolerances import NODE_TOLERANCE_MS
from credence.crypto.jws import SigningKey
from credence.crypto.sealing import KeyEncryptionKeys, Unsealable
from credence.identity.factors import FactorCheck
from credence.identity.passkeys import Passkeys
from credence.identity.password_check import PasswordCheck
from credence.oauth.applications_index import ApplicationsIndex
from credence.oauth.client_key_sets import ClientKeySets
from credence.oauth.devices import UserCodes
from credence.oauth.dpop.memory import ProofMemory
from credence.oauth.issuer_metadata import IssuerMetadata
from credence.oauth.keys.ring import KeyRing, load_key_ring, rearranged, signer_at, with_signers
from credence.oauth.keys.secrets import Secrets
from credence.oauth.status_places import StatusPlaces
from credence.oauth.tokens import id_token
from credence.oauth.tokens.refresh_token import RefreshTokens, RefusedRefreshTokens
from credence.oauth.tokens.verified_tokens import VerifiedTokens
from credence.ratelimit.limiter import RateLimiter
from credence.request_context import RequestContext
from credence.settings import Settings
from credence.shared_task import shared_task
from credence.store.contract import Store
from credence.store.records import Application
from credence.store.revocation_cache import RevocationCache
from credence.store.trusted_issuers import ISSUERS, TrustedIssuer

ReadKeks = Callable[[], KeyEncryptionKeys]
"""Reads the key-encryption keys from their place in the deployment."""

ClientOfDocument = Callable[[str, Application | None, RateLimiter, RequestContext], Awaitable[Application | None]]
"""Returns a client as the document at its client_id describes it (`client_documents/fetching.py`)."""


@dataclass(slots=True, repr=False)
class Authority:
    """What issuing, checking and revoking tokens need. Only the keys change while the service runs."""

    settings: Settings
    store: Store
    revocation_cache: RevocationCache
    keks: KeyEncryptionKeys
    read_keks: ReadKeks
    """Called when no key in memory opens a sealed value, because the keys may have been replaced."""
    secrets: Secrets
    ring: KeyRing
    passwords: PasswordCheck
    factors: FactorCheck
    passkeys: Passkeys
    user_codes: UserCodes
    refresh_tokens: RefreshTokens
    proofs: ProofMemory
    """The DPoP proofs that this process has accepted."""
    verified: VerifiedTokens = field(default_factory=VerifiedTokens)
    applications: ApplicationsIndex = field(default_factory=ApplicationsIndex)
    client_keys: ClientKeySets = field(default_factory=ClientKeySets)
    refused_refresh_tokens: RefusedRefreshTokens = field(default_factory=RefusedRefreshTokens)
    issuers: tuple[TrustedIssuer, ...] = ()
    """The trusted issuers, read when one has changed; empty unless the operator has added one."""
    issuer_metadata: IssuerMetadata = field(default_factory=IssuerMetadata)
    status_places: StatusPlaces = field(default_factory=StatusPlaces)
    client_of_document: ClientOfDocument | None = None
    """None unless the operator accepts clients with a document."""
    change_signer: Callable[[SigningKey], SigningKey] | None = None
    """Wraps each signing key, for example in a tracing span; None in most deployments."""
    _keys_version: int = 0
    _loading: asyncio.Task[None] | None = None

    def is_current(self, now: Milliseconds) -> bool:
        """Return whether `follow` has nothing to do, as for almost every request; called first, it spares two coroutines."""
        ring = self.ring
        return (
            self.revocation_cache.is_current()
            and self.revocation_cache.keys_version == self._keys_version
            and ring.good_from - NODE_TOLERANCE_MS <= now
            and (ring.good_until is None or now < ring.good_until)
        )

    async def follow(self, now: Milliseconds) -> None:
        """Update the caches and the keys from the store and the schedule. Called at the start of each request.

        Raises StaleRevocationState when the caches are too old to be used, StoreUnavailable when the store cannot be read.
        """
        cache = self.revocation_cache
        if not cache.is_current():
            await cache.ensure_current()
        await self.follow_keys(now)

    async def follow_keys(self, now: Milliseconds) -> None:
        """Update the keys from the revocation cache, however old it is, and from the schedule."""
        # A clock that was ahead may have removed keys from the ring; the store keeps them (threats T11).
        while self.revocation_cache.keys_version != self._keys_version or now < self.ring.good_from - NODE_TOLERANCE_MS:
            self._loading = self._loading or shared_task(self._load_keys(now))
            await asyncio.shield(self._loading)
        if self.ring.good_until is not None and now >= self.ring.good_until:
            self.ring = rearranged(self.ring, now)
            self.verified.forget()

    def signing_key(self, algorithm: str | None) -> SigningKey:
        """Return the key that signs with this algorithm, or with the default of the service if it has none."""
        signing = self.ring.signing
        return signing.get(algorithm or self.settings.algorithm) or signing[self.settings.algorithm]

    def id_token_key(self, algorithm: str | None, at: Milliseconds) -> SigningKey:
        """Return the key that signed ID tokens with this algorithm at `at`, or with RS256 if the service has no such key.

        A family stores only the key of its access token. The key of the ID token follows from the time, so that a retry gets
        the same answer (D7).
        """
        offered = algorithm if algorithm in self.ring.signing else None
        return signer_at(self.ring, offered or id_token.ALGORITHM, at)

    def take_keks(self, keks: KeyEncryptionKeys) -> None:
        """Add these key-encryption keys to those in memory, so that a key removed from the file too early stays usable."""
        kept = tuple(key for key in self.keks.keys if key not in keks.keys)
        self.keks = KeyEncryptionKeys((*keks.keys, *kept))

    def change_signers(self, change: Callable[[SigningKey], SigningKey]) -> None:
        """Apply `change` to the signing keys in use, and to those loaded later."""
        self.change_signer = change
        self.ring = self._changed(self.ring)

    def _changed(self, ring: KeyRing) -> KeyRing:
        return ring if self.change_signer is None else with_signers(ring, self.change_signer)

    async def _load_keys(self, now: Milliseconds) -> None:
        """Read the keys for all requests that wait for them. Those of a change during the read are read once more."""
        try:
            version = self.revocation_cache.keys_version
            self.ring = self._changed(await self._load_key_ring(now))
            self.issuers = tuple(await self.store.page(ISSUERS))
            self._keys_version = version
            self.verified.forget()
        finally:
            self._loading = None

    async def _load_key_ring(self, now: Milliseconds) -> KeyRing:
        try:
            return await load_key_ring(self.store, self.keks, self.settings.algorithm, now)
        except Unsealable:
            self.take_keks(self.read_keks())
            return await load_key_ring(self.store, self.keks, self.settings.algorithm, now)
