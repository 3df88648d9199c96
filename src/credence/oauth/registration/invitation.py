"""Invitations: initial access tokens, with which an application may register itself (RFC 7591 §1.2, §3).

An unused invitation is not stored: it contains its limits, with an authentication tag. Each use is recorded in the replay
cache until the invitation expires.
"""

import msgspec

from credence.clock import Milliseconds
from credence.crypto import base64url
from credence.crypto.digest import constant_time_equal, keyed_digest
from credence.crypto.randomness import IDENTIFIER_BYTES, credential_prefix, random_bytes
from credence.store.contract import Store

MOST_USES = 20
"""Uses are tried one after the other."""

LONGEST_LIFE = 2_592_000
"""Seconds: thirty days."""

_MARK_BYTES = 16


class Invitation(msgspec.Struct, frozen=True, array_like=True):
    """How many applications it may register, and what each of them may have at most."""

    id: bytes
    expires_at: Milliseconds
    uses: int
    grants: tuple[str, ...]
    scopes: tuple[str, ...]
    audiences: tuple[str, ...]


_decode = msgspec.json.Decoder(Invitation).decode


def new_invitation(
    expires_at: Milliseconds,
    uses: int,
    grants: tuple[str, ...],
    scopes: tuple[str, ...],
    audiences: tuple[str, ...],
) -> Invitation:
    """Return an invitation with a new random id."""
    return Invitation(random_bytes(IDENTIFIER_BYTES), expires_at, uses, grants, scopes, audiences)


def write(environment: str, key: bytes, invitation: Invitation) -> str:
    """Return the initial access token of this invitation."""
    said = msgspec.json.encode(invitation)
    return credential_prefix(environment, "inv") + base64url.encode(_mark(key, said) + said)


def read(environment: str, key: bytes, text: str, now: Milliseconds) -> Invitation | None:
    """Return the invitation of a token; None when this service did not issue it or it has expired."""
    prefix = credential_prefix(environment, "inv")
    if not text.startswith(prefix):
        return None
    try:
        data = base64url.decode(text[len(prefix) :])
    except ValueError:
        return None
    mark, said = data[:_MARK_BYTES], data[_MARK_BYTES:]
    if not constant_time_equal(mark, _mark(key, said)):
        return None
    invitation = _decode(said)
    return invitation if now < invitation.expires_at else None


async def use(store: Store, key: bytes, invitation: Invitation) -> bool:
    """Use it once; True for as many callers as it has uses, on whatever node (threats L1). StoreUnavailable."""
    for number in range(invitation.uses):
        mark = keyed_digest(key, "invitation use", invitation.id, number.to_bytes(2, "big"))
        if await store.consume_once(mark, invitation.expires_at):
            return True
    return False


def _mark(key: bytes, said: bytes) -> bytes:
    return keyed_digest(key, "invitation", said)[:_MARK_BYTES]
