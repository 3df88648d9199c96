"""The secrets of a deployment, unsealed once at start and kept in memory, and the environment they belong to (D18)."""

from collections.abc import Mapping
from dataclasses import dataclass

from credence.clock import Milliseconds
from credence.crypto.sealing import KeyEncryptionKeys, Unsealable, is_sealed_by, new_key, seal, sealing_first, unseal
from credence.errors import OperatorError
from credence.store.contract import Store

ENVIRONMENT = "environment"
"""The name of the secret that every store has. The key-encryption key that sealed it seals everything else."""


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
    first_used_as = (await _sealed(store, keks, ENVIRONMENT, environment.encode())).decode()
    _require_environment(first_used_as, environment)
    keks = await in_order(store, keks)
    return Secrets(
        digest=await _sealed(store, keks, "digest-key", new_key()),
        refresh=await _sealed(store, keks, "refresh-key", new_key()),
    )


async def in_order(store: Store, keks: KeyEncryptionKeys) -> KeyEncryptionKeys:
    """Return the keys with the one first that seals in this store; as they are for a store without secrets.

    All nodes of a store agree on it, because the store has it: a file with a further key, in any order, changes nothing.
    Raises Unsealable if that key is not among them.
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
    """Seal with the first key all that another one sealed, all or none; return how many values.

    From then on it seals in every process. Raises Conflict if a value was changed meanwhile, Unsealable without its key.
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
