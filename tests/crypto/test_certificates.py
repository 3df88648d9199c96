"""What is read from a client's certificate (RFC 8705): its key, its days, its names and its thumbprint."""

import base64
import datetime as dt
from ipaddress import ip_address

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID

from credence.crypto import certificates
from credence.crypto.certificates import MAX_BYTES, UnreadableCertificate

FIRST = dt.datetime(2026, 3, 1, tzinfo=dt.UTC)
LAST = dt.datetime(2026, 3, 31, tzinfo=dt.UTC)
NAMES = (
    x509.DNSName("Ledger.Example.com"),
    x509.UniformResourceIdentifier("https://ledger.example.com/client"),
    x509.IPAddress(ip_address("192.0.2.7")),
    x509.RFC822Name("ledger@example.com"),
)


def certificate(key: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey, *names: x509.GeneralName) -> bytes:
    """Return a certificate in DER that signs itself."""
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Ledger")])
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    builder = builder.serial_number(7).not_valid_before(FIRST).not_valid_after(LAST)
    if names:
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    return builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.DER)


@pytest.fixture(scope="module")
def plain() -> bytes:
    return certificate(ec.generate_private_key(ec.SECP256R1()), *NAMES)


def test_the_thumbprint_is_the_sha_256_of_the_certificate(plain: bytes) -> None:
    fingerprint = x509.load_der_x509_certificate(plain).fingerprint(hashes.SHA256())
    assert certificates.thumbprint(plain) == base64.urlsafe_b64encode(fingerprint).decode().rstrip("=")


@pytest.mark.parametrize(
    ("instant", "current"),
    [
        (FIRST - dt.timedelta(seconds=1), False),
        (FIRST, True),
        (LAST, True),
        (LAST + dt.timedelta(milliseconds=999), True),
        (LAST + dt.timedelta(seconds=1), False),
    ],
)
def test_a_certificate_is_valid_from_its_first_to_its_last_second(
    plain: bytes, instant: dt.datetime, current: bool
) -> None:
    assert certificates.is_current(plain, round(instant.timestamp() * 1000)) is current


def test_the_days_of_a_chain_are_those_of_its_first_certificate(plain: bytes) -> None:
    pem = x509.load_der_x509_certificate(plain).public_bytes(serialization.Encoding.PEM)
    assert certificates.validity(pem) == (int(FIRST.timestamp() * 1000), int(LAST.timestamp() * 1000))


@pytest.mark.parametrize(
    "chain", [b"", b"no certificate", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"]
)
def test_a_text_without_a_certificate_has_no_days(chain: bytes) -> None:
    with pytest.raises(UnreadableCertificate, match="not a certificate in PEM"):
        certificates.validity(chain)


def test_the_key_of_a_certificate_is_read_as_a_jwk() -> None:
    key = rsa.generate_private_key(65537, 2048)
    members = certificates.public_members(certificate(key))
    modulus = base64.urlsafe_b64encode(key.public_key().public_numbers().n.to_bytes(256, "big"))
    assert members == {"kty": "RSA", "n": modulus.decode().rstrip("="), "e": "AQAB"}


def test_a_key_on_another_curve_is_refused_by_what_is_wrong_with_it() -> None:
    der = certificate(ec.generate_private_key(ec.SECP384R1()))
    with pytest.raises(UnreadableCertificate, match="type or curve that is not supported"):
        certificates.public_members(der)


def test_a_key_of_an_unknown_kind_is_refused_as_unreadable(plain: bytes) -> None:
    curve, unknown = bytes.fromhex("06082a8648ce3d030107"), bytes.fromhex("06082a8648ce3d030163")  # RFC 5480 §2.1.1.1
    assert curve in plain
    with pytest.raises(UnreadableCertificate, match="key cannot be read"):
        certificates.public_members(plain.replace(curve, unknown))


@pytest.mark.parametrize("read", [certificates.public_members, lambda der: certificates.is_current(der, 0)])
def test_octets_that_are_no_certificate_are_refused(read) -> None:  # type: ignore[no-untyped-def]  # any reader
    with pytest.raises(UnreadableCertificate, match="not a certificate in DER"):
        read(b"\x30\x03\x02\x01\x07")


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("subject_dn", ["CN=Ledger"]),
        ("san_dns", ["ledger.example.com"]),
        ("san_uri", ["https://ledger.example.com/client"]),
        ("san_ip", ["192.0.2.7"]),
        ("san_email", ["ledger@example.com"]),
    ],
)
def test_the_names_of_a_kind_are_read_in_their_normal_form(plain: bytes, kind: str, expected: list[str]) -> None:
    assert certificates.names(plain, kind) == expected


def test_a_subject_whose_name_is_a_bit_string_is_refused(plain: bytes) -> None:
    """Found by fuzzing. X.520 has a bit string only for the unique identifier of an entry."""
    of_bits = plain.replace(b"\x0c\x06Ledger", b"\x03\x06\0edger")
    assert of_bits != plain
    with pytest.raises(UnreadableCertificate, match="names cannot be read"):
        certificates.names(of_bits, "subject_dn")


def test_a_certificate_without_alternative_names_has_none() -> None:
    assert certificates.names(certificate(ec.generate_private_key(ec.SECP256R1())), "san_dns") == []


@pytest.mark.parametrize(
    ("kind", "written", "normal"),
    [
        ("subject_dn", "E=l@example.com,CN=Ledger", "1.2.840.113549.1.9.1=l@example.com,CN=Ledger"),
        ("san_ip", "2001:DB8:0:0::7", "2001:db8::7"),
        ("san_dns", "Ledger.EXAMPLE.com", "ledger.example.com"),
        ("san_uri", "https://Ledger.example.com/A", "https://Ledger.example.com/A"),
    ],
)
def test_a_name_is_stored_in_its_normal_form(kind: str, written: str, normal: str) -> None:
    assert certificates.normal_name(kind, written) == normal


@pytest.mark.parametrize(("kind", "value"), [("subject_dn", " "), ("subject_dn", "Ledger"), ("san_ip", "192.0.2.256")])
def test_a_malformed_name_is_refused_with_its_kind(kind: str, value: str) -> None:
    with pytest.raises(UnreadableCertificate, match=f"{value!r} is not a {kind}"):
        certificates.normal_name(kind, value)


def test_base64_may_have_line_breaks() -> None:
    assert certificates.from_base64("QUJD\r\n RA==\n") == b"ABCD"


@pytest.mark.parametrize(("length", "accepted"), [(0, False), (1, True), (MAX_BYTES, True), (MAX_BYTES + 1, False)])
def test_a_certificate_has_a_length_that_a_header_field_can_carry(length: int, accepted: bool) -> None:
    text = base64.b64encode(bytes(length)).decode()
    if accepted:
        assert certificates.from_base64(text) == bytes(length)
    else:
        with pytest.raises(UnreadableCertificate, match="length"):
            certificates.from_base64(text)


@pytest.mark.parametrize("text", ["QUJDRA", "QUJD!A==", "é"])
def test_what_is_not_base64_is_refused(text: str) -> None:
    with pytest.raises(UnreadableCertificate, match="not base64"):
        certificates.from_base64(text)
