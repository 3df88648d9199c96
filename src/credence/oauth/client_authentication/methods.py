"""The methods of client authentication, and which of them this deployment accepts (RFC 8414 §2, RFC 8705 §2)."""

from typing import Final

from credence.oauth.client_authentication import mutual_tls, private_key_jwt
from credence.settings import Settings

CLIENT_SECRET: Final = "client_secret"  # noqa: S105 - the name of a method
"""The default method (D1): the secret in HTTP Basic, or in the form, except that of the password grant."""

CLIENT_SECRET_BASIC: Final = "client_secret_basic"  # noqa: S105 - the name of a method
CLIENT_SECRET_POST: Final = "client_secret_post"  # noqa: S105 - the name of a method

PUBLIC: Final = "none"
"""The client only sends its client_id (RFC 6749 §2.1)."""

SIGNING_ALGORITHMS = private_key_jwt.ALGORITHMS


def supported(settings: Settings) -> tuple[str, ...]:
    """Return the registered names of all methods that the standard dialect accepts."""
    return (*proofs(settings), PUBLIC)


def proofs(settings: Settings) -> tuple[str, ...]:
    """Return those of the supported methods that authenticate the client, that is, all but `none`."""
    found = [CLIENT_SECRET_BASIC, CLIENT_SECRET_POST, private_key_jwt.METHOD]
    if settings.client_certificate_header and forwards_certificates(settings):
        found.append(mutual_tls.TLS_CLIENT_AUTH)
    if forwards_certificates(settings):
        found.append(mutual_tls.SELF_SIGNED_TLS_CLIENT_AUTH)
    return tuple(found)


def forwards_certificates(settings: Settings) -> bool:
    """Return whether a proxy forwards client certificates, so that tokens can be bound to them (RFC 8705 §3.3)."""
    header = settings.client_certificate_header or settings.unverified_certificate_header
    return bool(header and settings.trusted_proxies)
