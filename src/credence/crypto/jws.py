"""The JWS profile of the service's own tokens (RFC 7515): compact, a known `kid`, the algorithm of that key (threats T1-T7).

Signatures are deterministic except for PS256. Verification accepts a header only if it is exactly the one that the service
writes for this key and `typ`.
"""

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from credence.crypto import base64url
from credence.crypto.jwk import SigningKey, VerifyingKey

MAX_TOKEN_CHARACTERS = 8_192
"""Maximum length of a token; a longer one is refused without parsing (threats T10)."""


class InvalidSignature(Exception):
    """The text is not a token that one of the keys signed. The argument is the reason code."""


class UnexpectedHeader(InvalidSignature):
    """The header has another algorithm or type than the key's, or another encoding, such as duplicate members."""


class _Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    alg: str
    kid: str
    typ: str


def sign(key: SigningKey, typ: str, payload: bytes) -> str:
    """Sign `payload` and return the compact serialisation."""
    signing_input = f"{_encoded_header(key.algorithm, key.kid, typ)}.{base64url.encode(payload)}"
    return f"{signing_input}.{base64url.encode(key.sign(signing_input.encode()))}"


def verify(keys: Mapping[str, VerifyingKey], typ: str, token: str, *, again: bool = False) -> bytes:
    """Return the payload of a token that one of `keys` signed with this `typ`; InvalidSignature otherwise.

    `again` says that the signature of this very text was found valid with these keys, so that it is not computed again.
    """
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
    if _encoded_header(key.algorithm, key.kid, typ) != parts[0]:
        raise UnexpectedHeader("token.unexpected_header")
    if not again and not key.verify(token):
        raise InvalidSignature("token.bad_signature")
    return payload


@lru_cache(maxsize=64)
def _encoded_header(algorithm: str, kid: str, typ: str) -> str:
    """Return the header of every token of this type that this key signs. It is cached; no part comes from a caller."""
    return base64url.encode(msgspec.json.encode(_Header(algorithm, kid, typ)))


def compact_parts(token: str) -> list[str]:
    """Return header, payload and signature, still encoded (RFC 7515 §7.1); InvalidSignature for any other text."""
    if len(token) > MAX_TOKEN_CHARACTERS:
        raise InvalidSignature("token.too_long")
    parts = token.split(".")
    if len(parts) != 3 or not all(parts):
        raise InvalidSignature("token.not_compact")
    return parts
