"""JWS signed by clients: client assertions and DPoP proofs (RFC 7515, RFC 8725, threats T1-T10).

Unlike the service's own tokens (`jws.py`), they may have header parameters that the service ignores. Their content is
unverified until `is_signed_by` returns True.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from credence.crypto import base64url
from credence.crypto.client_key import ALGORITHM_ALIASES
from credence.crypto.jws import InvalidSignature, VerifyingKey, compact_parts

MAX_HEADER_CHARACTERS = 2_048
"""Maximum length of the header in base64url: enough for an RSA key of 4,096 bits."""

_REFUSED = frozenset({"crit", "b64", "zip", "enc", "jku", "x5u", "x5c"})
"""Header parameters that change the meaning of the token, or where its key comes from (threats T5, T6)."""


@dataclass(frozen=True, slots=True)
class ClientJws:
    """A decoded token, not yet verified."""

    header: Mapping[str, Any]
    claims: Mapping[str, Any]
    algorithm: str
    """The `alg` of the header after `ALGORITHM_ALIASES`. Verification uses the algorithm of the key instead."""
    token: str


def read(token: str, *, with_key: bool = False) -> ClientJws:
    """Decode a compact token whose header and payload are JSON objects; InvalidSignature for any other text.

    With `with_key` the header must contain a key (`jwk`, RFC 7515 §4.1.3); otherwise it must not.
    """
    parts = compact_parts(token)
    try:
        header = _header(parts[0])
        claims = _plain_object(parts[1])
        base64url.decode(parts[2])
    except (ValueError, RecursionError) as error:
        raise InvalidSignature("token.malformed") from error
    if not _REFUSED.isdisjoint(header) or ("jwk" in header) is not with_key:
        raise InvalidSignature("token.unexpected_header")
    return ClientJws(header, claims, ALGORITHM_ALIASES.get(header["alg"], header["alg"]), token)


def is_signed_by(token: ClientJws, key: VerifyingKey) -> bool:
    """Return whether this key signed the token, with the algorithm of the key."""
    return token.algorithm == key.algorithm and key.verify(token.token)


@lru_cache(maxsize=1024)
def _header(text: str) -> Mapping[str, Any]:
    """Decode the header. Cached: a client uses the same header for many tokens."""
    if len(text) > MAX_HEADER_CHARACTERS:
        raise ValueError("too long")
    header = _plain_object(text)
    if not isinstance(header.get("alg"), str):
        raise ValueError("no algorithm")
    return header


def _plain_object(text: str) -> dict[str, Any]:
    plain = base64url.decode(text).decode()
    value = _decoder.decode(plain)
    if "\\u" in plain:
        json.dumps(value, ensure_ascii=False).encode()  # a lone surrogate (RFC 8259 §8.2): ValueError
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the members as a dict.

    ValueError for duplicate names, which implementations read differently (RFC 7515 §4, RFC 7519 §4).
    """
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("duplicate name")
    return found


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


_decoder = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)
