"""The service's signing keys: generation, thumbprints, encoding and parsing (RFC 7517, RFC 7638, RFC 9964).

The public half is stored as the JWK that is published. The private half leaves this module only as bytes that the caller
seals.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_der_private_key,
)

from credence.crypto import base64url
from credence.crypto.digest import sha256
from credence.crypto.jws import ALGORITHMS, SigningKey, VerifyingKey, public_members

PUBLIC_MEMBERS = ("kty", "use", "alg", "kid", "n", "e", "crv", "x", "y", "pub")
"""The only members that are ever published (threats T13)."""

_NAMING = {
    "RSA": ("e", "kty", "n"),
    "EC": ("crv", "kty", "x", "y"),
    "OKP": ("crv", "kty", "x"),
    "AKP": ("alg", "kty", "pub"),
}
"""The members from which a thumbprint is computed, in order (RFC 7638 §3.2, RFC 8037 §2, RFC 9964)."""


@dataclass(frozen=True, slots=True, repr=False)
class NewKey:
    """A generated key that is not stored yet."""

    kid: str
    algorithm: str
    public: bytes
    """Its JWK as JSON."""
    private: bytes
    """PKCS #8; the caller must seal it at once."""


def generate(algorithm: str) -> NewKey:
    """Generate a key for this algorithm. RSA takes tenths of a second, so requests never call it (threats F10)."""
    known = ALGORITHMS[algorithm]
    private = known.generate()
    members = {**public_members(private.public_key()), "use": "sig", "alg": algorithm}
    jwk = {**members, "kid": thumbprint(members)}
    published = {name: jwk[name] for name in PUBLIC_MEMBERS if name in jwk}
    data = private.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    return NewKey(jwk["kid"], algorithm, msgspec.json.encode(published), data)


def verifying_key(public: bytes) -> VerifyingKey:
    """Parse the public half of a key from `generate`."""
    jwk = msgspec.json.decode(public, type=dict[str, str])
    known = ALGORITHMS[jwk["alg"]]
    return VerifyingKey(jwk["kid"], jwk["alg"], jwk, known.verifier(known.public(jwk)))


def public_pem(public: bytes) -> str:
    """Return the public half of a key from `generate` as PEM (RFC 7468 §13)."""
    jwk = msgspec.json.decode(public, type=dict[str, str])
    key = ALGORITHMS[jwk["alg"]].public(jwk)
    text: bytes = key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return text.decode()


def signing_key(kid: str, algorithm: str, private: bytes) -> SigningKey:
    """Parse the private half of a key from `generate`.

    Unsealing has authenticated it, so the primes of an RSA key are not tested again, which would block the event loop for
    30 ms per key.
    """
    key = load_der_private_key(private, password=None, unsafe_skip_rsa_key_validation=True)
    return SigningKey(kid, algorithm, ALGORITHMS[algorithm].signer(key))


def thumbprint(members: Mapping[str, str]) -> str:
    """Return the SHA-256 thumbprint of RFC 7638."""
    naming = {name: members[name] for name in _NAMING[members["kty"]]}
    return base64url.encode(sha256(msgspec.json.encode(naming)))
