"""Checks the operator's certificate as a client of the base address does (RFC 9110 §4.3.4, RFC 9525)."""

import ssl
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from credence.errors import InvalidInput
from credence.settings import Settings
from credence.tls import Pair, nameless

_MAX_FLIGHTS = 6
"""More than the flights of a TLS handshake, in which each side writes in turn."""

_OTHER_NAME = frozenset({62, 64})
"""X509_V_ERR_HOSTNAME_MISMATCH and X509_V_ERR_IP_ADDRESS_MISMATCH of OpenSSL's x509_vfy.h."""

_ISSUER_MISSING = 20
"""X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY."""


class OtherName(InvalidInput):
    """The certificate is for another host than the base address."""


def require_name(pair: Pair, file: Path, settings: Settings) -> None:
    """Raise OtherName if clients of the base address refuse the certificate for its name.

    Behind a trusted proxy clients may get another one, and `certificate_warnings` has the line instead.
    """
    fault = _fault_of_name(pair, file, settings)
    if fault is not None and not settings.trusted_proxies:
        raise OtherName(fault)


def certificate_warnings(pair: Pair, file: Path, settings: Settings) -> list[str]:
    """Return a line for each property of the certificate for which some clients may refuse it."""
    found = []
    fault = _fault_of_name(pair, file, settings)
    if fault is not None:
        found.append(fault)
    if _verify_code(pair, _host(settings), ssl.create_default_context()) == _ISSUER_MISSING:
        found.append(
            f"CREDENCE_TLS_CERTIFICATE: the issuer of the last certificate in {file} is neither in the file nor a root that "
            "this machine trusts. Unless clients have that root, use the file with the intermediate certificates too, such "
            "as fullchain.pem."
        )
    return found


def _fault_of_name(pair: Pair, file: Path, settings: Settings) -> str | None:
    trusting = ssl.SSLContext(
        ssl.PROTOCOL_TLS_CLIENT
    )  # every certificate of the file, so that the name alone is checked
    trusting.load_verify_locations(cadata=pair.certificate.decode("ascii"))
    trusting.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    if _verify_code(pair, _host(settings), trusting) not in _OTHER_NAME:
        return None
    return (
        f"CREDENCE_TLS_CERTIFICATE and CREDENCE_BASE_URL: the certificate in {file} is not for {_host(settings)}, so "
        f"clients of {settings.issuer} refuse it."
    )


def _host(settings: Settings) -> str:
    return urlsplit(settings.issuer).hostname or ""


def _verify_code(pair: Pair, host: str, client: ssl.SSLContext) -> int:
    """Return why a client with this context refuses the certificate, as OpenSSL's verification code; 0 if it does not.

    The handshake is made in memory.
    """
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with nameless(pair.certificate) as chain, nameless(pair.key) as key:
        server.load_cert_chain(chain, key)
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    ours = client.wrap_bio(to_client, to_server, server_hostname=host)
    theirs = server.wrap_bio(to_server, to_client, server_side=True)
    for _ in range(_MAX_FLIGHTS):
        for side in (ours, theirs):
            try:
                with suppress(ssl.SSLWantReadError):
                    side.do_handshake()
            except ssl.SSLCertVerificationError as error:
                return error.verify_code
            except ssl.SSLError:  # of the server's side: the client has refused it, and says why in its own turn
                continue
    return 0
