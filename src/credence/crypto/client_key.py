"""Public keys of others: what a client registers, or shows in a proof (RFC 7517, RFC 7518 §6, RFC 8037 §2).

One key has one algorithm, which is settled here and not by what the key later signs (threats T1, T14).
"""

from collections.abc import Mapping

from credence.crypto import base64url
from credence.crypto.algorithms import ALGORITHMS
from credence.crypto.jwk import VerifyingKey, thumbprint

FEWEST_RSA_BITS, MOST_RSA_BITS = 2_048, 4_096
"""Safe (RFC 7518 §3.3), and not dear to verify with (threats A12)."""

LARGEST_EXPONENT = 2**32
"""Of RSA; a large one makes verifying slow."""

_SHAPES: Mapping[str, tuple[str | None, tuple[str, ...], tuple[str, ...]]] = {
    "RSA": (None, ("n", "e"), ("RS256", "PS256")),
    "EC": ("P-256", ("x", "y"), ("ES256",)),
    "OKP": ("Ed25519", ("x",), ("EdDSA",)),
}
"""Key type -> its curve, its members, its algorithms; the first is that of a key that names none."""

ALGORITHM_ALIASES = {"Ed25519": "EdDSA"}
"""Two names of one algorithm: that of RFC 9864 §2.2, and that of RFC 8037 §3.1, under which it is known here."""

ACCEPTED = (*(algorithm for _, _, algorithms in _SHAPES.values() for algorithm in algorithms), *ALGORITHM_ALIASES)
"""What others may sign with."""

_PRIVATE = frozenset({"d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"})


class UnusableKey(Exception):
    """The key cannot be used to verify; the argument says why, without any of the key."""


def public_key(jwk: Mapping[str, object], algorithm: str | None = None) -> VerifyingKey:
    """Return the key of a JWK, for this algorithm or the one it is for; UnusableKey when it is none of ours.

    Its members are what its thumbprint is made of and nothing else; its `kid` is that thumbprint (RFC 7638).
    """
    if not _PRIVATE.isdisjoint(jwk):
        raise UnusableKey("a public key is wanted, and this one has private members")
    kind = jwk.get("kty")
    if not isinstance(kind, str) or kind not in _SHAPES:
        raise UnusableKey(f"its type is none of {', '.join(_SHAPES)}")
    curve, names, algorithms = _SHAPES[kind]
    if curve is not None and jwk.get("crv") != curve:
        raise UnusableKey(f"its curve is not {curve}")
    said = jwk.get("alg", algorithm or algorithms[0])
    said = ALGORITHM_ALIASES.get(said, said) if isinstance(said, str) else None
    if (
        said is None
        or said not in algorithms
        or ALGORITHM_ALIASES.get(algorithm or said, algorithm) not in {None, said}
    ):
        raise UnusableKey(f"its algorithm is none of {', '.join(algorithms)}")
    if jwk.get("use", "sig") != "sig" or "verify" not in _operations(jwk):
        raise UnusableKey("it is not for signatures")
    members = {"kty": kind} | ({} if curve is None else {"crv": curve}) | {name: _text(jwk, name) for name in names}
    if kind == "RSA":
        _check_rsa(members)
    known = ALGORITHMS[said]
    try:
        verify = known.verifier(known.public(members))
    except (ValueError, TypeError) as error:
        raise UnusableKey("its numbers are no key") from error
    return VerifyingKey(thumbprint(members), said, members, verify)


def _operations(jwk: Mapping[str, object]) -> list[object]:
    operations = jwk.get("key_ops", ["verify"])
    return operations if isinstance(operations, list) else []


def _text(jwk: Mapping[str, object], name: str) -> str:
    """Return a member in its one spelling, so that a key has one thumbprint (RFC 7518 §2)."""
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
    if not FEWEST_RSA_BITS <= n.bit_length() <= MOST_RSA_BITS:
        raise UnusableKey(f"its modulus does not have {FEWEST_RSA_BITS} to {MOST_RSA_BITS} bits")
    if not 3 <= e < LARGEST_EXPONENT or e % 2 == 0 or n % 2 == 0:
        raise UnusableKey("its numbers are no key")
