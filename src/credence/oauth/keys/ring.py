"""The signing keys in use, unsealed, in their states of the schedule (spec §2.7, D5, D13)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from credence.clock import Milliseconds
from credence.crypto.jwk import signing_key, verifying_key
from credence.crypto.jws import ALGORITHMS, SigningKey, VerifyingKey
from credence.crypto.sealing import KeyEncryptionKeys, unseal
from credence.oauth.keys.schedule import (
    KEY_SET_MAX_AGE_SECONDS,
    KeyState,
    PlannedKey,
    last_change,
    next_change,
    plan,
    state,
)
from credence.store.contract import Store
from credence.store.signing_keys import private_key_name


@dataclass(frozen=True, slots=True, repr=False)
class KeyRing:
    """The keys at one instant, valid from the last scheduled change until the next."""

    planned: tuple[PlannedKey, ...]
    signing: Mapping[str, SigningKey]
    """Algorithm -> the key that signs."""
    signing_since: Mapping[str, Milliseconds]
    """Algorithm -> since when that key has signed."""
    private: Mapping[str, SigningKey]
    """Key id -> each stored private key."""
    verifying: Mapping[str, VerifyingKey]
    """Key id -> each published key, with which signatures are verified."""
    revoked: Mapping[str, VerifyingKey]
    """Key id -> each revoked key: a token that it signed is refused, with a reason of its own."""
    key_set: bytes
    """The JWK Set (RFC 7517 §5) as JSON."""
    good_from: Milliseconds
    good_until: Milliseconds | None
    default: str
    """The default algorithm of the service; the key set lists its keys first."""


def max_age(ring: KeyRing, now: Milliseconds) -> int:
    """Return for how many seconds a verifier may cache the key set: never past the next change (threats K2)."""
    if ring.good_until is None:
        return KEY_SET_MAX_AGE_SECONDS
    return max(0, min(KEY_SET_MAX_AGE_SECONDS, (ring.good_until - now) // 1000))


def signer_at(ring: KeyRing, algorithm: str, instant: Milliseconds) -> SigningKey:
    """Return the key that signed at this instant; if its private half is deleted, the key that signs at present."""
    since = ring.signing_since.get(algorithm)
    if since is not None and since <= instant and (ring.good_until is None or instant < ring.good_until):
        return ring.signing[algorithm]
    for key in ring.planned:
        if key.algorithm == algorithm and state(key, instant) is KeyState.SIGNING and key.kid in ring.private:
            return ring.private[key.kid]
    return ring.signing[algorithm]


async def load_key_ring(store: Store, keks: KeyEncryptionKeys, default: str, now: Milliseconds) -> KeyRing:
    """Read and unseal the keys. Raises Unsealable if none of these key-encryption keys fits.

    `default` is the default algorithm of the service.
    """
    rows, secrets = await store.signing_keys(), await store.sealed_secrets()
    private = {}
    for row in rows:
        name = private_key_name(row.kid)
        if name in secrets:
            private[row.kid] = signing_key(row.kid, row.algorithm, unseal(keks, name, secrets[name]))
    public = {row.kid: verifying_key(row.public) for row in rows}
    revoked = {row.kid: public[row.kid] for row in rows if row.revoked_at is not None}
    return _arranged(plan(rows), public, private, revoked, default, now)


def with_signers(ring: KeyRing, change: Callable[[SigningKey], SigningKey]) -> KeyRing:
    """Return the ring with `change` applied to every private key."""
    private = {kid: change(key) for kid, key in ring.private.items()}
    signing = {algorithm: private[key.kid] for algorithm, key in ring.signing.items()}
    return replace(ring, private=private, signing=signing)


def rearranged(ring: KeyRing, now: Milliseconds) -> KeyRing:
    """Return a ring with the same keys in their states at `now`, without I/O. Called when the schedule changes a state.

    Keys that were removed before are not in it: for an instant before its own, a ring is loaded again.
    """
    return _arranged(ring.planned, ring.verifying, ring.private, ring.revoked, ring.default, now)


def _arranged(
    planned: tuple[PlannedKey, ...],
    verifying: Mapping[str, VerifyingKey],
    private: Mapping[str, SigningKey],
    revoked: Mapping[str, VerifyingKey],
    default: str,
    now: Milliseconds,
) -> KeyRing:
    states = {key.kid: state(key, now) for key in planned}
    published = {key.kid: verifying[key.kid] for key in _in_order(planned, states, default)}
    return KeyRing(
        planned,
        signing=_signing(planned, private, states),
        signing_since={
            key.algorithm: key.signs_from
            for key in planned
            if states[key.kid] is KeyState.SIGNING and key.kid in private
        },
        private={kid: key for kid, key in private.items() if states[kid] is not KeyState.REMOVED},
        verifying=published,
        revoked=revoked,
        key_set=msgspec.json.encode({"keys": [key.jwk for key in published.values()]}),
        good_from=last_change(planned, now),
        good_until=next_change(planned, now),
        default=default,
    )


_ORDER = (KeyState.SIGNING, KeyState.PUBLISHED, KeyState.RETIRED)


def _in_order(planned: Sequence[PlannedKey], states: Mapping[str, KeyState], default: str) -> Sequence[PlannedKey]:
    """Return the published keys as the key set lists them, because some libraries always take the first key.

    The default algorithm comes first, and within each algorithm the key that signs, its successor, then its predecessors.
    """
    algorithms = (default, *ALGORITHMS)
    kept = [key for key in planned if states[key.kid] is not KeyState.REMOVED]
    return sorted(
        kept, key=lambda key: (algorithms.index(key.algorithm), _ORDER.index(states[key.kid]), key.signs_from, key.kid)
    )


def _signing(
    planned: Sequence[PlannedKey], private: Mapping[str, SigningKey], states: Mapping[str, KeyState]
) -> dict[str, SigningKey]:
    signing: dict[str, SigningKey] = {}
    # If no key is in the state `signing`, a published key signs: for example after the clock was set back.
    for wanted in (KeyState.SIGNING, KeyState.PUBLISHED):
        for key in planned:
            if states[key.kid] is wanted and key.kid in private:
                signing.setdefault(key.algorithm, private[key.kid])
    return signing
