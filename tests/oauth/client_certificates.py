"""Certificates of clients, and the header fields in which proxies forward them (RFC 8705, RFC 9440)."""

import base64
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address, ip_network
from typing import Any
from urllib.parse import quote, urlencode

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding
from joserfc.jwk import ECKey

from tests.deployment import NOW, TOKEN_PATH, Deployment, Header, Reply
from tests.oauth.standard import FORM

VERIFIED, ANY = "Client-Cert", "Client-Cert-Unverified"
PROXY = "10.0.0.1"
BEHIND_A_PROXY: dict[str, Any] = {
    "client_certificate_header": VERIFIED,
    "unverified_certificate_header": ANY,
    "trusted_proxies": (ip_network("10.0.0.0/8"),),
}
DAY = timedelta(days=1)
TODAY = datetime.fromtimestamp(NOW // 1000, UTC)

NAMES = (
    x509.DNSName("Ledger.example.com"),
    x509.UniformResourceIdentifier("https://ledger.example.com/client"),
    x509.IPAddress(ip_address("2001:db8::7")),
    x509.RFC822Name("ledger@example.com"),
)


@dataclass(frozen=True)
class Certificate:
    """A certificate that signs itself, and its key."""

    key: ec.EllipticCurvePrivateKey
    x509: x509.Certificate

    @property
    def der(self) -> bytes:
        return self.x509.public_bytes(Encoding.DER)

    @property
    def jwk(self) -> dict[str, Any]:
        """Its key as a client registers it, with the certificate (RFC 8705 §2.2.2)."""
        members = ECKey.import_key(self.key.public_key()).as_dict(private=False)
        return {**members, "x5c": [base64.b64encode(self.der).decode()]}

    def field(self, name: str = VERIFIED) -> Header:
        """The value of the header field (RFC 9440 §2.1)."""
        return (name, f":{base64.b64encode(self.der).decode()}:")

    def escaped(self, name: str = VERIFIED) -> Header:
        """The value that nginx forwards: `$ssl_client_escaped_cert`."""
        return (name, quote(self.x509.public_bytes(Encoding.PEM).decode(), safe=""))


def certificate(
    subject: str = "CN=Ledger,O=Example Ltd,C=GB",
    names: tuple[x509.GeneralName, ...] = NAMES,
    begins: datetime = TODAY - DAY,
    ends: datetime = TODAY + DAY,
) -> Certificate:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name.from_rfc4514_string(subject)
    builder = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(ends)
    )
    if names:
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    return Certificate(key, builder.sign(key, SHA256()))


async def own_token(deployment: Deployment, *headers: Header, peer: str = PROXY, **fields: str) -> Reply:
    """Request a token for the application itself, with only its client_id and the fields that the proxy adds."""
    form = {"grant_type": "client_credentials", "client_id": deployment.application.client_id, **fields}
    return await deployment.send("POST", TOKEN_PATH, [FORM, *headers], urlencode(form).encode(), peer=peer)
