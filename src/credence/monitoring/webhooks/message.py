"""The requests to webhooks: a body with type, time and little data, and the header that signs it.

The body names the event and its address. Reading the content of the event needs a token, so the audit trail stays complete.
"""

import msgspec

from credence import paths
from credence.clock import Milliseconds, rfc3339
from credence.monitoring.webhooks.keys import WebhookKeys
from credence.store.deliveries import Delivery
from credence.store.webhooks import Message, Webhook


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
