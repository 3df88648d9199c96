"""The certificate of the client's connection, as a trusted proxy passes it on (RFC 9440, RFC 8705 §6.5, D26, threats I8)."""

from urllib.parse import unquote

from credence.access.caller_address import is_trusted
from credence.crypto.certificates import UnreadableCertificate, from_base64
from credence.oauth.client_authentication.mutual_tls import ShownCertificate
from credence.settings import Settings
from credence.web.messages.request import Request

_BEGIN, _END = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"


def shown_certificate(settings: Settings, request: Request) -> ShownCertificate | None:
    """Return the certificate that came along; None when there is none, and for one from a peer that is not trusted."""
    for header, verified in (
        (settings.client_certificate_header, True),
        (settings.unverified_certificate_header, False),
    ):
        text = request.headers.get(header) if header else None
        if text and is_trusted(request.peer, settings.trusted_proxies):
            try:
                return ShownCertificate(_der(text), verified)
            except UnreadableCertificate:
                continue
    return None


def _der(text: str) -> bytes:
    """Read a byte sequence of RFC 9440 §2.1, or PEM with percent-encoding as nginx writes it."""
    if text.startswith(":") and text.endswith(":") and len(text) > 1:
        return from_base64(text[1:-1])
    pem = unquote(text).strip()
    if pem.startswith(_BEGIN) and pem.endswith(_END):
        return from_base64(pem[len(_BEGIN) : -len(_END)])
    raise UnreadableCertificate("in no form that is known")
