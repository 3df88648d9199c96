"""One-time codes of an authenticator app (TOTP, RFC 6238): 30 seconds, six digits, HMAC-SHA-1, as every app supports."""

import base64
import hmac
from urllib.parse import quote, urlencode

from credence.clock import Milliseconds
from credence.crypto.digest import constant_time_equal
from credence.crypto.randomness import random_bytes

PERIOD_MS = 30_000
DIGITS = 6
KEY_BYTES = 20
"""The length of a key: that of the hash, as RFC 4226 §4 recommends."""

_TOLERANCE = (-1, 0, 1)
"""Accepted time steps, relative to the present one (RFC 6238 §5.2)."""


def new_key() -> bytes:
    """Return a new key of 160 random bits."""
    return random_bytes(KEY_BYTES)


def code_at(key: bytes, step: int, digits: int = DIGITS) -> str:
    """Return the code of a time step (RFC 4226 §5.3)."""
    digest = hmac.digest(key, step.to_bytes(8, "big"), "sha1")
    offset = digest[-1] & 15
    number = int.from_bytes(digest[offset : offset + 4], "big") & 0x7FFF_FFFF
    return str(number % 10**digits).zfill(digits)


def step_of(key: bytes, code: str, now: Milliseconds) -> int | None:
    """Return the time step of a code, None for a wrong code. All steps are compared, so the duration reveals nothing."""
    present = now // PERIOD_MS
    found = None
    for step in (present + offset for offset in _TOLERANCE):
        if constant_time_equal(code_at(key, step).encode(), code.encode()):
            found = step
    return found


def key_text(key: bytes) -> str:
    """Return the key in the form in which people type it into an app: base32 in groups of four."""
    text = base64.b32encode(key).decode()
    return " ".join(text[start : start + 4] for start in range(0, len(text), 4))


def key_uri(key: bytes, issuer: str, username: str) -> str:
    """Return the URI for a QR code: the key, with the names that the app displays."""
    name = issuer.replace(":", " ")
    query = {
        "secret": base64.b32encode(key).decode(),
        "issuer": name,
        "algorithm": "SHA1",
        "digits": DIGITS,
        "period": PERIOD_MS // 1000,
    }
    return f"otpauth://totp/{quote(name)}:{quote(username)}?{urlencode(query, quote_via=quote)}"
