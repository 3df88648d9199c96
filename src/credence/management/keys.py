"""Operations on signing keys, shared by the command line and the management API (D13, D30)."""

from collections.abc import Collection

from credence.clock import Milliseconds
from credence.crypto.sealing import KeyEncryptionKeys
from credence.errors import OperatorError
from credence.management.instants import instant
from credence.oauth.applications_index import algorithms_of
from credence.oauth.keys.rotation import rotate_keys
from credence.oauth.keys.schedule import SAFE_AFTER_MS, KeyState, PlannedKey, plan, state
from credence.settings import Settings
from credence.store.contract import Store


class KeyNotReady(OperatorError):
    """No key may start signing now: none is published, or verifiers may not have the published one yet."""


async def next_key(store: Store, algorithm: str, now: Milliseconds) -> PlannedKey:
    """Return the published key of this algorithm that may start signing now; raises KeyNotReady."""
    for key in plan(await store.signing_keys()):
        if key.algorithm == algorithm and state(key, now) is KeyState.PUBLISHED:
            break
    else:
        raise KeyNotReady(f"No {algorithm} key is waiting to sign.")
    knows = key.published_at + SAFE_AFTER_MS
    if now < knows:
        raise KeyNotReady(
            f"Verifiers may not have the next key before {instant(knows)}: it was published less than "
            f"{SAFE_AFTER_MS // 1000} seconds ago. In an emergency use: credence keys revoke."
        )
    return key


async def roll(store: Store, keks: KeyEncryptionKeys, settings: Settings, key: PlannedKey, now: Milliseconds) -> None:
    """Let a key from `next_key` sign from now on, and publish its successor. Tokens of the previous key stay valid."""
    await store.advance_signing_key(key.kid, now, now)
    await rotate_keys(store, keks, settings, await algorithms_in_use(store), now)


async def algorithms_in_use(store: Store) -> Collection[str]:
    """Return the algorithms that enabled applications are registered for."""
    return algorithms_of(await store.applications())


def described(key: PlannedKey, now: Milliseconds) -> dict[str, object]:
    """Return what operators see of a signing key: its state and dates."""
    return {
        "kid": key.kid,
        "algorithm": key.algorithm,
        "state": str(state(key, now)),
        "published_at": instant(key.published_at),
        "signs_from": instant(key.signs_from),
        "retires_at": instant(key.retires_at),
        "removed_at": instant(key.removed_at),
        "revoked_at": instant(key.revoked_at),
    }
