"""Encrypts secrets for the store: private keys, MAC keys, digest keys (D13, threats T13).

The key-encryption key is kept outside the store. HKDF (RFC 5869) derives an AES-256-GCM key for each purpose from it. The
name of the secret is authenticated as well, so no sealed value can replace another. A sealed value identifies its
key-encryption key, which can therefore be replaced while the service runs.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

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
    """The value was sealed under another key or was changed."""


@dataclass(frozen=True, slots=True, repr=False)
class KeyEncryptionKeys:
    """The key-encryption keys, 32 bytes each. The first one seals; each unseals the values that it sealed.

    The file lists them from the oldest to the newest; the store determines which one seals (`sealing_first`).
    """

    keys: tuple[bytes, ...]

    def __post_init__(self) -> None:
        if not self.keys or any(len(key) != KEY_BYTES for key in self.keys):
            raise ValueError(f"a key-encryption key has {KEY_BYTES} bytes")


def new_key() -> bytes:
    """Return 32 random bytes: a key-encryption key, a MAC key or a digest key."""
    return random_bytes(KEY_BYTES)


def seal(keks: KeyEncryptionKeys, name: str, secret: bytes) -> bytes:
    """Return `secret` encrypted and bound to this name."""
    kek, nonce = keks.keys[0], random_bytes(_NONCE_BYTES)
    return _VERSION + _key_id(kek) + nonce + _cipher(kek, name.partition(":")[0]).encrypt(nonce, secret, name.encode())


def unseal(keks: KeyEncryptionKeys, name: str, sealed: bytes) -> bytes:
    """Return the secret that `seal` encrypted under this name, or raise Unsealable."""
    head, nonce, box = (
        sealed[: 1 + _ID_BYTES],
        sealed[1 + _ID_BYTES :][:_NONCE_BYTES],
        sealed[1 + _ID_BYTES + _NONCE_BYTES :],
    )
    for kek in keks.keys:
        if head == _VERSION + _key_id(kek):
            try:
                return _cipher(kek, name.partition(":")[0]).decrypt(nonce, box, name.encode())
            except (InvalidTag, ValueError) as error:
                raise Unsealable(name) from error
    raise Unsealable(name)


def is_sealed_by(kek: bytes, sealed: bytes) -> bool:
    """Return whether this key-encryption key sealed the value."""
    return sealed.startswith(_VERSION + _key_id(kek))


def sealing_first(keks: KeyEncryptionKeys, sealed: bytes) -> KeyEncryptionKeys:
    """Return the keys with the one that sealed this value first; unchanged if none of them sealed it."""
    return KeyEncryptionKeys(tuple(sorted(keks.keys, key=lambda kek: not is_sealed_by(kek, sealed))))


def key_id(kek: bytes) -> str:
    """Return the id of a key-encryption key, 8 hexadecimal digits: a keyed digest, which is in each value that it sealed."""
    return _key_id(kek).hex()


def sealing_key_id(sealed: bytes) -> str:
    """Return the id of the key-encryption key that sealed the value."""
    return sealed[len(_VERSION) :][:_ID_BYTES].hex()


def read_keys(lines: Iterable[str]) -> KeyEncryptionKeys:
    """Parse keys in hexadecimal, one per line, the sealing key first. Raises ValueError if a line is not hexadecimal."""
    return KeyEncryptionKeys(tuple(bytes.fromhex(line) for line in lines if line.strip()))


@lru_cache(maxsize=32)
def _key_id(kek: bytes) -> bytes:
    return keyed_digest(kek, "key id")[:_ID_BYTES]


@lru_cache(maxsize=32)
def _cipher(kek: bytes, purpose: str) -> AESGCM:
    """Return the cipher for a purpose. It is cached, because deriving its key takes longer than sealing a code."""
    key = HKDF(SHA256(), KEY_BYTES, salt=None, info=f"credence {purpose}".encode()).derive(kek)
    return AESGCM(key)
