"""Signatures of webhooks (Standard Webhooks 1.0.0): HMAC-SHA256 as `v1`, Ed25519 as `v1a`, over id, timestamp and body."""

import base64
import hashlib
import hmac

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from credence.crypto.randomness import random_bytes

SECRET_BYTES = 32
"""The length of an HMAC secret, for which the specification allows 24 to 64, and of the seed of an Ed25519 key."""


def new_secret() -> bytes:
    """Return a new HMAC secret or seed."""
    return random_bytes(SECRET_BYTES)


def secret_text(secret: bytes) -> str:
    """Return an HMAC secret in the form that receivers get."""
    return f"whsec_{_base64(secret)}"


def public_text(seed: bytes) -> str:
    """Return the public half of an Ed25519 key in the form that receivers get."""
    return f"whpk_{_base64(Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw())}"


def hmac_signature(secret: bytes, signed: bytes) -> str:
    """Return an entry of `webhook-signature` made with an HMAC secret."""
    return f"v1,{_base64(hmac.new(secret, signed, hashlib.sha256).digest())}"


def ed25519_signature(seed: bytes, signed: bytes) -> str:
    """Return an entry of `webhook-signature` made with an Ed25519 key."""
    return f"v1a,{_base64(Ed25519PrivateKey.from_private_bytes(seed).sign(signed))}"


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()
