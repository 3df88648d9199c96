"""The client certificate of the connection, as a trusted proxy forwards it (RFC 9440, RFC 8705 §6.5, D26, threats I8)."""

from dataclasses import dataclass
from urllib.parse import unquote

from credence.access.caller_address import is_trusted
from credence.crypto import certificates
from credence.crypto.certificates import UnreadableCertificate, from_base64
from credence.request_context import RequestContext
from credence.settings import Settings

_BEGIN, _END = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"


@dataclass(frozen=True, slots=True)
class ForwardedCertificate:
    """A certificate whose private key the client proved to the proxy in the TLS handshake."""

    der: bytes
    chain_verified: bool
    """Whether the proxy verified the chain to a certificate authority that the operator chose."""

    @property
    def thumbprint(self) -> str:
        """The value of `x5t#S256` (RFC 8705 §3.1)."""
        return certificates.thumbprint(self.der)


def forwarded_certificate(settings: Settings, request: RequestContext) -> ForwardedCertificate | None:
    """Return the certificate; None if it is absent or unreadable, or the peer is not a trusted proxy."""
    for header, verified in (
        (settings.client_certificate_header, True),
        (settings.unverified_certificate_header, False),
    ):
        text = request.headers.get(header) if header else None
        if text and is_trusted(request.peer, settings.trusted_proxies):
            try:
                return ForwardedCertificate(_der(text), verified)
            except UnreadableCertificate:
                continue
    return None


def _der(text: str) -> bytes:
    """Decode a byte sequence (RFC 9440 §2.1), or PEM with percent-encoding as nginx sends it."""
    if text.startswith(":") and text.endswith(":") and len(text) > 1:
        return from_base64(text[1:-1])
    pem = unquote(text).strip()
    if pem.startswith(_BEGIN) and pem.endswith(_END):
        return from_base64(pem[len(_BEGIN) : -len(_END)])
    raise UnreadableCertificate("neither an RFC 9440 byte sequence nor PEM")
