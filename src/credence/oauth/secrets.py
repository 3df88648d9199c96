"""The secrets of a deployment, unsealed once at start and kept in memory."""

from dataclasses import dataclass

from credence.crypto.sealing import KeyEncryptionKeys, new_key, seal, unseal
from credence.store.contract import Store


@dataclass(frozen=True, slots=True, repr=False)
class Secrets:
    """Symmetric keys: `digest` recognises client secrets, `refresh` marks refresh tokens."""

    digest: bytes
    refresh: bytes


async def load_secrets(store: Store, keks: KeyEncryptionKeys) -> Secrets:
    """Return the deployment's secrets, making them on first use; Unsealable under the wrong key-encryption key."""
    return Secrets(digest=await _secret(store, keks, "digest-key"), refresh=await _secret(store, keks, "refresh-key"))


async def _secret(store: Store, keks: KeyEncryptionKeys, name: str) -> bytes:
    sealed = await store.sealed_secret(name)
    if sealed is None:
        sealed = await store.sealed_secret(name, seal(keks, name, new_key()))
    if sealed is None:
        raise LookupError(name)
    return unseal(keks, name, sealed)
