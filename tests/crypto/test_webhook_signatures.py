"""The signatures of webhooks, verified by the library of Standard Webhooks and by another implementation of Ed25519."""

import base64
import datetime as dt

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from standardwebhooks.webhooks import Webhook

from credence.crypto import webhook_signatures

SECRET = bytes(range(32))
BODY = '{"test": 2432232314}'
SIGNED = f"msg_1.1764000000.{BODY}".encode()


def test_a_receiver_verifies_the_hmac_with_the_secret_it_was_given() -> None:
    now = dt.datetime.now(dt.UTC)
    signed = f"msg_1.{int(now.timestamp())}.{BODY}".encode()
    headers = {
        "webhook-id": "msg_1",
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": webhook_signatures.hmac_signature(SECRET, signed),
    }
    receiver = Webhook(webhook_signatures.secret_text(SECRET))
    assert receiver.verify(BODY, headers) == {"test": 2432232314}
    assert receiver.sign("msg_1", now, BODY) == headers["webhook-signature"]


def test_a_receiver_verifies_ed25519_with_the_public_key_it_was_given() -> None:
    version, _, signature = webhook_signatures.ed25519_signature(SECRET, SIGNED).partition(",")
    kind, _, key = webhook_signatures.public_text(SECRET).partition("_")
    Ed25519PublicKey.from_public_bytes(base64.b64decode(key)).verify(base64.b64decode(signature), SIGNED)
    assert (version, kind) == ("v1a", "whpk")


def test_a_new_secret_has_32_octets() -> None:
    assert len(webhook_signatures.new_secret()) == 32
