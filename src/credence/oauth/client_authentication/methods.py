"""The methods there are, and which of them this deployment takes (RFC 8414 §2, RFC 8705 §2, RFC 6749 §2.1)."""

from credence.oauth.client_authentication import mutual_tls, private_key_jwt
from credence.settings import Settings
from credence.store.records import Application

BY_SECRET = "client_secret"  # noqa: S105 - the name of a method
"""In HTTP Basic or in the request: both are one method here (D1)."""

PUBLIC = "none"

SIGNING_ALGORITHMS = private_key_jwt.ALGORITHMS


def proves_by_secret(application: Application) -> bool:
    """Tell whether the application proves itself by a secret."""
    return application.authentication == BY_SECRET


def is_public(application: Application) -> bool:
    """Tell whether the application proves nothing: anybody can give its name (RFC 6749 §2.1)."""
    return application.authentication == PUBLIC


def supported(settings: Settings) -> tuple[str, ...]:
    """Return what clients may use in the standard dialect, by their registered names."""
    return (*proofs(settings), PUBLIC)


def proofs(settings: Settings) -> tuple[str, ...]:
    """Return those of them that prove who the client is."""
    found = ["client_secret_basic", "client_secret_post", private_key_jwt.METHOD]
    if settings.client_certificate_header and certificates_arrive(settings):
        found.append(mutual_tls.BY_NAME)
    if certificates_arrive(settings):
        found.append(mutual_tls.BY_CERTIFICATE)
    return tuple(found)


def certificates_arrive(settings: Settings) -> bool:
    """Tell whether a proxy passes certificates on: then tokens can be bound to them (RFC 8705 §3.3)."""
    named = settings.client_certificate_header or settings.unverified_certificate_header
    return bool(named and settings.trusted_proxies)
