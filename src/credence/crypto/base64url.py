"""Base64url without padding (RFC 7515 §2), with exactly one encoding of each value (threats T7)."""

import base64
import binascii


def encode(data: bytes) -> str:
    """Return the unpadded base64url text of `data`."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    """Decode canonical unpadded base64url. ValueError for padding, other characters or non-zero unused bits."""
    try:
        data = base64.urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    except (binascii.Error, UnicodeEncodeError) as error:
        raise ValueError("not base64url") from error
    if encode(data) != text:
        raise ValueError("not canonical base64url")
    return data
