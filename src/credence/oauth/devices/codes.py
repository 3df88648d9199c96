"""Device code and user code (RFC 8628 §3.2): the device polls with the first, a person types the second.

The device code is sealed and contains the id of the token family to be opened, like an authorization code, so that a second
redemption finds the family. The store has one row under a keyed digest of the user code, and neither code.
"""

import msgspec

from credence.clock import Milliseconds
from credence.crypto import base64url
from credence.crypto.digest import keyed_digest
from credence.crypto.randomness import USER_CODE_LENGTH, USER_CODE_LETTERS, credential_prefix
from credence.crypto.sealing import KeyEncryptionKeys, Unsealable, seal, unseal

LIFETIME_SECONDS = 600
"""The lifetime of both codes, in which the person must decide."""

INTERVAL_SECONDS = 5
"""The minimum interval between two polls, and the increment after a poll that came too early (RFC 8628 §3.2, §3.5)."""

_PURPOSE = "device code"
_KIND = "dev"


class DeviceCode(msgspec.Struct, frozen=True, array_like=True):
    """The content of a device code."""

    client_id: str
    key: bytes
    """The key of the row with the person's decision."""
    family_id: bytes
    expires_at: Milliseconds


_decode = msgspec.msgpack.Decoder(DeviceCode).decode


def write_device_code(environment: str, key: KeyEncryptionKeys, code: DeviceCode) -> str:
    """Return the text of a device code."""
    return credential_prefix(environment, _KIND) + base64url.encode(seal(key, _PURPOSE, msgspec.msgpack.encode(code)))


def read_device_code(environment: str, key: KeyEncryptionKeys, text: str) -> DeviceCode | None:
    """Return the content of a device code of this service, expired or not; None for any other text."""
    prefix = credential_prefix(environment, _KIND)
    if not text.startswith(prefix):
        return None
    try:
        return _decode(unseal(key, _PURPOSE, base64url.decode(text[len(prefix) :])))
    except (ValueError, Unsealable, msgspec.DecodeError):
        return None


def user_code_key(digest_key: bytes, code: str) -> bytes:
    """Return the key of the row of a user code, given in normal form."""
    return keyed_digest(digest_key, "user code", code.encode())


def normal_user_code(text: str) -> str | None:
    """Return a typed user code in normal form, None if it cannot be one (RFC 8628 §6.1).

    Case, spaces and hyphens are ignored.
    """
    letters = "".join(text.replace("-", " ").split()).upper()
    return letters if len(letters) == USER_CODE_LENGTH and set(letters) <= set(USER_CODE_LETTERS) else None


def shown_user_code(code: str) -> str:
    """Return a user code in two groups, as devices and pages display it."""
    return f"{code[:4]}-{code[4:]}"
