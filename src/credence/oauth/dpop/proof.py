"""Verifies a DPoP proof (RFC 9449 §4.3).

The cheap checks come first and the signature last. Every accepted proof has passed all of them. Its address, `htu`, is
compared with that of the request in normal form (item 9).
"""

import re
import string
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from credence.clock import Milliseconds
from credence.clock_tolerances import DPOP_PROOF_TOLERANCE_SECONDS
from credence.crypto import base64url
from credence.crypto.client_jws import ClientJws, is_signed_by, read
from credence.crypto.client_key import ACCEPTED, UnusableKey, public_key
from credence.crypto.digest import keyed_digest, sha256
from credence.crypto.jws import InvalidSignature, VerifyingKey
from credence.oauth.dpop import nonce
from credence.oauth.dpop.memory import ProofMemory
from credence.refusals.credentials import INVALID_DPOP_PROOF, USE_DPOP_NONCE
from credence.refusals.refusal import Refused

ALGORITHMS = ACCEPTED
"""The algorithms of proofs: `dpop_signing_alg_values_supported` (RFC 9449 §5.1)."""

TYPE = "dpop+jwt"


@dataclass(frozen=True, slots=True)
class MadeFor:
    """The request for which a proof must have been made."""

    method: str
    address: str
    """The public URL of the request, without query (threats P12)."""
    token: str | None = None
    """The access token of the request, if there is one."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A genuine proof, which may have been used already."""

    thumbprint: str
    """Thumbprint of the key (RFC 7638): the `jkt` of a token that is bound to it (RFC 9449 §6.1)."""
    mark: bytes
    """Identifies the proof in the replay cache: 32 octets."""
    step: int
    """The time step of its nonce."""
    algorithm: str


def check(memory: ProofMemory, key: bytes, text: str, made_for: MadeFor, now: Milliseconds) -> Proof:
    """Return the proof `text`; Refused with `invalid_dpop_proof` or `use_dpop_nonce`.

    `key` is the digest key of the deployment, for nonces and marks.
    """
    try:
        proof = read(text, with_key=True)
    except InvalidSignature:
        raise Refused(INVALID_DPOP_PROOF, "dpop.malformed") from None
    claims = proof.claims
    _require_header(proof)
    _require_made_for(made_for, claims)
    if not _is_near(claims.get("iat"), now):
        raise Refused(INVALID_DPOP_PROOF, "dpop.time")
    jti, given = claims.get("jti"), claims.get("nonce")
    if not isinstance(jti, str) or not jti:
        raise Refused(INVALID_DPOP_PROOF, "dpop.jti")
    step = nonce.step_of(key, given, now) if isinstance(given, str) else None
    if step is None or not memory.remembers(step):
        raise Refused(USE_DPOP_NONCE, "dpop.nonce")
    public = _key(memory, proof)
    if not is_signed_by(proof, public):
        raise Refused(INVALID_DPOP_PROOF, "dpop.signature")
    return Proof(public.kid, keyed_digest(key, "dpop proof", public.kid.encode(), jti.encode()), step, proof.algorithm)


def _require_header(proof: ClientJws) -> None:
    if proof.header.get("typ") != TYPE:
        raise Refused(INVALID_DPOP_PROOF, "dpop.type")
    if proof.algorithm not in ALGORITHMS:
        raise Refused(INVALID_DPOP_PROOF, "dpop.algorithm")


def _require_made_for(made_for: MadeFor, claims: Mapping[str, Any]) -> None:
    """Refuse a proof for another request or another token (RFC 9449 §4.3 items 8, 9 and 12)."""
    if claims.get("htm") != made_for.method:
        raise Refused(INVALID_DPOP_PROOF, "dpop.method")
    htu = claims.get("htu")
    if not isinstance(htu, str) or not same_address(htu, made_for.address):
        raise Refused(INVALID_DPOP_PROOF, "dpop.address")
    if made_for.token is not None and claims.get("ath") != base64url.encode(sha256(made_for.token.encode())):
        raise Refused(INVALID_DPOP_PROOF, "dpop.other_token")


def _is_near(iat: object, now: Milliseconds) -> bool:
    """Return whether `iat` is a NumericDate (RFC 7519 §2) within the tolerance of `now`."""
    if isinstance(iat, bool) or not isinstance(iat, int | float):
        return False
    return now / 1000 - DPOP_PROOF_TOLERANCE_SECONDS <= iat <= now / 1000 + DPOP_PROOF_TOLERANCE_SECONDS


def _key(memory: ProofMemory, proof: ClientJws) -> VerifyingKey:
    header = proof.token.partition(".")[0]
    key = memory.keys.get(header)
    if key is None:
        jwk = proof.header["jwk"]
        try:
            key = public_key(jwk if isinstance(jwk, dict) else {}, proof.algorithm)
        except UnusableKey:
            raise Refused(INVALID_DPOP_PROOF, "dpop.key") from None
        memory.keys.put(header, key)
    return key


def same_address(htu: str, requested: str) -> bool:
    """Return whether both addresses are equal. Query and fragment of `htu` are ignored.

    Case, default port and unnecessary percent-encoding make no difference (RFC 3986 §6.2.2.1, §6.2.2.2, §6.2.3).
    """
    htu = htu.partition("#")[0].partition("?")[0]
    return htu == requested or _normal(htu) == _normal(requested) is not None


def _normal(address: str) -> tuple[str, str, int | None, str] | None:
    """Return scheme, host, port and path in their normal forms; None for anything but a plain http or https URL."""
    if not address.isascii() or not address.isprintable() or " " in address:
        return None  # urlsplit would ignore some of these characters
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname or "@" in parts.netloc:
        return None
    path = _ENCODED.sub(_decoded, parts.path) or "/"
    return parts.scheme, parts.hostname, port or _DEFAULT_PORTS[parts.scheme], path


def _decoded(match: re.Match[str]) -> str:
    character = chr(int(match[1], 16))
    return character if character in _UNRESERVED else match[0].upper()


_DEFAULT_PORTS = {"https": 443, "http": 80}
_ENCODED = re.compile("%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset(string.ascii_letters + string.digits + "-._~")
"""The characters that need no percent-encoding (RFC 3986 §2.3)."""
