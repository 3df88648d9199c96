"""JWS by others: client assertions and proofs of possession (RFC 7515, RFC 8725, threats T1-T10).

Unlike our own tokens (`jws.py`) these may say more in their header than we look at. Nothing of one is true until
`is_signed_by` has said so.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from credence.crypto import base64url
from credence.crypto.client_key import ALGORITHM_ALIASES
from credence.crypto.jwk import VerifyingKey
from credence.crypto.jws import InvalidSignature, compact_parts

LONGEST_HEADER = 2_048
"""Characters of its base64url text: an RSA key of 4,096 bits fits."""

_NOT_OURS = frozenset({"crit", "b64", "zip", "enc", "jku", "x5u", "x5c"})
"""What would change how the token is read, or where its key comes from (threats T5, T6)."""


@dataclass(frozen=True, slots=True)
class ClientJws:
    """A token as it was read, unverified."""

    header: Mapping[str, Any]
    claims: Mapping[str, Any]
    algorithm: str
    """As the header has it, under the name that is used here. Only the key decides."""
    token: str


def read(token: str, *, with_key: bool = False) -> ClientJws:
    """Return what a compact token of two plain objects says; InvalidSignature for anything else.

    `with_key` asks for a key in the header (RFC 7515 §4.1.3), which is refused otherwise.
    """
    parts = compact_parts(token)
    try:
        header = _header(parts[0])
        claims = _plain_object(parts[1])
        base64url.decode(parts[2])
    except (ValueError, RecursionError) as error:
        raise InvalidSignature("token.malformed") from error
    if not _NOT_OURS.isdisjoint(header) or ("jwk" in header) is not with_key:
        raise InvalidSignature("token.unexpected_header")
    return ClientJws(header, claims, ALGORITHM_ALIASES.get(header["alg"], header["alg"]), token)


def is_signed_by(foreign: ClientJws, key: VerifyingKey) -> bool:
    """Tell whether this key signed it, by the key's one algorithm."""
    return foreign.algorithm == key.algorithm and key.verify(foreign.token)


@lru_cache(maxsize=1024)
def _header(text: str) -> Mapping[str, Any]:
    """Return the header; whoever writes many tokens writes one header."""
    if len(text) > LONGEST_HEADER:
        raise ValueError("too long")
    header = _plain_object(text)
    if not isinstance(header.get("alg"), str):
        raise ValueError("no algorithm")
    return header


def _plain_object(text: str) -> dict[str, Any]:
    plain = base64url.decode(text).decode()
    value = _decoder.decode(plain)
    if "\\u" in plain:
        json.dumps(value, ensure_ascii=False).encode()  # half a surrogate pair is no text (RFC 8259 §8.2): ValueError
    if not isinstance(value, dict):
        raise ValueError("no object")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """RFC 7515 §4, RFC 7519 §4: a name that comes twice is read one way here and another way elsewhere."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name comes twice")
    return found


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


_decoder = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)
