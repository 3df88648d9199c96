"""Tokens and keys of others: the RFCs' own examples, and what the narrow profile refuses (threats T1-T7, T14)."""

import base64
import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from credence.crypto.client_jws import is_signed_by, read
from credence.crypto.client_key import UnusableKey, public_key
from credence.crypto.jws import ALGORITHMS, OFFERED, InvalidSignature, public_members

EC_KEY = {
    "kty": "EC",
    "crv": "P-256",
    "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
    "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
}
"""RFC 7515 appendix A.3.1, without its private member."""

EC_TOKEN = (
    "eyJhbGciOiJFUzI1NiJ9"
    ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
    ".DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
)
"""RFC 7515 appendix A.3.1."""

OKP_KEY = {"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}
"""RFC 8037 appendix A.2."""

OKP_THUMBPRINT = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
"""RFC 8037 appendix A.3."""

PRIVATE_MEMBERS = ("d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv")


def part(value: Any) -> str:
    text = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(text).decode().rstrip("=")


def token(header: Any, claims: Any = b"{}", signature: bytes = b"s") -> str:
    return f"{part(header)}.{part(claims)}.{part(signature)}"


def jwk(algorithm: str) -> dict[str, str]:
    known = ALGORITHMS[algorithm]
    return public_members(known.generate().public_key())


def rsa_jwk(n: int, e: int = 65_537) -> dict[str, str]:
    return {"kty": "RSA", "n": part(n.to_bytes(-(-n.bit_length() // 8), "big")), "e": part(e.to_bytes(8).lstrip(b"\0"))}


def test_the_example_of_the_standard_is_verified() -> None:
    """RFC 7515 appendix A.3."""
    foreign = read(EC_TOKEN)
    assert foreign.claims == {"iss": "joe", "exp": 1300819380, "http://example.com/is_root": True}
    assert is_signed_by(foreign, public_key(EC_KEY))


def test_a_key_is_named_by_its_thumbprint() -> None:
    """RFC 8037 appendix A.3, not by the `kid` of its owner."""
    assert public_key({**OKP_KEY, "kid": "mine"}).kid == OKP_THUMBPRINT


@pytest.mark.parametrize("algorithm", OFFERED)
def test_a_key_keeps_to_one_algorithm(algorithm: str) -> None:
    """threats T1: the header of a token does not change it."""
    known = ALGORITHMS[algorithm]
    private = known.generate()
    key = public_key({**public_members(private.public_key()), "alg": algorithm})
    for claimed in (*OFFERED, "none", "HS256", "ES384"):
        signing_input = f"{part({'alg': claimed})}.{part(b'{}')}"
        signed = read(f"{signing_input}.{part(known.signer(private)(signing_input.encode()))}")
        assert is_signed_by(signed, key) is (claimed == algorithm)


def test_one_algorithm_has_two_names() -> None:
    """RFC 9864 §2.2, RFC 8037 §3.1."""
    private = ALGORITHMS["EdDSA"].generate()
    signer, members = ALGORITHMS["EdDSA"].signer(private), public_members(private.public_key())
    for in_key in ({}, {"alg": "EdDSA"}, {"alg": "Ed25519"}):
        for in_header in ("EdDSA", "Ed25519"):
            signing_input = f"{part({'alg': in_header})}.{part(b'{}')}"
            foreign = read(f"{signing_input}.{part(signer(signing_input.encode()))}")
            assert is_signed_by(foreign, public_key({**members, **in_key}))
            assert is_signed_by(foreign, public_key({**members, **in_key}, in_header))


def test_a_key_that_names_no_algorithm_is_for_the_first_of_its_type() -> None:
    """RFC 7518 §3.1: RS256 is what verifiers know best."""
    assert [public_key(jwk(name)).algorithm for name in ("PS256", "ES256", "EdDSA")] == ["RS256", "ES256", "EdDSA"]


def test_a_key_that_names_its_algorithm_is_for_no_other() -> None:
    """RFC 7517 §4.4, threats T1."""
    modulus = (1 << 2_048) - 1
    assert public_key(rsa_jwk(modulus), "PS256").algorithm == "PS256"
    assert public_key({**rsa_jwk(modulus), "alg": "PS256"}, "PS256").algorithm == "PS256"
    with pytest.raises(UnusableKey, match="its algorithm is not one of RS256, PS256"):
        public_key({**rsa_jwk(modulus), "alg": "RS256"}, "PS256")


@pytest.mark.parametrize("member", PRIVATE_MEMBERS)
def test_a_key_with_a_private_member_is_refused(member: str) -> None:
    """RFC 9449 §4.3, threats T13: a private key that was sent is compromised."""
    with pytest.raises(UnusableKey, match="private"):
        public_key({**EC_KEY, member: "AQAB"})


@pytest.mark.parametrize(
    "changed",
    [
        {"kty": "oct"},
        {"kty": "AKP"},
        {"kty": ["EC"]},
        {"kty": None},
        {"crv": "P-384"},
        {"crv": "secp256k1"},
        {"x": ""},
        {"x": 1},
        {"x": "AQAB"},
        {"y": part(bytes(32))},
        {"y": EC_KEY["y"] + "="},
        {"y": EC_KEY["y"][:-1] + "1"},
        {"alg": "RS256"},
        {"alg": "ES384"},
        {"alg": None},
        {"use": "enc"},
        {"key_ops": ["sign"]},
        {"key_ops": "verify"},
    ],
    ids=str,
)
def test_an_unsupported_key_is_refused(changed: dict[str, object]) -> None:
    """threats T14; a point off the curve, unused bits and padding among them (RFC 7518 §6.2.1)."""
    with pytest.raises(UnusableKey):
        public_key({**EC_KEY, **changed})


@pytest.mark.parametrize(("bits", "good"), [(512, False), (1_024, False), (2_047, False), (2_048, True), (4_096, True)])
def test_rsa_has_enough_bits(bits: int, good: bool) -> None:
    """RFC 7518 §3.3."""
    modulus = (1 << bits) - 1
    if good:
        assert public_key(rsa_jwk(modulus)).algorithm == "RS256"
    else:
        with pytest.raises(UnusableKey):
            public_key(rsa_jwk(modulus))


@pytest.mark.parametrize(("n", "e"), [(2**4096 + 1, 65_537), (2**2048 - 1, 1), (2**2048 - 1, 4), (2**2047, 65_537)])
def test_rsa_with_costly_or_invalid_numbers_is_refused(n: int, e: int) -> None:
    """threats A12, T14: 4,097 bits, an exponent of one, an even one, an even modulus."""
    with pytest.raises(UnusableKey):
        public_key(rsa_jwk(n, e))


@pytest.mark.parametrize("e", [3, 2**32 - 1])
def test_any_odd_exponent_from_three_to_32_bits_is_accepted(e: int) -> None:
    """RFC 8017 §3.1 asks for an odd one of at least 3."""
    assert public_key(rsa_jwk(2**2048 - 1, e)).algorithm == "RS256"


@pytest.mark.parametrize("member", ["n", "e"])
def test_an_rsa_number_is_written_without_leading_zeros(member: str) -> None:
    """RFC 7518 §2: otherwise a key would have several thumbprints."""
    key = rsa_jwk(rsa.generate_private_key(65_537, 2_048).public_key().public_numbers().n)
    with pytest.raises(UnusableKey, match=f"its {member} begins with zero"):
        public_key({**key, member: f"AAAA{key[member]}"})


def test_a_large_exponent_is_refused() -> None:
    """threats A12: verifying would cost what signing does."""
    modulus = rsa.generate_private_key(65_537, 2_048).public_key().public_numbers().n
    assert public_key(rsa_jwk(modulus)).algorithm == "RS256"
    with pytest.raises(UnusableKey):
        public_key(rsa_jwk(modulus, 2**32 + 1))


@pytest.mark.parametrize("member", ["crit", "b64", "zip", "enc", "jku", "x5u", "x5c", "jwk"])
def test_a_header_that_changes_the_interpretation_or_contains_a_key_is_refused(member: str) -> None:
    """threats T5, T6."""
    with pytest.raises(InvalidSignature, match="unexpected_header"):
        read(token({"alg": "ES256", member: EC_KEY}))


@pytest.mark.parametrize(("characters", "accepted"), [(2_048, True), (2_050, False)])
def test_a_header_has_at_most_2048_characters(characters: int, accepted: bool) -> None:
    """threats T10; base64url has no text of 2,049 characters (RFC 4648 §5)."""
    octets = characters * 3 // 4
    text = token(b'{"alg":"ES256"' + b" " * (octets - 15) + b"}")
    assert len(text.partition(".")[0]) == characters
    if accepted:
        assert read(text).algorithm == "ES256"
    else:
        with pytest.raises(InvalidSignature, match="malformed"):
            read(text)


def test_other_members_of_a_header_are_ignored() -> None:
    """RFC 7515 §4: what is not understood is ignored, `x5t` of some libraries among it."""
    assert read(token({"alg": "ES256", "x5t": "abc", "made_up": 1})).algorithm == "ES256"


def test_a_proof_contains_its_key() -> None:
    """RFC 9449 §4.2."""
    header = {"alg": "ES256", "jwk": EC_KEY}
    assert read(token(header), with_key=True).header["jwk"] == EC_KEY
    with pytest.raises(InvalidSignature):
        read(token({"alg": "ES256"}), with_key=True)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a.b",
        "a.b.c.d",
        "..",
        token(b""),
        token(b"[]"),
        token(b'"x"'),
        token(b"{"),
        token(b'{"alg":"ES256"}x'),
        token(b'{"alg":"ES256","alg":"ES256"}'),
        token(b'{"alg":"ES256","\\u0061lg":"none"}'),
        token({"alg": None}),
        token({"alg": ["ES256"]}),
        token({}),
        token({"alg": "ES256"}, b'{"a":1,"a":1}'),
        token({"alg": "ES256"}, b'{"exp":NaN}'),
        token({"alg": "ES256"}, b'{"exp":' + b"9" * 5_000 + b"}"),
        token({"alg": "ES256"}, b"\xff"),
        token({"alg": "ES256"}, b'{"jti":"\\ud800"}'),
        token({"alg": "ES256"}, b'{"a":[{"\\uDFFF":1}]}'),
        token({"alg": "ES256", "kid": "\ud800"}),
        token({"alg": "ES256"}, b"[" * 5_000),
        token({"alg": "ES256", "x": "y" * 2_048}),
        token({"alg": "ES256"}, b"{" + b" " * 8_192 + b"}"),
        token({"alg": "ES256"}) + "=",
        token({"alg": "ES256"}) + "\n",
        " " + token({"alg": "ES256"}),
        token({"alg": "ES256"}).replace(".", "\N{FULLWIDTH FULL STOP}"),
    ],
    ids=range(28),
)
def test_a_text_that_is_not_a_compact_token_of_two_objects_is_refused(text: str) -> None:
    """threats T3, T7, T10; RFC 7515 §4 on names that come twice."""
    with pytest.raises(InvalidSignature):
        read(text)


def test_a_signature_on_another_curve_is_refused() -> None:
    """threats T1."""
    private = ec.generate_private_key(ec.SECP384R1())
    numbers = private.public_key().public_numbers()
    with pytest.raises(UnusableKey):
        public_key({"kty": "EC", "crv": "P-256", "x": part(numbers.x.to_bytes(48)), "y": part(numbers.y.to_bytes(48))})
