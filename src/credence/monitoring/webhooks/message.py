"""The requests to webhooks: a body with type, time and little data, and the keys that sign it in a header.

The body names the event and its address. Reading the content of the event needs a token, so the audit trail stays complete.
Keys are created, rotated and sealed for the store (Standard Webhooks 1.0.0, threats T13).
"""

from typing import Literal

import msgspec

from credence import paths
from credence.clock import Milliseconds, rfc3339
from credence.crypto.digest import keyed_digest
from credence.crypto.sealing import KeyEncryptionKeys, seal, unseal
from credence.crypto.webhook_signatures import (
    ed25519_signature,
    hmac_signature,
    new_secret,
    public_text,
    secret_text,
)
from credence.store.deliveries import Delivery
from credence.store.webhooks import Message, Webhook, WebhookKey

Signature = Literal["ed25519", "hmac-sha256"]

EXCHANGE_MS = 86_400_000
"""How long the previous key signs in addition to the new one, so that receivers can change over at any time."""


class WebhookKeys:
    """Creates and opens the keys of webhooks, which are sealed under a key derived from the digest key."""

    def __init__(self, digest_key: bytes) -> None:
        self._sealing = KeyEncryptionKeys((keyed_digest(digest_key, "webhook key"),))

    def make(self, webhook: str, signature: Signature, now: Milliseconds) -> tuple[WebhookKey, str]:
        """Return a new key of a webhook, and its HMAC secret to show once; empty for Ed25519, which has a public key."""
        secret = new_secret()
        symmetric = signature == "hmac-sha256"
        key = WebhookKey(seal(self._sealing, _purpose(webhook), secret), "" if symmetric else public_text(secret), now)
        return key, secret_text(secret) if symmetric else ""

    def exchanged(self, webhook: Webhook, now: Milliseconds) -> tuple[tuple[WebhookKey, ...], str]:
        """Return the keys of a webhook with a new one, and its HMAC secret to show once.

        The previous key signs for a day.
        """
        new, shown = self.make(webhook.id, webhook.signature, now)
        before = webhook.keys[0]
        return (new, WebhookKey(before.sealed, before.public, before.created_at, now + EXCHANGE_MS)), shown

    def signatures(self, webhook: Webhook, signed: bytes, now: Milliseconds) -> str:
        """Return the value of `webhook-signature`: an entry for each key that signs, separated by spaces."""
        sign = hmac_signature if webhook.signature == "hmac-sha256" else ed25519_signature
        return " ".join(
            sign(unseal(self._sealing, _purpose(webhook.id), each.sealed), signed) for each in signing(webhook, now)
        )


def signing(webhook: Webhook, now: Milliseconds) -> list[WebhookKey]:
    """Return the keys that sign now, the newest first."""
    return [each for each in webhook.keys if not each.until or each.until > now]


def _purpose(webhook: str) -> str:
    return f"webhook:{webhook}"


class MessageData(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a message is about."""

    sequence: int = 0
    """The number of the event in the feed. Messages arrive in any order; this gives theirs."""
    event: str = ""
    """The address of the event."""
    portfolio: str = ""
    company_number: str = ""
    webhook: str = ""
    reason: str = ""
    day: str = ""
    digest: str = ""
    """The address of the digest of that day."""


class MessageBody(msgspec.Struct, frozen=True):
    """The body of a request."""

    type: str
    timestamp: str
    data: MessageData


def message_id(delivery: bytes) -> str:
    """Return the `webhook-id` of a delivery, which is the same in every attempt and replay."""
    return f"msg_{delivery.hex()}"


def body_of(message: Message, made_at: Milliseconds, issuer: str) -> bytes:
    """Return the body, which is the same in every attempt."""
    data = MessageData(
        message.sequence,
        f"{issuer}{paths.EVENTS}/{message.sequence}" if message.sequence else "",
        message.portfolio,
        message.company,
        message.webhook,
        message.reason,
        message.day,
        f"{issuer}{paths.DIGEST}?day={message.day}" if message.day else "",
    )
    return msgspec.json.encode(MessageBody(message.type, rfc3339(made_at), data))


def header_of(
    keys: WebhookKeys, webhook: Webhook, delivery: Delivery, body: bytes, now: Milliseconds
) -> dict[str, str]:
    """Return the header fields of one attempt; the timestamp is that of the attempt."""
    identity, timestamp = message_id(delivery.id), str(now // 1000)
    signed = f"{identity}.{timestamp}.".encode() + body
    return {
        "Content-Type": "application/json",
        "webhook-id": identity,
        "webhook-timestamp": timestamp,
        "webhook-signature": keys.signatures(webhook, signed, now),
    }
