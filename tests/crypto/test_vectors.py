"""Our cryptography against numbers that others published."""

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from credence.crypto import base64url, jwk, jws
from credence.crypto.jws import ALGORITHMS


def test_base64url_is_that_of_rfc_7515() -> None:
    """RFC 7515, appendix C."""
    assert base64url.encode(bytes([3, 236, 255, 224, 193])) == "A-z_4ME"
    assert base64url.decode("A-z_4ME") == bytes([3, 236, 255, 224, 193])


def test_a_key_id_is_the_thumbprint_of_rfc_7638() -> None:
    """RFC 7638 §3.1."""
    members = {
        "kty": "RSA",
        "n": "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCi"
        "FV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7"
        "d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-"
        "csFCur-kEgU8awapJzKnqDKgw",
        "e": "AQAB",
        "alg": "RS256",
        "kid": "2011-04-29",
    }
    assert jwk.thumbprint(members) == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"


def test_es256_signs_as_rfc_6979_says() -> None:
    """RFC 6979, appendix A.2.5, SHA-256, message "sample": deterministic, so a retry gives the same token (D7)."""
    private = ec.derive_private_key(0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721, ec.SECP256R1())
    signature = ALGORITHMS["ES256"].signer(private)(b"sample")
    assert signature.hex().upper() == (
        "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"
        "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"
    )


def test_an_es256_signature_has_32_octets_for_each_number_also_for_short_ones() -> None:
    """RFC 7518 §3.4. The library reads the numbers; each is short enough for 31 octets of DER in one of 512 signatures."""
    private = ec.derive_private_key(0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721, ec.SECP256R1())
    sign, scheme = ALGORITHMS["ES256"].signer(private), ec.ECDSA(SHA256(), deterministic_signing=True)
    smallest_r = smallest_s = 1 << 256
    for number in range(2_000):
        data = str(number).encode()
        r, s = decode_dss_signature(private.sign(data, scheme))
        assert sign(data) == r.to_bytes(32, "big") + s.to_bytes(32, "big")
        smallest_r, smallest_s = min(smallest_r, r), min(smallest_s, s)
    assert max(smallest_r, smallest_s) < 1 << 247


def test_eddsa_signs_as_rfc_8037_says() -> None:
    """RFC 8037, appendix A.4."""
    private = ed25519.Ed25519PrivateKey.from_private_bytes(
        base64url.decode("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A")
    )
    signing_input = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc"
    signature = ALGORITHMS["EdDSA"].signer(private)(signing_input.encode())
    assert base64url.encode(signature) == (
        "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
    )


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_what_a_new_key_signs_its_public_half_verifies(algorithm: str) -> None:
    """D5, RFC 9964 for ML-DSA-65: after both halves were written and read again."""
    new = jwk.generate(algorithm)
    public = jwk.verifying_key(new.public)
    token = jws.sign(jwk.signing_key(new.kid, algorithm, new.private), "at+jwt", b"{}")
    assert jws.verify({public.kid: public}, "at+jwt", token) == b"{}"
    assert public.kid == new.kid == jwk.thumbprint(public.jwk)


def test_a_public_key_in_pem_is_the_key() -> None:
    new = jwk.generate("EdDSA")
    key = load_pem_public_key(jwk.public_pem(new.public).encode())
    assert isinstance(key, ed25519.Ed25519PublicKey)
    assert base64url.encode(key.public_bytes_raw()) == jwk.verifying_key(new.public).jwk["x"]


def test_a_post_quantum_key_is_published_as_rfc_9964_says() -> None:
    """RFC 9964: key type AKP, the public key of 1,952 octets in `pub`."""
    members = jwk.verifying_key(jwk.generate("ML-DSA-65").public).jwk
    assert (members["kty"], members["alg"]) == ("AKP", "ML-DSA-65")
    assert len(base64url.decode(members["pub"])) == 1_952
