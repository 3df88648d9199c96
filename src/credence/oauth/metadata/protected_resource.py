"""What the credit API says of itself as a resource that tokens open (RFC 9728)."""

from collections.abc import Collection
from urllib.parse import urlsplit

import msgspec

from credence import paths
from credence.oauth.client_authentication import methods
from credence.oauth.dpop import proof
from credence.oauth.parameters.scopes import API_SCOPES
from credence.settings import Settings


def resource_metadata(settings: Settings, scopes: Collection[str], documentation: str) -> bytes | None:
    """Return the document as JSON; None when the audience of tokens is no address, so that nothing can be found by it.

    `scopes` are those that routes ask for; of them the credit API takes its own.
    """
    if metadata_url(settings.token_audience) is None:
        return None
    metadata: dict[str, object] = {
        "resource": settings.token_audience,
        "authorization_servers": [settings.issuer],
        "scopes_supported": [scope for scope in API_SCOPES if scope in scopes],
        "bearer_methods_supported": ["header"],  # RFC 6750 §2.1 alone
        "resource_documentation": f"{settings.issuer}{documentation}",
        "dpop_signing_alg_values_supported": list(proof.ALGORITHMS),
    }
    if methods.forwards_certificates(settings):
        metadata["tls_client_certificate_bound_access_tokens"] = True
    return msgspec.json.encode(metadata)


def metadata_url(resource: str) -> str | None:
    """Return where the metadata of a resource is: its path comes after the well-known one (RFC 9728 §3.1)."""
    parts = urlsplit(resource)
    if parts.scheme not in {"https", "http"} or not parts.netloc:
        return None
    return f"{parts.scheme}://{parts.netloc}{paths.PROTECTED_RESOURCE}{path_of(resource)}"


def path_of(address: str) -> str:
    """Return the path of an address as it follows a well-known path: none for the slash after the host alone."""
    path = urlsplit(address).path
    return "" if path == "/" else path
