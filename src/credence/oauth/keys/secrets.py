"""The secrets of a deployment, unsealed once at start and kept in memory, and the environment they belong to (D18)."""

from collections.abc import Mapping
from dataclasses import dataclass

from credence.crypto.sealing import KeyEncryptionKeys, new_key, seal, unseal
from credence.errors import OperatorError
from credence.store.contract import Store


class ForeignStore(OperatorError):
    """The store belongs to another environment; applications and accounts of one must not work in another (D18)."""


@dataclass(frozen=True, slots=True, repr=False)
class Secrets:
    """Symmetric keys: `digest` for keyed digests, such as those of client secrets; `refresh` for tags of refresh tokens."""

    digest: bytes
    refresh: bytes


async def load_secrets(store: Store, keks: KeyEncryptionKeys, environment: str) -> Secrets:
    """Return the deployment's secrets; they are created on first use.

    Raises Unsealable under the wrong key-encryption key, ForeignStore when the store belongs to another environment.
    """
    first_used_as = (await _sealed(store, keks, "environment", environment.encode())).decode()
    _require_environment(first_used_as, environment)
    return Secrets(
        digest=await _sealed(store, keks, "digest-key", new_key()),
        refresh=await _sealed(store, keks, "refresh-key", new_key()),
    )


def require_ours(secrets: Mapping[str, bytes], keks: KeyEncryptionKeys, environment: str) -> None:
    """Check that the keys unseal all these secrets of a store, and that it belongs to this environment or is unused.

    Raises Unsealable or ForeignStore.
    """
    opened = {name: unseal(keks, name, sealed) for name, sealed in secrets.items()}
    _require_environment(opened.get("environment", environment.encode()).decode(), environment)


def _require_environment(first_used_as: str, environment: str) -> None:
    if first_used_as != environment:
        raise ForeignStore(f"This store belongs to {first_used_as}, not to {environment}.")


async def _sealed(store: Store, keks: KeyEncryptionKeys, name: str, proposal: bytes) -> bytes:
    return unseal(keks, name, await store.sealed_secret(name, seal(keks, name, proposal)))
