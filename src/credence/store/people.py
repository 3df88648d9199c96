"""The values that a store holds about how people prove who they are, other than passwords."""

from typing import Literal

import msgspec

from credence.clock import Milliseconds

FactorKind = Literal["totp", "recovery", "passkey"]


class Factor(msgspec.Struct, frozen=True):
    """Something a person proves who they are with: an authenticator app, a recovery code, a passkey."""

    id: bytes
    """Random for an app, the keyed digest of a recovery code, the credential id of a passkey."""
    username: str
    kind: FactorKind
    name: str
    """By which the person recognises it."""
    created_at: Milliseconds
    last_used_at: Milliseconds = 0
    """0 before the first use."""
    counter: int = 0
    """It only grows: the last accepted time step (RFC 6238 §5.2), or a passkey's signature counter (WebAuthn §6.1.1)."""
    secret: bytes = b""
    """The sealed key of an app, the public key of a passkey; empty for a recovery code."""
