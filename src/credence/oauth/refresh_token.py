"""Refresh tokens: family, generation and a mark that only this service can make (D6, threats §6).

Nothing of the token is stored: the successor is computed again when a retry asks for it.
"""

from dataclasses import dataclass

from credence.clock import Milliseconds
from credence.crypto import base64url
from credence.crypto.chance import credential_prefix, random_bytes
from credence.crypto.digest import keyed_digest, same

EXPIRY_BYTES = 6
FAMILY_BYTES = EXPIRY_BYTES + 16
_GENERATION_BYTES = 4
_MARK_BYTES = 16


@dataclass(frozen=True, slots=True)
class Presented:
    """What a genuine refresh token says."""

    family_id: bytes
    generation: int


def new_family_id(expires_at: Milliseconds) -> bytes:
    """Return a fresh family id: its expiry, then 128 random bits."""
    return expires_at.to_bytes(EXPIRY_BYTES, "big") + random_bytes(FAMILY_BYTES - EXPIRY_BYTES)


def write(environment: str, key: bytes, family_id: bytes, generation: int) -> str:
    """Return the refresh token of this generation of the family."""
    counter = generation.to_bytes(_GENERATION_BYTES, "big")
    mark = keyed_digest(key, "refresh token", family_id, counter)[:_MARK_BYTES]
    return credential_prefix(environment, "ref") + base64url.encode(family_id + counter + mark)


def read(environment: str, key: bytes, text: str) -> Presented | None:
    """Return what the token says, or None when this service never wrote it."""
    prefix = credential_prefix(environment, "ref")
    if not text.startswith(prefix):
        return None
    try:
        data = base64url.decode(text[len(prefix) :])
    except ValueError:
        return None
    if len(data) != FAMILY_BYTES + _GENERATION_BYTES + _MARK_BYTES:
        return None
    family_id, counter = data[:FAMILY_BYTES], data[FAMILY_BYTES:-_MARK_BYTES]
    expected = keyed_digest(key, "refresh token", family_id, counter)[:_MARK_BYTES]
    if not same(expected, data[-_MARK_BYTES:]):
        return None
    return Presented(family_id, int.from_bytes(counter, "big"))
