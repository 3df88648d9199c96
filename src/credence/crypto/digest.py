"""Keyed digests: in place of values that are not stored in clear, and as authentication tags of values that return later.

BLAKE2b with a key (RFC 7693 §2.9) instead of HMAC: it is equally secure, and it does not release the interpreter lock for
work of a microsecond, which on a busy event loop would cost ten times as much as the digest.
"""

import hashlib
import hmac
from collections.abc import Callable
from functools import lru_cache
from struct import Struct

DIGEST_BYTES = 32


def keyed_digest(key: bytes, purpose: str, *parts: bytes) -> bytes:
    """Return a digest of `DIGEST_BYTES` of the parts, under a key and a purpose of at most 16 bytes.

    The length of each part precedes it in the input, so different divisions into parts have different digests.
    """
    state = state_of(key, purpose).copy()
    for part in parts:
        state.update(_length(len(part)) + part)
    return state.digest()


@lru_cache(maxsize=64)
def state_of(key: bytes, purpose: str) -> hashlib.blake2b:
    """Return the state of a keyed digest before its first part; copying it takes half the time of making one."""
    return hashlib.blake2b(key=key, person=purpose.encode(), digest_size=DIGEST_BYTES)


_length = Struct(">I").pack


constant_time_equal: Callable[[bytes, bytes], bool] = hmac.compare_digest
"""Compares two digests in constant time."""


def sha256(data: bytes) -> bytes:
    """Return the SHA-256, for cache keys, entity tags and checksums; never for a secret."""
    return hashlib.sha256(data).digest()


def sha512(data: bytes) -> bytes:
    """Return the SHA-512, where a specification requires it; never for a secret."""
    return hashlib.sha512(data).digest()
