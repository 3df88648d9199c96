"""Records of what people sign in with besides passwords."""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from credence.clock import Milliseconds
from credence.store.sign_ins import Consent, Session

FactorKind = Literal["totp", "recovery", "passkey"]

_OF_SESSION = Session.__struct_fields__

SESSION_WITH_CONSENTS = ", ".join(
    [*(f"sessions.{name}" for name in _OF_SESSION), *(f"consents.{name}" for name in Consent.__struct_fields__)]
)
"""The columns of the rows that `session_with_consents` reads."""


def session_with_consents(rows: Sequence[Sequence[Any]]) -> tuple[Session, list[Consent]] | None:
    """Return the session and consents of an outer join, whose rows have one consent each or a single row has none."""
    if not rows:
        return None
    count = len(_OF_SESSION)
    consents = [Consent(*row[count:]) for row in rows if row[count] is not None]
    return Session(*rows[0][:count]), consents


class Factor(msgspec.Struct, frozen=True):
    """Something a person proves who they are with: an authenticator app, a recovery code, a passkey."""

    id: bytes
    """Random for an app, the keyed digest of a recovery code, the credential id of a passkey."""
    username: str
    kind: FactorKind
    name: str
    """The name by which the person recognises the factor."""
    created_at: Milliseconds
    last_used_at: Milliseconds = 0
    """0 before the first use."""
    counter: int = 0
    """It only grows: the last accepted time step (RFC 6238 §5.2), or a passkey's signature counter (WebAuthn §6.1.1)."""
    secret: bytes = b""
    """The sealed key of an app, the public key of a passkey; empty for a recovery code."""
