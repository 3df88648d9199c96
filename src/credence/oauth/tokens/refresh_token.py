"""Refresh tokens: family, generation, account, and a mark that only this service can make (D6, threats §6).

Nothing of the token is stored: the successor is computed again when a retry asks for it. The mark covers the application,
so that a token means nothing in another's hands; and since the token names the account, a rotation needs no read before
its one conditional write.
"""

from dataclasses import dataclass

from credence.clock import Milliseconds
from credence.crypto import base64url
from credence.crypto.digest import constant_time_equal, keyed_digest
from credence.crypto.randomness import credential_prefix, random_bytes

EXPIRY_BYTES = 6
FAMILY_BYTES = EXPIRY_BYTES + 16
_GENERATION_BYTES = 4
_MARK_BYTES = 16
_HEAD_BYTES = _MARK_BYTES + FAMILY_BYTES + _GENERATION_BYTES


@dataclass(frozen=True, slots=True)
class Presented:
    """What a genuine refresh token says."""

    family_id: bytes
    generation: int
    username: str


def new_family_id(expires_at: Milliseconds) -> bytes:
    """Return a fresh family id: its expiry, then 128 random bits."""
    return expires_at.to_bytes(EXPIRY_BYTES, "big") + random_bytes(FAMILY_BYTES - EXPIRY_BYTES)


def write(environment: str, key: bytes, client_id: str, presented: Presented) -> str:
    """Return the refresh token of this application that says this."""
    counter = presented.generation.to_bytes(_GENERATION_BYTES, "big")
    said = presented.family_id + counter + presented.username.encode()
    return credential_prefix(environment, "ref") + base64url.encode(_mark(key, client_id, said) + said)


def read(environment: str, key: bytes, client_id: str, text: str) -> Presented | None:
    """Return what the token says, or None when this service never wrote it for this application."""
    presented = unverified(environment, text)
    if presented is None or not is_genuine(environment, key, client_id, presented, text):
        return None
    return presented


def is_genuine(environment: str, key: bytes, client_id: str, presented: Presented, text: str) -> bool:
    """Tell whether the text that says this is the one that this service writes for this application."""
    return constant_time_equal(write(environment, key, client_id, presented).encode(), text.encode())


def unverified(environment: str, text: str) -> Presented | None:
    """Return what a text in the form of a refresh token says, whoever wrote it; None for any other text."""
    prefix = credential_prefix(environment, "ref")
    if not text.startswith(prefix):
        return None
    try:
        data = base64url.decode(text[len(prefix) :])
        username = data[_HEAD_BYTES:].decode()
    except ValueError:
        return None
    if len(data) < _HEAD_BYTES:
        return None
    family_id, counter = data[_MARK_BYTES:][:FAMILY_BYTES], data[_MARK_BYTES + FAMILY_BYTES : _HEAD_BYTES]
    return Presented(family_id, int.from_bytes(counter, "big"), username)


def _mark(key: bytes, client_id: str, said: bytes) -> bytes:
    return keyed_digest(key, "refresh token", client_id.encode(), said)[:_MARK_BYTES]
