"""Our cryptography against numbers that others published."""

import json

from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from joserfc.jwk import RSAKey

from credence.crypto import base64url, jwk


def test_base64url_is_that_of_rfc_7515() -> None:
    """RFC 7515, appendix C."""
    assert base64url.encode(bytes([3, 236, 255, 224, 193])) == "A-z_4ME"
    assert base64url.decode("A-z_4ME") == bytes([3, 236, 255, 224, 193])


def test_a_key_id_is_the_thumbprint_of_rfc_7638() -> None:
    """RFC 7638 §3.1, computed by the function that names our keys."""
    key = RSAKey.import_key(
        {
            "kty": "RSA",
            "n": "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCi"
            "FV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7"
            "d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-"
            "csFCur-kEgU8awapJzKnqDKgw",
            "e": "AQAB",
        }
    )
    assert key.thumbprint() == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"


def test_es256_signs_as_rfc_6979_says() -> None:
    """RFC 6979, appendix A.2.5, SHA-256, message "sample": deterministic, so a retry gives the same token (D7)."""
    private = ec.derive_private_key(0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721, ec.SECP256R1())
    signature = jwk.ALGORITHMS["ES256"].signer(private)(b"sample")
    assert signature.hex().upper() == (
        "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"
        "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"
    )


def test_eddsa_signs_as_rfc_8037_says() -> None:
    """RFC 8037, appendix A.4."""
    private = ed25519.Ed25519PrivateKey.from_private_bytes(
        base64url.decode("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A")
    )
    signing_input = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc"
    signature = jwk.ALGORITHMS["EdDSA"].signer(private)(signing_input.encode())
    assert base64url.encode(signature) == (
        "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
    )


def test_a_key_survives_being_written_and_read() -> None:
    for algorithm in jwk.ALGORITHMS:
        key = jwk.generate(algorithm)
        again = jwk.from_private_bytes(algorithm, jwk.to_private_bytes(key))
        assert (again.kid, again.algorithm) == (key.kid, algorithm)
        assert json.dumps(jwk.public_jwk(again)) == json.dumps(jwk.public_jwk(key))
