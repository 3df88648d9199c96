"""Seals what must not lie in the store in clear: private keys, MAC keys, digest keys (D13, threats T13).

The key-encryption key lives outside the store. Each purpose gets its own AES-256-GCM key from it by HKDF (RFC 5869), and
the name of the sealed thing is authenticated with it, so that one sealed value cannot stand in for another. A sealed value
says which key-encryption key opens it, so that a new one can be brought in while the service runs.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from credence.crypto.digest import keyed_digest
from credence.crypto.randomness import random_bytes

KEY_BYTES = 32
_NONCE_BYTES = 12
_ID_BYTES = 4
_VERSION = b"\x01"


class Unsealable(Exception):
    """The sealed value was sealed under another key or has been altered."""


@dataclass(frozen=True, slots=True, repr=False)
class KeyEncryptionKeys:
    """The keys that live outside the store, 32 bytes each: the first one seals, every one opens what it sealed."""

    keys: tuple[bytes, ...]

    def __post_init__(self) -> None:
        if not self.keys or any(len(key) != KEY_BYTES for key in self.keys):
            raise ValueError(f"a key-encryption key has {KEY_BYTES} bytes")


def new_key() -> bytes:
    """Return 32 fresh bytes: a key-encryption key, a MAC key or a digest key."""
    return random_bytes(KEY_BYTES)


def seal(keks: KeyEncryptionKeys, name: str, secret: bytes) -> bytes:
    """Return `secret` sealed under its own name."""
    kek, nonce = keks.keys[0], random_bytes(_NONCE_BYTES)
    return _VERSION + _key_id(kek) + nonce + AESGCM(_purpose_key(kek, name)).encrypt(nonce, secret, name.encode())


def unseal(keks: KeyEncryptionKeys, name: str, sealed: bytes) -> bytes:
    """Return what `seal` was given, or raise Unsealable."""
    head, nonce, box = (
        sealed[: 1 + _ID_BYTES],
        sealed[1 + _ID_BYTES :][:_NONCE_BYTES],
        sealed[1 + _ID_BYTES + _NONCE_BYTES :],
    )
    for kek in keks.keys:
        if head == _VERSION + _key_id(kek):
            try:
                return AESGCM(_purpose_key(kek, name)).decrypt(nonce, box, name.encode())
            except (InvalidTag, ValueError) as error:
                raise Unsealable(name) from error
    raise Unsealable(name)


def is_sealed_by(kek: bytes, sealed: bytes) -> bool:
    """Tell whether this key-encryption key sealed the value."""
    return sealed.startswith(_VERSION + _key_id(kek))


def read_keys(lines: Iterable[str]) -> KeyEncryptionKeys:
    """Return keys from their hexadecimal form, one a line, the one that seals first; ValueError when one is not."""
    return KeyEncryptionKeys(tuple(bytes.fromhex(line) for line in lines if line.strip()))


def _key_id(kek: bytes) -> bytes:
    return keyed_digest(kek, "key id")[:_ID_BYTES]


def _purpose_key(kek: bytes, name: str) -> bytes:
    purpose = name.partition(":")[0]
    return HKDF(SHA256(), KEY_BYTES, salt=None, info=f"credence {purpose}".encode()).derive(kek)
