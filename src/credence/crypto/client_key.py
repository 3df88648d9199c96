"""Public keys of clients: registered ones and those in DPoP proofs (RFC 7517, RFC 7518 §6, RFC 8037 §2).

A key has one algorithm. It is determined here, never by a token that the key signed (threats T1, T14).
"""

from collections.abc import Mapping

from credence.crypto import base64url
from credence.crypto.jwk import thumbprint
from credence.crypto.jws import ALGORITHMS, VerifyingKey

MIN_RSA_BITS, MAX_RSA_BITS = 2_048, 4_096
"""Limits on RSA keys: secure (RFC 7518 §3.3), and cheap enough to verify with (threats A12)."""

MAX_RSA_EXPONENT = 2**32
"""The limit on RSA exponents: a larger one makes verification slow."""

_SHAPES: Mapping[str, tuple[str | None, tuple[str, ...], tuple[str, ...]]] = {
    "RSA": (None, ("n", "e"), ("RS256", "PS256")),
    "EC": ("P-256", ("x", "y"), ("ES256",)),
    "OKP": ("Ed25519", ("x",), ("EdDSA",)),
}
"""Key type -> its curve, its members, its algorithms. The first algorithm is the default for a key without `alg`."""

ALGORITHM_ALIASES = {"Ed25519": "EdDSA"}
"""The new names of RFC 9864 §2.2 -> the older names that the service uses (RFC 8037 §3.1)."""

ACCEPTED = (*(algorithm for _, _, algorithms in _SHAPES.values() for algorithm in algorithms), *ALGORITHM_ALIASES)
"""The algorithms with which clients may sign."""

_PRIVATE = frozenset({"d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"})


class UnusableKey(Exception):
    """The key cannot be used for verification. The message is the reason, without any key material."""


def public_key(jwk: Mapping[str, object], algorithm: str | None = None) -> VerifyingKey:
    """Return the verifying key of a JWK, for `algorithm` or that of the JWK. UnusableKey if it is not supported.

    The result has only the members of the thumbprint, and the thumbprint as its `kid` (RFC 7638).
    """
    if not _PRIVATE.isdisjoint(jwk):
        raise UnusableKey("it has private members; send the public key only")
    kind = jwk.get("kty")
    if not isinstance(kind, str) or kind not in _SHAPES:
        raise UnusableKey(f"its type is not one of {', '.join(_SHAPES)}")
    curve, names, algorithms = _SHAPES[kind]
    if curve is not None and jwk.get("crv") != curve:
        raise UnusableKey(f"its curve is not {curve}")
    name = jwk.get("alg", algorithm or algorithms[0])
    chosen = ALGORITHM_ALIASES.get(name, name) if isinstance(name, str) else None
    if (
        chosen is None
        or chosen not in algorithms
        or ALGORITHM_ALIASES.get(algorithm or chosen, algorithm) not in {None, chosen}
    ):
        raise UnusableKey(f"its algorithm is not one of {', '.join(algorithms)}")
    if jwk.get("use", "sig") != "sig" or "verify" not in _operations(jwk):
        raise UnusableKey("it is not for signatures")
    members = {"kty": kind} | ({} if curve is None else {"crv": curve}) | {each: _text(jwk, each) for each in names}
    if kind == "RSA":
        _check_rsa(members)
    known = ALGORITHMS[chosen]
    try:
        verify = known.verifier(known.public(members))
    except (ValueError, TypeError) as error:
        raise UnusableKey("its numbers are not a key") from error
    return VerifyingKey(thumbprint(members), chosen, members, verify)


def _operations(jwk: Mapping[str, object]) -> list[object]:
    operations = jwk.get("key_ops", ["verify"])
    return operations if isinstance(operations, list) else []


def _text(jwk: Mapping[str, object], name: str) -> str:
    """Return a member in its canonical encoding, so that a key has one thumbprint (RFC 7518 §2)."""
    value = jwk.get(name)
    if not isinstance(value, str) or not value:
        raise UnusableKey(f"it has no {name}")
    try:
        octets = base64url.decode(value)
    except ValueError as error:
        raise UnusableKey(f"its {name} is not base64url") from error
    if name in {"n", "e"} and octets[0] == 0:
        raise UnusableKey(f"its {name} begins with zero")
    if name in {"x", "y"} and len(octets) != 32:
        raise UnusableKey(f"its {name} does not have 32 octets")
    return value


def _check_rsa(members: Mapping[str, str]) -> None:
    n, e = (int.from_bytes(base64url.decode(members[name]), "big") for name in ("n", "e"))
    if not MIN_RSA_BITS <= n.bit_length() <= MAX_RSA_BITS:
        raise UnusableKey(f"its modulus does not have {MIN_RSA_BITS} to {MAX_RSA_BITS} bits")
    if not 3 <= e < MAX_RSA_EXPONENT or e % 2 == 0 or n % 2 == 0:
        raise UnusableKey("its numbers are not a key")
