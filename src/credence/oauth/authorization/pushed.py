"""Pushed authorization requests: stored sealed, under a short reference (RFC 9126).

A `request_uri` ends in the logs of proxies, so it contains only a random id, with a tag that spares the store a read for
every other text. The pages take the sealed request along, so a person may take longer than the reference lives. It is used
once: the code or the person's refusal that it leads to puts its id in the replay cache, and a second one is declined.
Visiting it twice before that is allowed, because browsers load pages again (RFC 9126 §4).
"""

from collections.abc import Sequence

import msgspec

from credence.clock import Milliseconds
from credence.crypto import base64url
from credence.crypto.digest import keyed_digest
from credence.crypto.randomness import IDENTIFIER_BYTES, credential_prefix, random_bytes
from credence.crypto.sealing import KeyEncryptionKeys, Unsealable, seal, unseal
from credence.crypto.tagged_text import TaggedText
from credence.store.contract import Store

_Pairs = Sequence[tuple[str, str]]

LIFETIME_SECONDS = 300
"""The lifetime of a request_uri, in which the browser must arrive (RFC 9126 §2.2: 5 to 600 seconds)."""

URN = "urn:ietf:params:oauth:request_uri:"
"""The prefix of every request_uri of a pushed request (RFC 9126 §2.2)."""

MAX_CHARACTERS = 8_000
"""The maximum length of a sealed request, which must fit into the forms of the pages (`screening/limits.py`)."""

_KEPT_MS = 900_000
"""For how long the request is kept after its arrival: a reference that has expired is known as one for a while."""

_REFERENCE = TaggedText("par", "pushed address", tag_bytes=16)

_PURPOSE = "pushed request"


class PushedRequest(msgspec.Struct, frozen=True, array_like=True):
    """What an authenticated client pushed."""

    id: bytes
    client_id: str
    expires_at: Milliseconds
    pairs: tuple[tuple[str, str], ...]


_decode = msgspec.msgpack.Decoder(PushedRequest).decode


def new_pushed(client_id: str, pairs: tuple[tuple[str, str], ...], now: Milliseconds) -> PushedRequest:
    """Return a pushed request with a new random id."""
    return PushedRequest(random_bytes(IDENTIFIER_BYTES), client_id, now + LIFETIME_SECONDS * 1000, pairs)


def seal_pushed(environment: str, key: KeyEncryptionKeys, pushed: PushedRequest) -> str:
    """Return the sealed request, in the form of a request_uri, so that it can take the place of its reference."""
    sealed = seal(key, _PURPOSE, msgspec.msgpack.encode(pushed))
    return URN + credential_prefix(environment, "par") + base64url.encode(sealed)


async def keep(store: Store, environment: str, key: bytes, pushed: PushedRequest, sealed: str) -> str:
    """Store the sealed request and return its request_uri. Raises StoreUnavailable."""
    until = pushed.expires_at - LIFETIME_SECONDS * 1000 + _KEPT_MS
    await store.keep_answer(_row(key, pushed.id), sealed.encode(), until)
    return URN + _REFERENCE.write(environment, key, pushed.id)


async def opened(store: Store, environment: str, key: bytes, pairs: _Pairs, now: Milliseconds) -> _Pairs:
    """Return the parameters of a request, with the sealed request in place of a reference that is kept."""
    found = {
        value: await _sealed(store, environment, key, value, now) for name, value in pairs if name == "request_uri"
    }
    return [(name, found.get(value) or value) if name == "request_uri" else (name, value) for name, value in pairs]


async def _sealed(store: Store, environment: str, key: bytes, uri: str, now: Milliseconds) -> str | None:
    id_ = _REFERENCE.read(environment, key, uri.removeprefix(URN)) if uri.startswith(URN) else None
    kept = None if id_ is None else await store.kept_answer(_row(key, id_), now)
    return None if kept is None else kept.decode()


def _row(key: bytes, id_: bytes) -> bytes:
    return keyed_digest(key, "pushed row", id_)


def read_pushed(environment: str, key: KeyEncryptionKeys, uri: str) -> PushedRequest | None:
    """Return the request of a sealed request of this service, expired or not; None for any other text."""
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
