"""What the outbox keeps of a message, sealed under a key that is derived from the digest key."""

from typing import ClassVar

import msgspec

from credence.clock import DAY_MS, Milliseconds
from credence.crypto.digest import keyed_digest
from credence.crypto.randomness import random_bytes
from credence.crypto.sealing import KeyEncryptionKeys, seal, unseal
from credence.identity.address_codes import LIFETIME_MS, AddressChange, Role
from credence.store.deliveries import Delivery

KIND = "mail"

_SEALED = "mail"


class Notice(msgspec.Struct, frozen=True, tag="notice"):
    """A message to one address about changes of an account."""

    to: str
    username: str
    changes: tuple[str, ...]
    """Keys of `texts.CHANGES`."""
    at: Milliseconds

    KEPT_MS: ClassVar[Milliseconds] = 3 * DAY_MS


class ResetLink(msgspec.Struct, frozen=True, tag="reset"):
    """A message with a link for choosing a password, if there is an account of this name that can use one."""

    username: str
    """As a caller typed it, in normal form: perhaps the name of no account."""
    browser: bytes
    """The digest of the browser in which the link works."""
    asked_at: Milliseconds

    KEPT_MS: ClassVar[Milliseconds] = 30 * 60_000
    """For how long the link is valid from `asked_at`."""


class AddressCode(msgspec.Struct, frozen=True, tag="address code"):
    """A message with a code to one address of a change, if the account is still as it was."""

    change: AddressChange
    role: Role

    KEPT_MS: ClassVar[Milliseconds] = LIFETIME_MS


class AlertMail(msgspec.Struct, frozen=True, tag="alerts"):
    """The alerts of a morning for a person, as they are sent."""

    to: str
    username: str
    subject: str
    text: str
    html: str
    stop: str
    """The address that ends these messages at one click (RFC 8058)."""

    KEPT_MS: ClassVar[Milliseconds] = DAY_MS // 2


Message = Notice | ResetLink | AddressCode | AlertMail

_decode = msgspec.json.Decoder(Message).decode


def delivery_of(digest_key: bytes, message: Message, receiver: str, now: Milliseconds, key: str = "") -> Delivery:
    """Return a message as a delivery of the outbox. `receiver` is a login name, which the row does not contain.

    Messages with one `key` are one delivery; without a key each is another.
    """
    identity = keyed_digest(digest_key, "mail", key.encode()) if key else random_bytes(32)
    person = keyed_digest(digest_key, "mail receiver", receiver.encode())[:8].hex()
    sealed = seal(_keys(digest_key), _SEALED, msgspec.json.encode(message))
    return Delivery(identity, KIND, f"mail {person}", sealed, now, now, now + message.KEPT_MS)


def message_of(digest_key: bytes, delivery: Delivery) -> Message:
    """Return the message of a delivery."""
    found: Message = _decode(unseal(_keys(digest_key), _SEALED, delivery.payload))
    return found


def _keys(digest_key: bytes) -> KeyEncryptionKeys:
    return KeyEncryptionKeys((keyed_digest(digest_key, "mail key"),))
