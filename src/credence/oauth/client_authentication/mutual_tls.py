"""Client authentication by the certificate of the connection (RFC 8705 §2).

The proxy that terminates TLS has verified that the client has the private key, and forwards the certificate.
"""

from credence.clock import Milliseconds
from credence.crypto import certificates
from credence.crypto.certificates import UnreadableCertificate
from credence.oauth.forwarded_certificate import ForwardedCertificate
from credence.store.records import Application

TLS_CLIENT_AUTH = "tls_client_auth"
SELF_SIGNED_TLS_CLIENT_AUTH = "self_signed_tls_client_auth"
METHODS = (TLS_CLIENT_AUTH, SELF_SIGNED_TLS_CLIENT_AUTH)


def authentication_error(
    application: Application, certificate: ForwardedCertificate | None, now: Milliseconds
) -> str | None:
    """Return the reason code if the certificate does not authenticate this application; None if it does."""
    if application.disabled:
        return "client.disabled"
    if certificate is None:
        return "certificate.missing"
    try:
        if not certificates.is_current(certificate.der, now):
            return "certificate.dates"
        if application.authentication == SELF_SIGNED_TLS_CLIENT_AUTH:
            return _error_of_self_signed(application, certificate)
        return _error_of_name(application, certificate)
    except UnreadableCertificate:
        return "certificate.unreadable"


def _error_of_name(application: Application, certificate: ForwardedCertificate) -> str | None:
    """Return the reason code unless the chain is verified and the certificate has the registered name (RFC 8705 §2.1)."""
    name = application.certificate_name
    if not certificate.chain_verified:
        return "certificate.chain"
    if name is None or name.value not in certificates.names(certificate.der, name.kind):
        return "certificate.other"
    return None


def _error_of_self_signed(application: Application, certificate: ForwardedCertificate) -> str | None:
    """Return the reason code unless this certificate is registered (RFC 8705 §2.2)."""
    registered = (certificates.from_base64(key.certificate) for key in application.keys if key.certificate)
    return None if certificate.der in registered else "certificate.other"
