"""X.509 certificates of clients: their validity, key and names (RFC 8705, RFC 5280).

The TLS handshake has proved possession of the private key. Only the server that terminates TLS knows whether the chain was
verified.
"""

import base64
import binascii
from datetime import UTC, datetime
from ipaddress import ip_address

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.x509.oid import NameOID

from credence.clock import Milliseconds
from credence.crypto import base64url, jws
from credence.crypto.digest import sha256

MAX_BYTES = 8_192
"""Maximum size of a certificate in DER; a header field cannot hold more."""

_SHORT_NAMES = {
    "emailAddress": NameOID.EMAIL_ADDRESS,
    "E": NameOID.EMAIL_ADDRESS,
    "serialNumber": NameOID.SERIAL_NUMBER,
}
"""Attribute names that tools write but RFC 4514 §3 does not define."""


class UnreadableCertificate(Exception):
    """The input is not a certificate, or not a certificate name."""


def thumbprint(der: bytes) -> str:
    """Return `x5t#S256`: the SHA-256 of the certificate (RFC 8705 §3.1)."""
    return base64url.encode(sha256(der))


def from_base64(text: str) -> bytes:
    """Decode a certificate from base64, with or without line breaks.

    Raises UnreadableCertificate if malformed or too long.
    """
    try:
        der = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise UnreadableCertificate("not base64") from error
    if not 0 < len(der) <= MAX_BYTES:
        raise UnreadableCertificate("a certificate does not have this length")
    return der


def is_current(der: bytes, now: Milliseconds) -> bool:
    """Return whether the certificate is valid: from its first to its last second. Raises UnreadableCertificate."""
    certificate = _parsed(der)
    instant = datetime.fromtimestamp(now // 1000, UTC)
    return certificate.not_valid_before_utc <= instant <= certificate.not_valid_after_utc


def validity(chain: bytes) -> tuple[Milliseconds, Milliseconds]:
    """Return the first and last instant of the first certificate in PEM. Raises UnreadableCertificate."""
    try:
        first = x509.load_pem_x509_certificates(chain)[0]
    except (ValueError, TypeError, IndexError, x509.InvalidVersion) as error:
        raise UnreadableCertificate("not a certificate in PEM") from error
    return int(first.not_valid_before_utc.timestamp() * 1000), int(first.not_valid_after_utc.timestamp() * 1000)


def public_members(der: bytes) -> dict[str, str]:
    """Return the JWK members of the public key. Raises UnreadableCertificate if its type or curve is not supported."""
    try:
        key = _parsed(der).public_key()
    except (ValueError, UnsupportedAlgorithm) as error:
        raise UnreadableCertificate("its key cannot be read") from error
    try:
        return jws.public_members(key)
    except LookupError as error:
        raise UnreadableCertificate("its key has a type or curve that is not supported") from error


def normal_name(kind: str, value: str) -> str:
    """Return the form in which a name of this kind is stored and compared. Raises UnreadableCertificate if it is malformed.

    Distinguished names have the form of RFC 4514, addresses that of RFC 5952; host names are in lower case; other kinds are
    unchanged.
    """
    if not value.strip():  # threats P10: some certificates have an empty subject
        raise UnreadableCertificate(f"{value!r} is not a {kind}")
    try:
        match kind:
            case "subject_dn":
                return x509.Name.from_rfc4514_string(value, _SHORT_NAMES).rfc4514_string()
            case "san_ip":
                return str(ip_address(value))
            case "san_dns":
                return value.lower()
    except ValueError as error:
        raise UnreadableCertificate(f"{value!r} is not a {kind}") from error
    return value


def names(der: bytes, kind: str) -> list[str]:
    """Return the names of this kind in normal form (RFC 8705 §2.1.2). Raises UnreadableCertificate."""
    certificate = _parsed(der)
    try:
        if kind == "subject_dn":
            return [certificate.subject.rfc4514_string()]
        try:
            alternatives = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        except x509.ExtensionNotFound:
            return []
        match kind:
            case "san_dns":
                return [name.lower() for name in alternatives.get_values_for_type(x509.DNSName)]
            case "san_uri":
                return alternatives.get_values_for_type(x509.UniformResourceIdentifier)
            case "san_ip":
                return [str(address) for address in alternatives.get_values_for_type(x509.IPAddress)]
            case "san_email":
                return alternatives.get_values_for_type(x509.RFC822Name)
    except (ValueError, TypeError, x509.DuplicateExtension, x509.UnsupportedGeneralNameType) as error:
        raise UnreadableCertificate("its names cannot be read") from error
    raise LookupError(kind)


def _parsed(der: bytes) -> x509.Certificate:
    try:
        return x509.load_der_x509_certificate(der)
    except (ValueError, TypeError, x509.InvalidVersion) as error:
        raise UnreadableCertificate("not a certificate in DER") from error
