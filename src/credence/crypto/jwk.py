"""Signing keys and their public halves: made, named, written and read (RFC 7517, RFC 7638, RFC 9964).

A public half is kept as the JWK it is published as. A private half leaves this module only as bytes on their way into a
seal.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_der_private_key

from credence.crypto import base64url
from credence.crypto.algorithms import ALGORITHMS, Sign, Verify, public_members
from credence.crypto.digest import sha256

PUBLIC_MEMBERS = ("kty", "use", "alg", "kid", "n", "e", "crv", "x", "y", "pub")
"""All that may ever be published of a key: an allow-list (threats T13)."""

_NAMING = {
    "RSA": ("e", "kty", "n"),
    "EC": ("crv", "kty", "x", "y"),
    "OKP": ("crv", "kty", "x"),
    "AKP": ("alg", "kty", "pub"),
}
"""The members that a thumbprint is made of, in its order (RFC 7638 §3.2, RFC 8037 §2, RFC 9964)."""


@dataclass(frozen=True, slots=True)
class VerifyingKey:
    """The public half of a key, parsed once."""

    kid: str
    algorithm: str
    jwk: Mapping[str, str]
    verify: Verify


@dataclass(frozen=True, slots=True, repr=False)
class SigningKey:
    """The private half of a key, parsed once."""

    kid: str
    algorithm: str
    sign: Sign


@dataclass(frozen=True, slots=True, repr=False)
class NewKey:
    """A key on its way into the store."""

    kid: str
    algorithm: str
    public: bytes
    """Its JWK as JSON."""
    private: bytes
    """Its PKCS #8 form, to be sealed at once."""


def generate(algorithm: str) -> NewKey:
    """Make a new key for this algorithm. Slow for RSA (tenths of a second): never inside a request (threats F10)."""
    known = ALGORITHMS[algorithm]
    private = known.generate()
    members = {**public_members(private.public_key()), "use": "sig", "alg": algorithm}
    jwk = {**members, "kid": thumbprint(members)}
    published = {name: jwk[name] for name in PUBLIC_MEMBERS if name in jwk}
    data = private.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    return NewKey(jwk["kid"], algorithm, msgspec.json.encode(published), data)


def verifying_key(public: bytes) -> VerifyingKey:
    """Parse the public half that `generate` wrote."""
    jwk = msgspec.json.decode(public, type=dict[str, str])
    known = ALGORITHMS[jwk["alg"]]
    return VerifyingKey(jwk["kid"], jwk["alg"], jwk, known.verifier(known.public(jwk)))


def signing_key(kid: str, algorithm: str, private: bytes) -> SigningKey:
    """Parse the private half that `generate` wrote.

    The seal has authenticated it, so the primes of an RSA key are not tested again: that would take 30 ms a key, on the
    event loop, whenever the schedule moves.
    """
    key = load_der_private_key(private, password=None, unsafe_skip_rsa_key_validation=True)
    return SigningKey(kid, algorithm, ALGORITHMS[algorithm].signer(key))


def thumbprint(members: Mapping[str, str]) -> str:
    """Return the key's name: the SHA-256 thumbprint of RFC 7638."""
    naming = {name: members[name] for name in _NAMING[members["kty"]]}
    return base64url.encode(sha256(msgspec.json.encode(naming)))
