"""Security event tokens (RFC 8417, SSF §4), and the content of their deliveries in the outbox.

A token is signed when it is sent, so that a key that was replaced meanwhile signs nothing. Its `jti` is the id of its
delivery and stays the same in every attempt. It has neither `sub` nor `exp` (SSF §4.1.3, §4.1.7).
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from credence.clock import Milliseconds
from credence.crypto.digest import sha256
from credence.crypto.jws import sign
from credence.oauth.authority import Authority
from credence.store.deliveries import HELD, Delivery
from credence.store.records import Application
from credence.store.signals import KEPT_MS, KIND, SignalStream

TYPE = "secevent+jwt"

MEDIA_TYPE = f"application/{TYPE}"


class Content(msgspec.Struct, frozen=True):
    """The content of a delivery to a stream: one event."""

    event: str
    subject: dict[str, Any]
    members: dict[str, Any]


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Content).decode


def delivery_of(
    stream: SignalStream,
    event: str,
    subject: Mapping[str, Any],
    members: Mapping[str, Any],
    key: str,
    now: Milliseconds,
) -> Delivery:
    """Return the delivery of an event to a stream: due now if it is pushed, held if it is polled or the stream paused.

    `key` distinguishes deliveries of one event; the same key gives the same delivery.
    """
    identity = sha256(f"{stream.id}\n{event}\n{key}".encode())[:16]
    payload = _encode(Content(event, dict(subject), dict(members)))
    return Delivery(identity, KIND, stream.id, payload, now, due_at(stream, now), now + KEPT_MS)


def due_at(stream: SignalStream, now: Milliseconds) -> Milliseconds:
    """Return the `due_at` of a stream's pending deliveries."""
    return now if stream.method == "push" and stream.status == "enabled" else HELD


def content_of(delivery: Delivery) -> Content:
    """Return the content of a delivery."""
    return _decode(delivery.payload)


def token_of(authority: Authority, application: Application, delivery: Delivery, now: Milliseconds) -> str:
    """Return the signed token of a delivery. The algorithm is that of the application's ID tokens."""
    content = _decode(delivery.payload)
    claims = {
        "iss": authority.settings.issuer,
        "aud": application.client_id,
        "iat": delivery.created_at // 1000,
        "jti": delivery.id.hex(),
        "sub_id": content.subject,
        "events": {content.event: content.members},
    }
    return sign(authority.id_token_key(application.id_token_algorithm, now), TYPE, msgspec.json.encode(claims))
