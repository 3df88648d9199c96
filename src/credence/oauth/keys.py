"""Signing keys and their schedule (spec §2.7, D5, D13, threats §5).

The schedule is made of slots: slot n begins at n times the key age since the epoch, and each algorithm has one key per
slot. So every process computes the same plan from the clock alone, and of two that propose a key for one slot the store
keeps the first. A key is published long before its slot begins and signs from then on.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import msgspec

from credence.clock import Milliseconds
from credence.crypto.jwk import ALGORITHMS, SigningKey, from_private_bytes, generate, public_jwk, to_private_bytes
from credence.crypto.sealing import KeyEncryptionKey, seal, unseal
from credence.store.contract import Store
from credence.store.records import SigningKeyRow

KEY_AGE = 90 * 86_400_000
"""Milliseconds for which a key signs."""

KEY_SET_MAX_AGE = 3_600
"""Seconds for which a verifier may keep the key set."""


@dataclass(frozen=True, slots=True, repr=False)
class ScheduledKey:
    """A key ready for use and the instant from which it signs."""

    key: SigningKey
    signs_from: Milliseconds


@dataclass(frozen=True, slots=True, repr=False)
class KeyRing:
    """Every key a process verifies with, in order of `signs_from`, and the published set."""

    scheduled: tuple[ScheduledKey, ...]
    by_kid: dict[str, SigningKey]
    key_set: bytes
    """The JWK Set (RFC 7517 §5) as it is served."""


def signing_key(ring: KeyRing, algorithm: str, now: Milliseconds) -> SigningKey:
    """Return the key that signs with this algorithm now: the newest one whose time has come."""
    candidates = [each.key for each in ring.scheduled if each.key.algorithm == algorithm and each.signs_from <= now]
    if not candidates:
        raise LookupError(f"no {algorithm} key signs yet")
    return candidates[-1]


async def ensure_keys(store: Store, kek: KeyEncryptionKey, now: Milliseconds) -> None:
    """See to it that each algorithm has the key of this slot and of the next. Slow when it must make some."""
    slot = now // KEY_AGE * KEY_AGE
    held = {(row.algorithm, row.signs_from) for row in await store.signing_keys()}
    wanted = [(algorithm, start) for start in (slot, slot + KEY_AGE) for algorithm in ALGORITHMS]
    missing = [place for place in wanted if place not in held]
    if missing:
        await store.add_signing_keys([_new_row(kek, algorithm, start, now) for algorithm, start in missing], now)


async def load_key_ring(store: Store, kek: KeyEncryptionKey) -> KeyRing:
    """Read and unseal every key; Unsealable under the wrong key-encryption key."""
    rows = await store.signing_keys()
    scheduled = tuple(ScheduledKey(_unsealed(kek, row), row.signs_from) for row in rows)
    keys = [each.key for each in scheduled]
    return KeyRing(scheduled, {key.kid: key for key in keys}, _key_set(keys))


def _new_row(kek: KeyEncryptionKey, algorithm: str, signs_from: Milliseconds, now: Milliseconds) -> SigningKeyRow:
    key = generate(algorithm)
    sealed = seal(kek, f"signing-key:{key.kid}", to_private_bytes(key))
    return SigningKeyRow(key.kid, algorithm, published_at=now, signs_from=signs_from, sealed=sealed)


def _unsealed(kek: KeyEncryptionKey, row: SigningKeyRow) -> SigningKey:
    return from_private_bytes(row.algorithm, unseal(kek, f"signing-key:{row.kid}", row.sealed))


def _key_set(keys: Iterable[SigningKey]) -> bytes:
    return msgspec.json.encode({"keys": [public_jwk(key) for key in keys]})
