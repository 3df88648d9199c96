"""Pushed authorization requests, sealed into their request_uri and not stored (RFC 9126).

A `request_uri` contains what the client sent, so any node can read it. It is used once: the code or the person's refusal
that it leads to puts its id in the replay cache, and a second one is declined. Visiting it twice before that is allowed,
because browsers load pages again (RFC 9126 §4).
"""

import msgspec

from credence.clock import Milliseconds
from credence.crypto import base64url
from credence.crypto.digest import keyed_digest
from credence.crypto.randomness import IDENTIFIER_BYTES, credential_prefix, random_bytes
from credence.crypto.sealing import KeyEncryptionKeys, Unsealable, seal, unseal
from credence.store.contract import Store

LIFETIME_SECONDS = 300
"""The lifetime of a request_uri, in which the browser must arrive (RFC 9126 §2.2: 5 to 600 seconds)."""

URN = "urn:ietf:params:oauth:request_uri:"
"""The prefix of every request_uri of a pushed request (RFC 9126 §2.2)."""

MAX_CHARACTERS = 3_500
"""The maximum length of a request_uri, which must fit into the URL that the browser sends (`screening/limits.py`)."""

_PURPOSE = "pushed request"


class PushedRequest(msgspec.Struct, frozen=True, array_like=True):
    """The content of a request_uri: what an authenticated client pushed."""

    id: bytes
    client_id: str
    expires_at: Milliseconds
    pairs: tuple[tuple[str, str], ...]


_decode = msgspec.msgpack.Decoder(PushedRequest).decode


def new_pushed(client_id: str, pairs: tuple[tuple[str, str], ...], now: Milliseconds) -> PushedRequest:
    """Return a pushed request with a new random id."""
    return PushedRequest(random_bytes(IDENTIFIER_BYTES), client_id, now + LIFETIME_SECONDS * 1000, pairs)


def write_pushed(environment: str, key: KeyEncryptionKeys, pushed: PushedRequest) -> str:
    """Return the request_uri of this request."""
    sealed = seal(key, _PURPOSE, msgspec.msgpack.encode(pushed))
    return URN + credential_prefix(environment, "par") + base64url.encode(sealed)


def read_pushed(environment: str, key: KeyEncryptionKeys, uri: str) -> PushedRequest | None:
    """Return the request of a request_uri of this service, expired or not; None for any other text."""
    prefix = URN + credential_prefix(environment, "par")
    if not uri.startswith(prefix) or len(uri) > MAX_CHARACTERS:
        return None
    try:
        return _decode(unseal(key, _PURPOSE, base64url.decode(uri[len(prefix) :])))
    except (ValueError, Unsealable, msgspec.DecodeError):
        return None


async def use(store: Store, key: bytes, pushed: PushedRequest, until: Milliseconds) -> bool:
    """Record that a request was answered; True for the first call only, over all nodes.

    `until` is when its last page expires.
    """
    return await store.consume_once(keyed_digest(key, "pushed request", pushed.id), until)
