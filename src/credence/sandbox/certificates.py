"""The sandbox's own certificate authority (D18).

Name constraints limit its certificate to the names of this machine, so trusting it is safe. Its key stays in the data
folder, so that the server certificate is renewed under the same authority.
"""

import datetime as dt
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from credence.files import OWNER_ONLY, WORLD_READABLE, write_atomically
from credence.settings import Settings
from credence.tls import authority_file

AUTHORITY_DAYS = 3_650
SERVER_DAYS = 397
"""Days of validity of the server certificate: the longest lifetime that browsers accept."""

_UNREADABLE = (ValueError, TypeError, UnsupportedAlgorithm, x509.ExtensionNotFound)
"""Errors of reading a file that is damaged, encrypted or not made here."""

RENEW_DAYS = 30
"""Days before its end from which a certificate is replaced at start."""

_LOCAL_NAMES: tuple[x509.GeneralName, ...] = (
    x509.DNSName("localhost"),
    x509.IPAddress(IPv4Address("127.0.0.1")),
    x509.IPAddress(IPv6Address("::1")),
)


def authority_of(settings: Settings) -> Path | None:
    """Return the file of the certificate authority that clients must trust; None if they need no further authority."""
    return None if settings.http or settings.own_tls else authority_file(settings.tls_folder).absolute()


def ensure_certificates(folder: Path, host: str) -> tuple[Path, Path]:
    """Return the files of the server's certificate chain and key, made or renewed if needed.

    Files in the folder that cannot be used are replaced: the folder belongs to the sandbox.
    """
    chain, key = folder / "server.pem", folder / "server-key.pem"
    now = dt.datetime.now(dt.UTC)
    names = _names(host)
    if not _serves(folder, chain, key, names, now):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _make_server(folder, chain, key, names, now)
    return chain, key


def _make_server(folder: Path, chain: Path, key: Path, names: tuple[x509.GeneralName, ...], now: dt.datetime) -> None:
    authority, authority_key = _authority(folder, names, now)
    server_key = ec.generate_private_key(ec.SECP256R1())
    server = (
        _builder("Credence sandbox server", authority.subject, server_key.public_key(), now, SERVER_DAYS)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key()), critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    _write_key(key, server_key)
    write_atomically(chain, _pem(server) + _pem(authority), WORLD_READABLE)


def _authority(
    folder: Path, names: tuple[x509.GeneralName, ...], now: dt.datetime
) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    certificate_file, key_file = authority_file(folder), folder / "ca-key.pem"
    kept = _pair(certificate_file, key_file)
    if kept is not None and _permits(kept[0], names) and not _ends(kept[0], now):
        return kept
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Credence sandbox authority")])
    certificate = (
        _builder("Credence sandbox authority", name, key.public_key(), now, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_only_signs_certificates(), critical=True)
        .add_extension(x509.NameConstraints([_subtree(each) for each in names], None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    _write_key(key_file, key)
    write_atomically(certificate_file, _pem(certificate), WORLD_READABLE)
    return certificate, key


def _builder(
    common_name: str, issuer: x509.Name, public_key: ec.EllipticCurvePublicKey, now: dt.datetime, days: int
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)]))
        .issuer_name(issuer)
        .public_key(public_key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(minutes=5))
        .not_valid_after(now + dt.timedelta(days=days))
    )


def _names(host: str) -> tuple[x509.GeneralName, ...]:
    try:
        address = ip_address(host)
    except ValueError:
        named: x509.GeneralName = x509.DNSName(host)
    else:
        named = x509.IPAddress(address)
        if address.is_unspecified:
            return _LOCAL_NAMES
    return _LOCAL_NAMES if named in _LOCAL_NAMES else (*_LOCAL_NAMES, named)


def _subtree(name: x509.GeneralName) -> x509.GeneralName:
    if isinstance(name, x509.IPAddress):
        address = name.value
        network = IPv4Network(address) if isinstance(address, IPv4Address) else IPv6Network(str(address))
        return x509.IPAddress(network)
    return name


def _serves(folder: Path, chain: Path, key: Path, names: tuple[x509.GeneralName, ...], now: dt.datetime) -> bool:
    """Return whether the chain is from the authority, fits the key, covers the names, and stays valid for RENEW_DAYS."""
    kept = _pair(chain, key)
    if kept is None:
        return False
    certificate, _ = kept
    try:
        authority = x509.load_pem_x509_certificate(authority_file(folder).read_bytes())
        certificate.verify_directly_issued_by(authority)
        covered = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (FileNotFoundError, InvalidSignature, *_UNREADABLE):
        return False
    return set(names) <= set(covered) and not _ends(certificate, now)


def _pair(certificate_file: Path, key_file: Path) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey] | None:
    """Return the first certificate of a file and its key; None unless both are readable and belong together."""
    try:
        certificate = x509.load_pem_x509_certificates(certificate_file.read_bytes())[0]
        key = serialization.load_pem_private_key(key_file.read_bytes(), password=None)
        together = certificate.public_key() == key.public_key()
    except (FileNotFoundError, *_UNREADABLE):
        return None
    return (certificate, key) if together and isinstance(key, ec.EllipticCurvePrivateKey) else None


def _permits(authority: x509.Certificate, names: tuple[x509.GeneralName, ...]) -> bool:
    try:
        constraints = authority.extensions.get_extension_for_class(x509.NameConstraints).value
    except _UNREADABLE:  # not an authority made here
        return False
    return {_subtree(name) for name in names} <= set(constraints.permitted_subtrees or ())


def _ends(certificate: x509.Certificate, now: dt.datetime) -> bool:
    return certificate.not_valid_after_utc - now < dt.timedelta(days=RENEW_DAYS)


def _only_signs_certificates() -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=False,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=True,
        crl_sign=True,
        encipher_only=False,
        decipher_only=False,
    )


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _write_key(file: Path, key: ec.EllipticCurvePrivateKey) -> None:
    encoding, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    write_atomically(file, key.private_bytes(encoding, form, serialization.NoEncryption()), OWNER_ONLY)
