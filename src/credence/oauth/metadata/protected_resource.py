"""The metadata of the service's protected resources (RFC 9728)."""

from collections.abc import Collection, Mapping
from urllib.parse import urlsplit

import msgspec

from credence import paths
from credence.oauth.client_authentication import methods
from credence.oauth.dpop import proof
from credence.oauth.parameters.authorization_details import TYPES
from credence.oauth.parameters.scopes import CREDIT_SCOPES, REPORT
from credence.settings import Settings


def resource_metadata(settings: Settings, resource: str, scopes: Collection[str], documentation: str) -> bytes | None:
    """Return the metadata document as JSON; None if the resource is not a URL, so that the document has no address.

    `scopes` are those that routes require; the document lists only those of the credit API.
    """
    if metadata_url(resource) is None:
        return None
    metadata: dict[str, object] = {
        "resource": resource,
        "authorization_servers": [settings.issuer],
        "scopes_supported": [scope for scope in CREDIT_SCOPES if scope in scopes],
        "authorization_details_types_supported": list(TYPES) if REPORT in scopes else [],  # RFC 9728 §2
        "bearer_methods_supported": ["header"],  # only RFC 6750 §2.1
        "resource_documentation": f"{settings.issuer}{documentation}",
        "dpop_signing_alg_values_supported": list(proof.ALGORITHMS),
    }
    if methods.forwards_certificates(settings):
        metadata["tls_client_certificate_bound_access_tokens"] = True
    return msgspec.json.encode(without_empty(metadata))


def without_empty(metadata: Mapping[str, object]) -> dict[str, object]:
    """Return the metadata without empty lists, which must be omitted (RFC 8414 §3.2, RFC 9728 §3.2)."""
    return {name: value for name, value in metadata.items() if value != []}


def metadata_url(resource: str) -> str | None:
    """Return the metadata URL of a resource, None if the resource is not a URL.

    The path of the resource follows the well-known path (RFC 9728 §3.1).
    """
    parts = urlsplit(resource)
    if parts.scheme not in {"https", "http"} or not parts.netloc:
        return None
    return f"{parts.scheme}://{parts.netloc}{paths.PROTECTED_RESOURCE}{path_of(resource)}"


def path_of(address: str) -> str:
    """Return the path of a URL as it is appended to a well-known path: empty for `/`."""
    path = urlsplit(address).path
    return "" if path == "/" else path
