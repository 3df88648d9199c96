"""Notices of the end of a session, as deliveries of the outbox: one for each application that the session reached.

The store writes them in the transaction that ends the session, so no end of a session goes without them: by the person, an
application, the operator, a change of the password or of the state of the account.
"""

from typing import NamedTuple

from credence.store.deliveries import Delivery

KIND = "sign_out"

KEPT_MS = 3_600_000
"""How long a notice is kept, delivered or not."""


class SignOutNotice(NamedTuple):
    """What an application is to learn."""

    session_id: bytes
    """The 16 octets by which it knows the session (`sid`)."""
    username: str


def read_notice(delivery: Delivery) -> SignOutNotice:
    """Return the notice in a delivery of this kind: its payload is the id in hexadecimal, a colon and the login name."""
    session_id, _, username = delivery.payload.decode().partition(":")
    return SignOutNotice(bytes.fromhex(session_id), username)
