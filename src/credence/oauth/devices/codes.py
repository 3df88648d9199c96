"""The two codes of a device: a sealed one that it polls with, and a short one that a person types (RFC 8628 §3.2).

The device code contains the id of the token family that it opens, as an authorization code does: a second redemption finds
the family of the first one. The store has a row under a keyed digest of the user code and neither of the codes.
"""

import msgspec

from credence.clock import Milliseconds
from credence.crypto import base64url
from credence.crypto.digest import keyed_digest
from credence.crypto.randomness import USER_CODE_LENGTH, USER_CODE_LETTERS, credential_prefix
from credence.crypto.sealing import KeyEncryptionKeys, Unsealable, seal, unseal

LIFETIME_SECONDS = 600
"""In which the person must have decided."""

INTERVAL_SECONDS = 5
"""Between two polls, and what is added to it when a device polls too early (RFC 8628 §3.2, §3.5)."""

_PURPOSE = "device code"
_KIND = "dev"


class DeviceCode(msgspec.Struct, frozen=True, array_like=True):
    """What a device code carries."""

    client_id: str
    key: bytes
    """Of the row that says what the person decided."""
    family_id: bytes
    expires_at: Milliseconds


_decode = msgspec.msgpack.Decoder(DeviceCode).decode


def write_device_code(environment: str, key: KeyEncryptionKeys, code: DeviceCode) -> str:
    """Return the text of a device code."""
    return credential_prefix(environment, _KIND) + base64url.encode(seal(key, _PURPOSE, msgspec.msgpack.encode(code)))


def read_device_code(environment: str, key: KeyEncryptionKeys, text: str) -> DeviceCode | None:
    """Return what a device code of this service carries, expired or not; None for any other text."""
    prefix = credential_prefix(environment, _KIND)
    if not text.startswith(prefix):
        return None
    try:
        return _decode(unseal(key, _PURPOSE, base64url.decode(text[len(prefix) :])))
    except (ValueError, Unsealable, msgspec.DecodeError):
        return None


def user_code_key(digest_key: bytes, code: str) -> bytes:
    """Return the key of the row of a user code, which is in normal form."""
    return keyed_digest(digest_key, "user code", code.encode())


def normal_user_code(text: str) -> str | None:
    """Return the letters of a user code as a person typed it, None if it cannot be one (RFC 8628 §6.1).

    Case, blanks and dashes do not matter.
    """
    letters = "".join(text.replace("-", " ").split()).upper()
    return letters if len(letters) == USER_CODE_LENGTH and set(letters) <= set(USER_CODE_LETTERS) else None


def shown_user_code(code: str) -> str:
    """Return a user code in two groups, as devices and pages show it."""
    return f"{code[:4]}-{code[4:]}"
