"""Seals what must not lie in the store in clear: private keys, MAC keys, digest keys (D13, threats T13).

One key-encryption key lives outside the store. Each purpose gets its own AES-256-GCM key from it by HKDF (RFC 5869), and
the name of the sealed thing is authenticated with it, so that one sealed value cannot stand in for another.
"""

from dataclasses import dataclass

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from credence.crypto.chance import random_bytes

KEY_BYTES = 32
_NONCE_BYTES = 12
_VERSION = b"\x01"


class Unsealable(Exception):
    """The sealed value was sealed under another key or has been altered."""


@dataclass(frozen=True, slots=True, repr=False)
class KeyEncryptionKey:
    """The key that lives outside the store: exactly 32 bytes."""

    key: bytes

    def __post_init__(self) -> None:
        if len(self.key) != KEY_BYTES:
            raise ValueError(f"a key-encryption key has {KEY_BYTES} bytes")


def new_key() -> bytes:
    """Return 32 fresh bytes: a key-encryption key, a MAC key or a digest key."""
    return random_bytes(KEY_BYTES)


def seal(kek: KeyEncryptionKey, name: str, secret: bytes) -> bytes:
    """Return `secret` sealed under its own name."""
    nonce = random_bytes(_NONCE_BYTES)
    return _VERSION + nonce + AESGCM(_purpose_key(kek, name)).encrypt(nonce, secret, name.encode())


def unseal(kek: KeyEncryptionKey, name: str, sealed: bytes) -> bytes:
    """Return what `seal` was given, or raise Unsealable."""
    if sealed[:1] != _VERSION:
        raise Unsealable(name)
    nonce, box = sealed[1 : 1 + _NONCE_BYTES], sealed[1 + _NONCE_BYTES :]
    try:
        return AESGCM(_purpose_key(kek, name)).decrypt(nonce, box, name.encode())
    except (InvalidTag, ValueError) as error:
        raise Unsealable(name) from error


def _purpose_key(kek: KeyEncryptionKey, name: str) -> bytes:
    purpose = name.partition(":")[0]
    return HKDF(SHA256(), KEY_BYTES, salt=None, info=f"credence {purpose}".encode()).derive(kek.key)
