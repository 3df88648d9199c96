"""Signing keys: one key has one algorithm (threats T1), a thumbprint for a name (RFC 7638), and a public half.

Private halves leave this module only as bytes on their way into a seal.
"""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_der_private_key
from joserfc.errors import SecurityWarning
from joserfc.jwk import ECKey, OKPKey, RSAKey

# Ed25519 signs under its RFC 8037 name because verifiers know that one best; RFC 9864 is newer than most of them.
warnings.filterwarnings("ignore", message="EdDSA is deprecated", category=SecurityWarning)

Key = RSAKey | ECKey | OKPKey

PUBLIC_MEMBERS = ("kty", "use", "alg", "kid", "n", "e", "crv", "x", "y")
"""All that may ever be published of a key: an allow-list (threats T13)."""


@dataclass(frozen=True, slots=True)
class Algorithm:
    """A signature algorithm the service offers (D5)."""

    name: str
    generate: Callable[[], Any]
    """Return a new private key of `cryptography`."""
    wrap: Callable[[Any, Any], Key]
    """Given the private key twice, return joserfc's view of it."""
    signer: Callable[[Any], Callable[[bytes], bytes]]
    """Given the private key, return what signs bytes as JWS wants them."""


def _rs256(private: rsa.RSAPrivateKey) -> Callable[[bytes], bytes]:
    scheme, digest = padding.PKCS1v15(), SHA256()
    return lambda data: private.sign(data, scheme, digest)


def _ps256(private: rsa.RSAPrivateKey) -> Callable[[bytes], bytes]:
    digest = SHA256()
    scheme = padding.PSS(padding.MGF1(digest), digest.digest_size)
    return lambda data: private.sign(data, scheme, digest)


def _es256(private: ec.EllipticCurvePrivateKey) -> Callable[[bytes], bytes]:
    # RFC 6979: the same claims give the same signature, so a retried refresh gets the same token (D7).
    scheme = ec.ECDSA(SHA256(), deterministic_signing=True)

    def sign(data: bytes) -> bytes:
        r, s = decode_dss_signature(private.sign(data, scheme))
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")

    return sign


def _eddsa(private: ed25519.Ed25519PrivateKey) -> Callable[[bytes], bytes]:
    return private.sign


def _rsa_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65_537, key_size=2_048)


def _p256_key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


ALGORITHMS: Mapping[str, Algorithm] = {
    "RS256": Algorithm("RS256", _rsa_key, RSAKey, _rs256),
    "ES256": Algorithm("ES256", _p256_key, ECKey, _es256),
    "PS256": Algorithm("PS256", _rsa_key, RSAKey, _ps256),
    "EdDSA": Algorithm("EdDSA", ed25519.Ed25519PrivateKey.generate, OKPKey, _eddsa),
}


@dataclass(frozen=True, slots=True, repr=False)
class SigningKey:
    """A key ready for use: parsed once, because parsing an RSA key costs more than a hundred signatures."""

    kid: str
    algorithm: str
    private: Any
    key: Key
    sign: Callable[[bytes], bytes]


def generate(algorithm: str) -> SigningKey:
    """Make a new key for this algorithm. Slow for RSA (tenths of a second): never inside a request (threats F10)."""
    return _ready(algorithm, ALGORITHMS[algorithm].generate())


def to_private_bytes(key: SigningKey) -> bytes:
    """Return the private key as PKCS #8, to be sealed at once."""
    data: bytes = key.private.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    return data


def from_private_bytes(algorithm: str, data: bytes) -> SigningKey:
    """Parse what `to_private_bytes` wrote.

    The seal has authenticated it, so the primes of an RSA key are not tested again: that would take 30 ms a key, on the
    event loop, whenever the schedule moves.
    """
    return _ready(algorithm, load_der_private_key(data, password=None, unsafe_skip_rsa_key_validation=True))


def public_jwk(key: SigningKey) -> dict[str, str]:
    """Return the public members of the key as RFC 7517 names them (spec §2.7)."""
    members = {**key.key.as_dict(private=False), "use": "sig", "alg": key.algorithm, "kid": key.kid}
    return {name: str(members[name]) for name in PUBLIC_MEMBERS if name in members}


def _ready(algorithm: str, private: Any) -> SigningKey:
    known = ALGORITHMS[algorithm]
    key = known.wrap(private, private)
    return SigningKey(key.thumbprint(), algorithm, private, key, known.signer(private))
