"""The token authority of one process: its keys, its store, and what it holds in memory of both."""

from dataclasses import dataclass, field

from credence.crypto.sealing import KeyEncryptionKey
from credence.identity.password_check import PasswordCheck
from credence.oauth.keys import KeyRing, load_key_ring
from credence.oauth.secrets import Secrets
from credence.oauth.verified_tokens import VerifiedTokens
from credence.settings import Settings
from credence.store.contract import Store
from credence.store.mirror import Mirror


@dataclass(slots=True, repr=False)
class Authority:
    """What granting, checking and revoking rest on. Only the key ring changes while the service runs."""

    settings: Settings
    store: Store
    mirror: Mirror
    kek: KeyEncryptionKey
    secrets: Secrets
    ring: KeyRing
    passwords: PasswordCheck
    verified: VerifiedTokens = field(default_factory=VerifiedTokens)
    _keys_version: int = 0

    async def follow(self) -> None:
        """Bring what is held in memory up to date with the store. Asked at the start of each request."""
        await self.mirror.follow()
        if self.mirror.keys_version != self._keys_version:
            self._keys_version = self.mirror.keys_version
            self.ring = await load_key_ring(self.store, self.kek)
            self.verified.forget()
