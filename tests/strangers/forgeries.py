"""Forged access tokens, one class after another as Project Wycheproof sorts JWS, made from what anyone can get.

That is a good token of each algorithm and the published key set; a forger has no private key of ours.
"""

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from joserfc import jwk, jws

P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""n of P-256 (SP 800-186 §3.2.1.3)."""

ED25519_ORDER = 2**252 + 27742317777372353535851937790883648493
"""L of Ed25519 (RFC 8032 §5.1)."""

ED25519_IDENTITY = (1).to_bytes(32, "little")
"""The neutral point (0, 1), encoded (RFC 8032 §5.1.2)."""

ED25519_ORDER_TWO = (2**255 - 20).to_bytes(32, "little")
"""The point (0, -1), which doubled is neutral."""


@dataclass(frozen=True)
class Genuine:
    """A good token, whose parts are to be had one by one, and the keys that verify good tokens."""

    algorithm: str
    token: str
    kids: Mapping[str, str]
    """Algorithm -> the id of the key that signs."""
    published: Mapping[str, Mapping[str, str]]
    """Key id -> its JWK."""

    @property
    def header(self) -> str:
        return self.token.split(".")[0]

    @property
    def payload(self) -> str:
        return self.token.split(".")[1]

    @property
    def signature(self) -> str:
        return self.token.split(".")[2]

    @property
    def kid(self) -> str:
        return self.kids[self.algorithm]

    @property
    def raw(self) -> bytes:
        return decode(self.signature)

    @property
    def public(self) -> Any:
        """The published key, as `cryptography` has it."""
        return jwk.import_key(dict(self.published[self.kid])).public_key

    def signed(self, signature: bytes) -> str:
        """The good token under another signature."""
        return f"{self.header}.{self.payload}.{encode(signature)}"

    def headed(self, **changes: object) -> str:
        """The good token under another header."""
        header = {"alg": self.algorithm, "kid": self.kid, "typ": "at+jwt"} | changes
        return f"{encode(json.dumps(header).encode())}.{self.payload}.{self.signature}"

    def forged(self, algorithm: str, key: Any, **changes: object) -> str:
        """The good claims, signed with a forger's key, in a header that names the algorithm and our key."""
        header = {"alg": algorithm, "kid": self.kid, "typ": "at+jwt"} | changes
        registry = jws.JWSRegistry(algorithms=[algorithm], strict_check_header=False)
        return jws.serialize_compact(header, decode(self.payload), key, registry=registry)


Forge = Callable[[Genuine], str]


def none_as_algorithm(good: Genuine) -> str:
    return good.headed(alg="none").rpartition(".")[0] + "."


def none_with_a_signature(good: Genuine) -> str:
    return good.headed(alg="nOnE")


def hmac_over_jwk(good: Genuine) -> str:
    return _hmac(good, json.dumps(dict(good.published[good.kid]), separators=(",", ":")).encode())


def hmac_over_pem(good: Genuine) -> str:
    return _hmac(good, good.public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))


def hmac_over_der(good: Genuine) -> str:
    return _hmac(good, good.public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo))


def hmac_over_nothing(good: Genuine) -> str:
    """As a verifier does that takes an RSA key's missing `k` for an empty secret."""
    return _hmac(good, b"\0")


def padded_signature(good: Genuine) -> str:
    return good.signed(good.raw) + "=" * (-len(good.signature) % 4)


def padded_header(good: Genuine) -> str:
    return f"{good.header}==.{good.payload}.{good.signature}"


def padded_payload(good: Genuine) -> str:
    return f"{good.header}.{good.payload}=.{good.signature}"


def standard_alphabet(good: Genuine) -> str:
    """Base64 instead of base64url; where the signature has neither `-` nor `_`, a `+` in place of something else."""
    spelled = good.signature.replace("-", "+").replace("_", "/")
    return f"{good.header}.{good.payload}.{spelled if spelled != good.signature else '+' + spelled[1:]}"


def unused_bits(good: Genuine) -> str:
    """The last character carries bits that decode to nothing (RFC 4648 §3.5)."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    changed = good.signature[:-1] + alphabet[alphabet.index(good.signature[-1]) ^ 1]
    assert decode(changed) == good.raw
    return f"{good.header}.{good.payload}.{changed}"


def stripped_signature(good: Genuine) -> str:
    return f"{good.header}.{good.payload}."


def stripped_part(good: Genuine) -> str:
    return f"{good.header}.{good.payload}"


def truncated_signature(good: Genuine) -> str:
    return good.signed(good.raw[:-1])


def halved_signature(good: Genuine) -> str:
    return good.signed(good.raw[: len(good.raw) // 2])


def prolonged_signature(good: Genuine) -> str:
    return good.signed(good.raw + b"\0")


def prefixed_signature(good: Genuine) -> str:
    """The same number with a zero byte before it (RFC 8017 §8.2.2 step 1)."""
    return good.signed(b"\0" + good.raw)


def zero_signature(good: Genuine) -> str:
    return good.signed(bytes(len(good.raw)))


def other_claims(good: Genuine) -> str:
    claims = json.loads(decode(good.payload)) | {"sub": "somebody-else"}
    return f"{good.header}.{encode(json.dumps(claims).encode())}.{good.signature}"


def ecdsa(r: int | None, s: int | None) -> Forge:
    """These numbers as r and s; None keeps the good one."""

    def forge(good: Genuine) -> str:
        good_r, good_s = _numbers(good)
        return good.signed(_p1363(good_r if r is None else r, good_s if s is None else s))

    return forge


def ecdsa_in_der(good: Genuine) -> str:
    """The good signature itself, in the form of X.509 (RFC 7518 §3.4 wants r and s side by side)."""
    return good.signed(encode_dss_signature(*_numbers(good)))


def other_curve(curve: ec.EllipticCurve, algorithm: str, claimed: str) -> Forge:
    """A signature by a key on another curve, under the name of our key and of this algorithm."""

    def forge(good: Genuine) -> str:
        key = jwk.ECKey.import_key(_pem(ec.generate_private_key(curve)))
        header = encode(json.dumps({"alg": claimed, "kid": good.kid, "typ": "at+jwt"}).encode())
        registry = jws.JWSRegistry(algorithms=[algorithm])
        signature = registry.get_alg(algorithm).sign(f"{header}.{good.payload}".encode(), key)
        return f"{header}.{good.payload}.{encode(signature)}"

    return forge


def eddsa_point(point: bytes) -> Forge:
    """R is this point and S is zero: good for a verifier that multiplies the key's part away."""
    return lambda good: good.signed(point + bytes(32))


def eddsa_s_plus_order(good: Genuine) -> str:
    """The good signature with S + L for S, the same modulo L (RFC 8032 §5.1.7 step 1 refuses it)."""
    s = int.from_bytes(good.raw[32:], "little")
    return good.signed(good.raw[:32] + (s + ED25519_ORDER).to_bytes(32, "little"))


def fresh_key(good: Genuine) -> str:
    return good.forged(good.algorithm, _fresh(good.algorithm))


def fresh_key_within(good: Genuine) -> str:
    """CVE-2018-0114: the forger's key comes along in the header."""
    key = _fresh(good.algorithm)
    return good.forged(good.algorithm, key, jwk=key.as_dict(private=False))


def other_algorithm(algorithm: str) -> Forge:
    """A signature by a fresh key of a kind that fits, with another algorithm in the header."""
    return lambda good: good.forged(algorithm, _fresh(algorithm))


def renamed_algorithm(algorithm: str) -> Forge:
    """The good signature, said to be of another algorithm."""
    return lambda good: good.headed(alg=algorithm)


def key_of(algorithm: str) -> Forge:
    """The good token with the id of another algorithm's key."""
    return lambda good: good.headed(kid=good.kids[algorithm])


def key_and_name_of(algorithm: str) -> Forge:
    return lambda good: good.headed(alg=algorithm, kid=good.kids[algorithm])


def unknown_key(good: Genuine) -> str:
    return good.headed(kid="A" * 43)


def without_key(good: Genuine) -> str:
    header = encode(json.dumps({"alg": good.algorithm, "typ": "at+jwt"}).encode())
    return f"{header}.{good.payload}.{good.signature}"


def repeated(member: str, value: str) -> Forge:
    """This member twice in the header, the good value last (RFC 7515 §4 wants each name once)."""

    def forge(good: Genuine) -> str:
        text = decode(good.header).decode()
        header = encode(f'{{"{member}":"{value}",{text[1:]}'.encode())
        return f"{header}.{good.payload}.{good.signature}"

    return forge


def decode(text: str) -> bytes:
    """As a lenient reader does: whatever the unused bits of the last character are."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _hmac(good: Genuine, secret: bytes) -> str:
    return good.forged("HS256", jwk.OctKey(secret, {"kty": "oct", "k": encode(secret)}))


def _numbers(good: Genuine) -> tuple[int, int]:
    return int.from_bytes(good.raw[:32], "big"), int.from_bytes(good.raw[32:], "big")


def _p1363(r: int, s: int) -> bytes:
    return r.to_bytes(32, "big") + s.to_bytes(32, "big")


def _fresh(algorithm: str) -> Any:
    if algorithm == "EdDSA":
        return jwk.OKPKey.import_key(_pem(ed25519.Ed25519PrivateKey.generate()))
    if algorithm.startswith("ES"):
        return jwk.ECKey.import_key(_pem(ec.generate_private_key(ec.SECP256R1())))
    return jwk.RSAKey.import_key(_pem(rsa.generate_private_key(public_exponent=65_537, key_size=2_048)))


def _pem(key: Any) -> bytes:
    data: bytes = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return data
