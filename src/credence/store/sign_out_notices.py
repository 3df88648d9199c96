"""Notices of the end of a session, as deliveries of the outbox: one for each application that the session reached.

The store writes them in the transaction that ends the session, whether the person, an application, the operator, or a
change of the account's password or status ends it.
"""

from typing import NamedTuple

from credence.store.deliveries import Delivery

KIND = "sign_out"

KEPT_MS = 3_600_000
"""How long a notice is kept, delivered or not."""


class SignOutNotice(NamedTuple):
    """The payload of a sign-out notice to one application."""

    session_id: bytes
    """The session's `sid` at the application, 16 octets."""
    username: str


def read_notice(delivery: Delivery) -> SignOutNotice:
    """Return the notice in a delivery of this kind: its payload is the id in hexadecimal, a colon and the login name."""
    session_id, _, username = delivery.payload.decode().partition(":")
    return SignOutNotice(bytes.fromhex(session_id), username)
