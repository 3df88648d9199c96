"""X.509 certificates that clients show: whether one is current, and whose it is (RFC 8705, RFC 5280).

The handshake has proved that the client holds its key; whether its chain was verified is known to who ended TLS.
"""

import base64
import binascii
from datetime import UTC, datetime
from ipaddress import ip_address

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.x509.oid import NameOID

from credence.crypto import algorithms, base64url
from credence.crypto.digest import sha256

LONGEST = 8_192
"""Octets in DER. Nothing longer passes as a header field anyway."""

_SHORT_NAMES = {
    "emailAddress": NameOID.EMAIL_ADDRESS,
    "E": NameOID.EMAIL_ADDRESS,
    "serialNumber": NameOID.SERIAL_NUMBER,
}
"""Names of attributes that tools write and RFC 4514 §3 does not define."""


class UnreadableCertificate(Exception):
    """These octets are no certificate, or no name of one."""


def thumbprint(der: bytes) -> str:
    """Return `x5t#S256`: the SHA-256 of the certificate (RFC 8705 §3.1)."""
    return base64url.encode(sha256(der))


def from_base64(text: str) -> bytes:
    """Return what may be a certificate in DER, from base64 with or without line ends; UnreadableCertificate otherwise."""
    try:
        der = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise UnreadableCertificate("not base64") from error
    if not 0 < len(der) <= LONGEST:
        raise UnreadableCertificate("no certificate has this length")
    return der


def is_current(der: bytes, seconds: int) -> bool:
    """Tell whether its validity includes this instant, in seconds since the epoch; UnreadableCertificate."""
    certificate = _parsed(der)
    instant = datetime.fromtimestamp(seconds, UTC)
    return certificate.not_valid_before_utc <= instant <= certificate.not_valid_after_utc


def public_members(der: bytes) -> dict[str, str]:
    """Return the members of its public key by RFC 7517; UnreadableCertificate when it is of none of our types."""
    try:
        key = _parsed(der).public_key()
    except (ValueError, UnsupportedAlgorithm) as error:
        raise UnreadableCertificate("its key cannot be read") from error
    try:
        return algorithms.public_members(key)
    except LookupError as error:
        raise UnreadableCertificate("its key has a type or curve that is not supported") from error


def normal_name(kind: str, value: str) -> str:
    """Return the form in which such a name is kept and compared; UnreadableCertificate when it is none.

    A distinguished name as RFC 4514 writes it, an address as RFC 5952 does, a host name in lower case; others as they are.
    """
    if not value.strip():  # threats P10; there are certificates whose subject is empty
        raise UnreadableCertificate(f"{value!r} is no {kind}")
    try:
        match kind:
            case "subject_dn":
                return x509.Name.from_rfc4514_string(value, _SHORT_NAMES).rfc4514_string()
            case "san_ip":
                return str(ip_address(value))
            case "san_dns":
                return value.lower()
    except ValueError as error:
        raise UnreadableCertificate(f"{value!r} is no {kind}") from error
    return value


def names(der: bytes, kind: str) -> list[str]:
    """Return its names of this kind in their normal form (RFC 8705 §2.1.2); UnreadableCertificate."""
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
    except (ValueError, x509.DuplicateExtension, x509.UnsupportedGeneralNameType) as error:
        raise UnreadableCertificate("its names cannot be read") from error
    raise LookupError(kind)


def _parsed(der: bytes) -> x509.Certificate:
    try:
        return x509.load_der_x509_certificate(der)
    except (ValueError, TypeError, x509.InvalidVersion) as error:
        raise UnreadableCertificate("no certificate in DER") from error
