"""Encodes a status list: compressed bits in a signed JWT (draft-ietf-oauth-status-list §4, §5.1)."""

import zlib

import msgspec

from credence.crypto import base64url
from credence.crypto.jwk import SigningKey
from credence.crypto.jws import sign
from credence.oauth.tokens.status_claim import PLACES_OF_BLOCK, PLACES_OF_LIST

TYPE = "statuslist+jwt"
MEDIA_TYPE = f"application/{TYPE}"

_OCTETS_OF_BLOCK = PLACES_OF_BLOCK // 8
_BLOCK_OF_INVALID = b"\xff" * _OCTETS_OF_BLOCK


class StatusList(msgspec.Struct, frozen=True):
    """One bit for each token: 0 is valid, 1 is invalid (§4.2, §7.1)."""

    bits: int
    lst: str


class Claims(msgspec.Struct, frozen=True):
    """The claims of a Status List Token (§5.1); times are in seconds."""

    iss: str
    sub: str
    iat: int
    exp: int
    ttl: int
    status_list: StatusList


def all_valid() -> bytearray:
    """Return a list in which every token is valid. An unused place has the same bit as a valid token."""
    return bytearray(PLACES_OF_LIST // 8)


def invalidate(bits: bytearray, index: int) -> None:
    """Mark one token as invalid. The lowest index of an octet is its least significant bit (§4)."""
    bits[index >> 3] |= 1 << (index & 7)


def invalidate_block(bits: bytearray, index: int) -> None:
    """Mark all tokens of the block that begins at `index` as invalid."""
    start = index >> 3
    bits[start : start + _OCTETS_OF_BLOCK] = _BLOCK_OF_INVALID


def compressed(bits: bytearray) -> StatusList:
    """Return the bits compressed by DEFLATE in ZLIB format, at the highest level (§4.1). Takes milliseconds."""
    return StatusList(1, base64url.encode(zlib.compress(bits, 9)))


def sign_status_list(claims: Claims, key: SigningKey) -> str:
    """Return the signed Status List Token with these claims."""
    return sign(key, TYPE, msgspec.json.encode(claims))
