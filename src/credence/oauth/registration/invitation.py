"""Invitations: initial access tokens, with which an application may register itself (RFC 7591 §1.2, §3).

An unused invitation is not stored: it contains its limits, with an authentication tag. Each use is recorded in the replay
cache until the invitation expires.
"""

import msgspec

from credence.clock import Milliseconds
from credence.crypto.digest import keyed_digest
from credence.crypto.randomness import IDENTIFIER_BYTES, random_bytes
from credence.crypto.tagged_text import TaggedText
from credence.store.contract import Store
from credence.store.records import Pkce

MAX_USES = 20
"""Maximum uses of an invitation. One use costs up to this number of writes to the replay cache."""

MAX_LIFETIME_SECONDS = 2_592_000
"""The maximum lifetime of an invitation: thirty days."""

_TOKEN = TaggedText("inv", "invitation", tag_bytes=16)


class Invitation(msgspec.Struct, frozen=True, array_like=True):
    """The number of applications that may be registered with it, and the limits of each of them."""

    id: bytes
    expires_at: Milliseconds
    uses: int
    grants: tuple[str, ...]
    scopes: tuple[str, ...]
    audiences: tuple[str, ...]
    pkce: Pkce = "or_nonce"


_decode = msgspec.json.Decoder(Invitation).decode


def new_invitation(
    expires_at: Milliseconds,
    uses: int,
    grants: tuple[str, ...],
    scopes: tuple[str, ...],
    audiences: tuple[str, ...],
    pkce: Pkce = "or_nonce",
) -> Invitation:
    """Return an invitation with a new random id."""
    return Invitation(random_bytes(IDENTIFIER_BYTES), expires_at, uses, grants, scopes, audiences, pkce)


def write(environment: str, key: bytes, invitation: Invitation) -> str:
    """Return the initial access token of this invitation."""
    return _TOKEN.write(environment, key, msgspec.json.encode(invitation))


def read(environment: str, key: bytes, text: str, now: Milliseconds) -> Invitation | None:
    """Return the invitation of a token; None when this service did not issue it or it has expired."""
    content = _TOKEN.read(environment, key, text)
    if content is None:
        return None
    invitation = _decode(content)
    return invitation if now < invitation.expires_at else None


async def use(store: Store, key: bytes, invitation: Invitation) -> bool:
    """Record one use; returns False if the invitation is used up, over all nodes (threats L1). Raises StoreUnavailable."""
    for number in range(invitation.uses):
        mark = keyed_digest(key, "invitation use", invitation.id, number.to_bytes(2, "big"))
        if await store.consume_once(mark, invitation.expires_at):
            return True
    return False
