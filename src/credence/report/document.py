"""An encoded report and its entity tag."""

import base64
import hashlib

import msgspec


class Document(msgspec.Struct, frozen=True):
    """An encoded report and its entity tag, which is equal for equal bytes."""

    body: bytes
    tag: str


def document(body: bytes) -> Document:
    """Return a document with a strong entity tag computed from its bytes (RFC 9110 §8.8.3)."""
    return Document(body, f'"{base64.urlsafe_b64encode(hashlib.sha256(body).digest()[:12]).decode()}"')
