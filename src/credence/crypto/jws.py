"""JSON Web Signatures (RFC 7515): the algorithms on offer, and the tokens that the service signs with them.

The algorithms (D5, RFC 7518, RFC 8037, RFC 9964) generate keys, sign, verify and write the members of a JWK. A key has one
algorithm. A verifier takes it from the key, never from a token (threats T1).

The service's own tokens are compact, with a known `kid` and the algorithm of that key (threats T1-T7). Signatures are
deterministic except for PS256. Verification accepts a header only if it is exactly the one that the service writes for this
key and `typ`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec
from cryptography import exceptions
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, mldsa, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from credence.crypto import base64url

Sign = Callable[[bytes], bytes]
"""Returns the JWS signature of a signing input."""

Verify = Callable[[str], bool]
"""Returns whether the signature of a compact token is valid. The caller has checked that the token has three parts."""

Check = Callable[[Any, bytes, bytes], None]
"""Given public key, signature and signed data: returns, or raises `exceptions.InvalidSignature` or ValueError."""


@dataclass(frozen=True, slots=True)
class Algorithm:
    """One algorithm. Keys are objects of `cryptography`."""

    generate: Callable[[], Any]
    """Returns a new private key."""
    signer: Callable[[Any], Sign]
    """Private key -> signing function."""
    check: Check
    public: Callable[[Mapping[str, str]], Any]
    """JWK members -> public key; raises ValueError if they are not a key."""

    def verifier(self, public: Any) -> Verify:
        """Return the function that verifies tokens under this public key."""
        check = self.check

        def verify(token: str) -> bool:
            signing_input, _, signature = token.rpartition(".")
            try:
                check(public, base64url.decode(signature), signing_input.encode())
            except (exceptions.InvalidSignature, ValueError):
                return False
            return True

        return verify


def public_members(public: Any) -> dict[str, str]:
    """Return the JWK members of a public key without `alg`, `use` and `kid` (RFC 7517, RFC 7518 §6, RFC 8037, RFC 9964).

    Raises LookupError for a key type or curve that no algorithm here uses.
    """
    match public:
        case rsa.RSAPublicKey():
            numbers = public.public_numbers()
            return {"kty": "RSA", "n": _unsigned(numbers.n), "e": _unsigned(numbers.e)}
        case ec.EllipticCurvePublicKey(curve=ec.SECP256R1()):
            point = public.public_numbers()
            x, y = (base64url.encode(number.to_bytes(32, "big")) for number in (point.x, point.y))
            return {"kty": "EC", "crv": "P-256", "x": x, "y": y}
        case ed25519.Ed25519PublicKey():
            return {"kty": "OKP", "crv": "Ed25519", "x": base64url.encode(public.public_bytes_raw())}
        case mldsa.MLDSA65PublicKey():
            return {"kty": "AKP", "pub": base64url.encode(public.public_bytes_raw())}
    raise LookupError(type(public).__name__)


def _unsigned(value: int) -> str:
    """Return the Base64urlUInt of a number (RFC 7518 §2)."""
    return base64url.encode(value.to_bytes(-(-value.bit_length() // 8), "big"))


def _number(member: str) -> int:
    return int.from_bytes(base64url.decode(member), "big")


def _rsa_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65_537, key_size=2_048)


def _rsa_public(members: Mapping[str, str]) -> rsa.RSAPublicKey:
    return rsa.RSAPublicNumbers(_number(members["e"]), _number(members["n"])).public_key()


def _rsa(scheme: padding.AsymmetricPadding) -> Algorithm:
    digest = SHA256()

    def signer(private: rsa.RSAPrivateKey) -> Sign:
        return lambda data: private.sign(data, scheme, digest)

    def check(public: rsa.RSAPublicKey, signature: bytes, data: bytes) -> None:
        public.verify(signature, data, scheme, digest)

    return Algorithm(_rsa_key, signer, check, _rsa_public)


def _p256_key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


def _p256_public(members: Mapping[str, str]) -> ec.EllipticCurvePublicKey:
    numbers = ec.EllipticCurvePublicNumbers(_number(members["x"]), _number(members["y"]), ec.SECP256R1())
    return numbers.public_key()


def _es256_signer(private: ec.EllipticCurvePrivateKey) -> Sign:
    # RFC 6979: the same claims get the same signature, so a repeated refresh gets the same token (D7).
    scheme = ec.ECDSA(SHA256(), deterministic_signing=True)

    return lambda data: _r_and_s(private.sign(data, scheme))


def _r_and_s(signature: bytes) -> bytes:
    """Return r and s in 32 octets each (RFC 7518 §3.4).

    In DER they are two INTEGERs in a SEQUENCE, each after a tag and its length of one octet, the SEQUENCE likewise, and an
    INTEGER has a zero in front or leaves zeros out (RFC 3279 §2.2.3). So the length of r is the fourth octet.
    """
    end_of_r = 4 + signature[3]
    r, s = signature[4:end_of_r], signature[end_of_r + 2 :]
    return r[-32:].rjust(32, b"\0") + s[-32:].rjust(32, b"\0")


def _es256_check(public: ec.EllipticCurvePublicKey, signature: bytes, data: bytes) -> None:
    if len(signature) != 64:  # r and s of 32 octets each (RFC 7518 §3.4)
        raise exceptions.InvalidSignature
    r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    public.verify(encode_dss_signature(r, s), data, ec.ECDSA(SHA256()))


def _one_step_signer(private: ed25519.Ed25519PrivateKey | mldsa.MLDSA65PrivateKey) -> Sign:
    return private.sign


def _one_step_check(public: ed25519.Ed25519PublicKey | mldsa.MLDSA65PublicKey, signature: bytes, data: bytes) -> None:
    public.verify(signature, data)


def _ed25519_public(members: Mapping[str, str]) -> ed25519.Ed25519PublicKey:
    return ed25519.Ed25519PublicKey.from_public_bytes(base64url.decode(members["x"]))


def _ml_dsa_public(members: Mapping[str, str]) -> mldsa.MLDSA65PublicKey:
    return mldsa.MLDSA65PublicKey.from_public_bytes(base64url.decode(members["pub"]))


ALGORITHMS: Mapping[str, Algorithm] = {
    "RS256": _rsa(padding.PKCS1v15()),
    "ES256": Algorithm(_p256_key, _es256_signer, _es256_check, _p256_public),
    "PS256": _rsa(padding.PSS(padding.MGF1(SHA256()), SHA256.digest_size)),  # RFC 7518 §3.5
    # The name of RFC 8037, which more verifiers know than that of RFC 9864.
    "EdDSA": Algorithm(ed25519.Ed25519PrivateKey.generate, _one_step_signer, _one_step_check, _ed25519_public),
    # Only if a setting adds it: strict clients fail on key types they do not know (threats §5).
    "ML-DSA-65": Algorithm(mldsa.MLDSA65PrivateKey.generate, _one_step_signer, _one_step_check, _ml_dsa_public),
}

OFFERED = ("RS256", "ES256", "PS256", "EdDSA")
"""The algorithms that are enabled by default."""


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
