"""Keyed digests: how the service recognises what it does not keep, and marks what it must recognise later.

Keyed BLAKE2b (RFC 7693 §2.9) rather than HMAC: as sound, and it does not give up the interpreter lock for a microsecond's
work, which on a busy event loop costs ten times the digest itself.
"""

import hashlib
import hmac

DIGEST_BYTES = 32


def keyed_digest(key: bytes, purpose: str, *parts: bytes) -> bytes:
    """Return a 32-byte digest of the parts under a key and a purpose of at most 16 octets.

    Each part is preceded by its length, so that none runs into another.
    """
    digest = hashlib.blake2b(key=key, person=purpose.encode(), digest_size=DIGEST_BYTES)
    for part in parts:
        digest.update(len(part).to_bytes(4, "big") + part)
    return digest.digest()


def constant_time_equal(left: bytes, right: bytes) -> bool:
    """Compare two digests in time that does not depend on where they differ."""
    return hmac.compare_digest(left, right)


def sha256(data: bytes) -> bytes:
    """Return the plain SHA-256, for keys of caches and entity tags; never for a secret."""
    return hashlib.sha256(data).digest()


def sha512(data: bytes) -> bytes:
    """Return the plain SHA-512, where a specification names it; never for a secret."""
    return hashlib.sha512(data).digest()
