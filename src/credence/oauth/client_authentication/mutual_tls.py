"""A client proves itself by the certificate of its connection, and its tokens are bound to that (RFC 8705).

Whoever ended TLS has seen that the client holds the certificate's key, and passes the certificate on.
"""

from dataclasses import dataclass

from credence.clock import Milliseconds
from credence.crypto import certificates
from credence.crypto.certificates import UnreadableCertificate
from credence.store.records import Application

BY_NAME = "tls_client_auth"
BY_CERTIFICATE = "self_signed_tls_client_auth"
METHODS = (BY_NAME, BY_CERTIFICATE)


@dataclass(frozen=True, slots=True)
class ShownCertificate:
    """The certificate of a connection."""

    der: bytes
    chain_verified: bool
    """Whether who ended TLS has verified it up to an authority that the operator chose."""

    @property
    def thumbprint(self) -> str:
        """What names it in a token (RFC 8705 §3.1)."""
        return certificates.thumbprint(self.der)


def fault(application: Application, shown: ShownCertificate | None, now: Milliseconds) -> str | None:
    """Return why the certificate does not prove this application, None when it does."""
    if application.disabled:
        return "client.mismatch"
    if shown is None:
        return "certificate.missing"
    try:
        if not certificates.is_current(shown.der, now // 1000):
            return "certificate.dates"
        if application.authentication == BY_CERTIFICATE:
            return _fault_of_self_signed(application, shown)
        return _fault_of_name(application, shown)
    except UnreadableCertificate:
        return "certificate.unreadable"


def _fault_of_name(application: Application, shown: ShownCertificate) -> str | None:
    """RFC 8705 §2.1: the chain is verified, and the certificate has the one registered name."""
    name = application.certificate_name
    if not shown.chain_verified:
        return "certificate.chain"
    if name is None or name.value not in certificates.names(shown.der, name.kind):
        return "certificate.other"
    return None


def _fault_of_self_signed(application: Application, shown: ShownCertificate) -> str | None:
    """RFC 8705 §2.2: the certificate itself is registered."""
    registered = (certificates.from_base64(key.certificate) for key in application.keys if key.certificate)
    return None if shown.der in registered else "certificate.other"
