"""The signature algorithms on offer (D5, RFC 7518, RFC 8037, RFC 9964): how each makes a key, signs and verifies.

One key has one algorithm, and the verifier takes it from here, never from a token (threats T1).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, mldsa, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from joserfc import jws
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, RSAKey

from credence.crypto import base64url

Sign = Callable[[bytes], bytes]
Verify = Callable[[str], bool]
"""Tells whether a compact token bears this key's signature; its shape has been checked before."""


@dataclass(frozen=True, slots=True)
class Algorithm:
    """One algorithm; keys are those of `cryptography`."""

    generate: Callable[[], Any]
    signer: Callable[[Any], Sign]
    """Private key -> what signs bytes as JWS wants them."""
    verifier: Callable[[Any], Verify]
    """Public key -> what verifies."""
    members: Callable[[Any], dict[str, str]]
    """Public key -> its members by RFC 7517, without `alg`, `use` and `kid`."""
    public: Callable[[Mapping[str, str]], Any]
    """Those members -> the public key."""


def _rsa_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65_537, key_size=2_048)


def _p256_key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


def _rs256(private: rsa.RSAPrivateKey) -> Sign:
    scheme, digest = padding.PKCS1v15(), SHA256()
    return lambda data: private.sign(data, scheme, digest)


def _ps256(private: rsa.RSAPrivateKey) -> Sign:
    digest = SHA256()
    scheme = padding.PSS(padding.MGF1(digest), digest.digest_size)
    return lambda data: private.sign(data, scheme, digest)


def _es256(private: ec.EllipticCurvePrivateKey) -> Sign:
    # RFC 6979: the same claims give the same signature, so a retried refresh gets the same token (D7).
    scheme = ec.ECDSA(SHA256(), deterministic_signing=True)

    def sign(data: bytes) -> bytes:
        r, s = decode_dss_signature(private.sign(data, scheme))
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")

    return sign


def _plain(private: ed25519.Ed25519PrivateKey | mldsa.MLDSA65PrivateKey) -> Sign:
    return private.sign


def _by_joserfc(name: str, kind: type[RSAKey] | type[ECKey]) -> Algorithm:
    algorithm = jws.JWSRegistry(algorithms=[name]).get_alg(name)

    def verifier(public: Any) -> Verify:
        key = kind(public, public)
        algorithm.check_key(key)

        def verify(token: str) -> bool:
            signing_input, _, signature = token.rpartition(".")
            try:
                return algorithm.verify(signing_input.encode(), base64url.decode(signature), key)
            except (JoseError, ValueError):
                return False

        return verify

    def members(public: Any) -> dict[str, str]:
        return {member: str(value) for member, value in kind(public, public).as_dict(private=False).items()}

    def public(members: Mapping[str, str]) -> Any:
        return kind.import_key(dict(members)).public_key

    generate, signer = _MAKING[name]
    return Algorithm(generate, signer, verifier, members, public)


def _verify_plain(public: ed25519.Ed25519PublicKey | mldsa.MLDSA65PublicKey) -> Verify:
    def verify(token: str) -> bool:
        signing_input, _, signature = token.rpartition(".")
        try:
            public.verify(base64url.decode(signature), signing_input.encode())
        except (InvalidSignature, ValueError):
            return False
        return True

    return verify


def _members_ed25519(public: ed25519.Ed25519PublicKey) -> dict[str, str]:
    return {"kty": "OKP", "crv": "Ed25519", "x": base64url.encode(public.public_bytes_raw())}


def _public_ed25519(members: Mapping[str, str]) -> ed25519.Ed25519PublicKey:
    return ed25519.Ed25519PublicKey.from_public_bytes(base64url.decode(members["x"]))


def _members_ml_dsa(public: mldsa.MLDSA65PublicKey) -> dict[str, str]:
    return {"kty": "AKP", "pub": base64url.encode(public.public_bytes_raw())}


def _public_ml_dsa(members: Mapping[str, str]) -> mldsa.MLDSA65PublicKey:
    return mldsa.MLDSA65PublicKey.from_public_bytes(base64url.decode(members["pub"]))


_MAKING: Mapping[str, tuple[Callable[[], Any], Callable[[Any], Sign]]] = {
    "RS256": (_rsa_key, _rs256),
    "ES256": (_p256_key, _es256),
    "PS256": (_rsa_key, _ps256),
}

ALGORITHMS: Mapping[str, Algorithm] = {
    "RS256": _by_joserfc("RS256", RSAKey),
    "ES256": _by_joserfc("ES256", ECKey),
    "PS256": _by_joserfc("PS256", RSAKey),
    # Under its RFC 8037 name, which verifiers know best; joserfc warns of that name, so it is verified without it.
    "EdDSA": Algorithm(ed25519.Ed25519PrivateKey.generate, _plain, _verify_plain, _members_ed25519, _public_ed25519),
    # Only where a setting asks for it: strict clients choke on key types they do not know (threats §5).
    "ML-DSA-65": Algorithm(mldsa.MLDSA65PrivateKey.generate, _plain, _verify_plain, _members_ml_dsa, _public_ml_dsa),
}

OFFERED = ("RS256", "ES256", "PS256", "EdDSA")
"""What is offered unless a setting says otherwise."""
