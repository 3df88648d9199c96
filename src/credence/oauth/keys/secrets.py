"""The secrets of a deployment, unsealed at start and kept in memory, and its environment (D18)."""

from collections.abc import Mapping
from dataclasses import dataclass

from credence.clock import Milliseconds
from credence.crypto.sealing import KeyEncryptionKeys, Unsealable, is_sealed_by, new_key, seal, sealing_first, unseal
from credence.errors import OperatorError
from credence.store.contract import Store

ENVIRONMENT = "environment"
"""The name of the sealed secret with the environment, which every store has.

The key-encryption key that seals it is the one that seals all other values.
"""


class ForeignStore(OperatorError):
    """The store belongs to another environment, whose applications and accounts must not work in this one (D18)."""


@dataclass(frozen=True, slots=True, repr=False)
class Secrets:
    """Symmetric keys: `digest` for keyed digests, such as those of client secrets; `refresh` for tags of refresh tokens."""

    digest: bytes
    refresh: bytes


async def load_secrets(store: Store, keks: KeyEncryptionKeys, environment: str) -> Secrets:
    """Return the deployment's secrets, creating them on first use.

    Raises Unsealable for a wrong key-encryption key, ForeignStore if the store belongs to another environment.
    """
    first_used_as = (await _sealed(store, keks, ENVIRONMENT, environment.encode())).decode()
    _require_environment(first_used_as, environment)
    keks = await in_order(store, keks)
    return Secrets(
        digest=await _sealed(store, keks, "digest-key", new_key()),
        refresh=await _sealed(store, keks, "refresh-key", new_key()),
    )


async def in_order(store: Store, keks: KeyEncryptionKeys) -> KeyEncryptionKeys:
    """Return the keys with the one that seals in this store first; in the given order for a store without secrets.

    The store determines that key, so all nodes agree: a further key in the file, in any order, changes nothing. Raises
    Unsealable if that key is missing.
    """
    return in_order_of(await store.sealed_secrets(), keks)


def in_order_of(secrets: Mapping[str, bytes], keks: KeyEncryptionKeys) -> KeyEncryptionKeys:
    """Return the keys in the order of `in_order` for a store with these sealed secrets."""
    if ENVIRONMENT not in secrets:
        return keks
    ordered = sealing_first(keks, secrets[ENVIRONMENT])
    if not is_sealed_by(ordered.keys[0], secrets[ENVIRONMENT]):
        raise Unsealable(ENVIRONMENT)
    return ordered


async def rewrap(store: Store, keks: KeyEncryptionKeys, at: Milliseconds) -> int:
    """Reseal with the first key every value that another key sealed, all or none; return their number.

    All processes seal with that key afterwards. Raises Conflict if a value was changed meanwhile, Unsealable if the key of
    a value is missing.
    """
    others = {
        name: sealed
        for name, sealed in (await store.sealed_secrets()).items()
        if not is_sealed_by(keks.keys[0], sealed)
    }
    if others:
        await store.reseal({name: (old, seal(keks, name, unseal(keks, name, old))) for name, old in others.items()}, at)
    return len(others)


def require_ours(secrets: Mapping[str, bytes], keks: KeyEncryptionKeys, environment: str) -> None:
    """Check that the keys unseal all these secrets of a store, and that it belongs to this environment or is unused.

    Raises Unsealable or ForeignStore.
    """
    opened = {name: unseal(keks, name, sealed) for name, sealed in secrets.items()}
    _require_environment(opened.get(ENVIRONMENT, environment.encode()).decode(), environment)


def _require_environment(first_used_as: str, environment: str) -> None:
    if first_used_as != environment:
        raise ForeignStore(f"This store belongs to {first_used_as}, not to {environment}.")


async def _sealed(store: Store, keks: KeyEncryptionKeys, name: str, proposal: bytes) -> bytes:
    return unseal(keks, name, await store.sealed_secret(name, seal(keks, name, proposal)))
