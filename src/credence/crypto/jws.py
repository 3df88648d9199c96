"""One narrow profile of JWS (RFC 7515): three parts, compact, a known `kid`, that key's one algorithm (threats T1-T7).

Signing writes the header once per key and is deterministic except for PS256. Verifying trusts nothing of the token's
header: it must be, member for member, one that we would have written.
"""

from collections.abc import Mapping

import msgspec

from credence.crypto import base64url
from credence.crypto.jwk import SigningKey, VerifyingKey

LONGEST_TOKEN = 8_192
"""Characters; a longer one is refused before it is looked at (threats T10)."""


class InvalidSignature(Exception):
    """The text is not a token that one of these keys signed; the argument is a reason code."""


class _Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    alg: str
    kid: str
    typ: str


def sign(key: SigningKey, typ: str, payload: bytes) -> str:
    """Return the compact serialisation of `payload`, signed."""
    header = msgspec.json.encode(_Header(key.algorithm, key.kid, typ))
    signing_input = f"{base64url.encode(header)}.{base64url.encode(payload)}"
    return f"{signing_input}.{base64url.encode(key.sign(signing_input.encode()))}"


def verify(keys: Mapping[str, VerifyingKey], typ: str, token: str) -> bytes:
    """Return the payload of a token that one of `keys` signed with this `typ`; InvalidSignature otherwise."""
    parts = compact_parts(token)
    try:
        header = msgspec.json.decode(base64url.decode(parts[0]), type=_Header)
        payload = base64url.decode(parts[1])
        base64url.decode(parts[2])
    except (ValueError, msgspec.DecodeError) as error:
        raise InvalidSignature("token.malformed") from error
    key = keys.get(header.kid)
    if key is None:
        raise InvalidSignature("token.unknown_key")
    if base64url.encode(msgspec.json.encode(_Header(key.algorithm, key.kid, typ))) != parts[0]:
        # Another algorithm, another type, or a header in a spelling we never write: duplicate members among them.
        raise InvalidSignature("token.unexpected_header")
    if not key.verify(token):
        raise InvalidSignature("token.bad_signature")
    return payload


def compact_parts(token: str) -> list[str]:
    """Return header, payload and signature, still encoded (RFC 7515 §7.1); InvalidSignature for any other text."""
    if len(token) > LONGEST_TOKEN:
        raise InvalidSignature("token.too_long")
    parts = token.split(".")
    if len(parts) != 3 or not all(parts):
        raise InvalidSignature("token.not_compact")
    return parts
