"""Metadata by which clients and resource servers configure themselves (spec §2.6, §4.3, §9.2, D12).

One document serves OpenID Connect Discovery 1.0 §3 and RFC 8414 §2, another describes the protected resources (RFC 9728).
Values come from the routes, the grants, the methods of client authentication and the algorithms of the deployment, so they
cannot differ from what the service does (threats T15).
"""

from collections.abc import Collection, Mapping
from urllib.parse import urlsplit

import msgspec

from credence import paths
from credence.identity.sessions import AUTHENTICATION_CLASSES
from credence.oauth.authorization.request import PROMPTS, RESPONSE_MODES
from credence.oauth.client_authentication import methods
from credence.oauth.dpop import proof
from credence.oauth.grants import GRANTS
from credence.oauth.introspection import SIGNING_ALGORITHM
from credence.oauth.parameters.authorization_details import TYPES
from credence.oauth.parameters.scopes import CREDIT_SCOPES, REPORT, SCOPES, own_resources
from credence.oauth.tokens import id_token, standard_claims
from credence.oauth.trusted_issuers.identity_assertion import PROFILE as ID_JAG
from credence.settings import Settings

AUTHENTICATED = ("token", "revocation", "introspection")
"""Endpoints with client authentication, by the prefix of their metadata names."""


def server_metadata(settings: Settings, endpoints: Mapping[str, str]) -> bytes:
    """Return the metadata document as JSON. `endpoints` maps metadata names, such as `token_endpoint`, to paths."""
    metadata: dict[str, object] = {"issuer": settings.issuer}
    metadata |= {name: f"{settings.issuer}{path}" for name, path in endpoints.items()}
    metadata |= {
        "scopes_supported": list(SCOPES),
        "authorization_details_types_supported": list(TYPES),  # RFC 9396 §10
        "response_types_supported": ["code"],
        "response_modes_supported": list(RESPONSE_MODES),
        "code_challenge_methods_supported": ["S256"],  # RFC 7636 §6.2
        "authorization_response_iss_parameter_supported": True,  # RFC 9207 §3
        "prompt_values_supported": list(PROMPTS),
        "acr_values_supported": list(AUTHENTICATION_CLASSES),
        "claims_parameter_supported": True,
        "request_parameter_supported": True,  # RFC 9101, by value
        "request_object_signing_alg_values_supported": list(methods.SIGNING_ALGORITHMS),
        "authorization_signing_alg_values_supported": list(settings.algorithms),  # JARM §4
        "require_pushed_authorization_requests": False,  # RFC 9126 §5: an application may require them of itself
        "grant_types_supported": list(GRANTS),
        "authorization_grant_profiles_supported": [ID_JAG],  # draft-ietf-oauth-identity-assertion-authz-grant §7.2
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": list(settings.algorithms),
        "userinfo_signing_alg_values_supported": list(settings.algorithms),
        # The claims of ID tokens; user information has some of them. Access tokens are for the resource only.
        "claims_supported": [*id_token.CLAIMS, *standard_claims.NAMES],
        "introspection_signing_alg_values_supported": [SIGNING_ALGORITHM],  # RFC 9701 §7
        "dpop_signing_alg_values_supported": list(proof.ALGORITHMS),  # RFC 9449 §5.1
        # Its default is true (OpenID Connect Discovery §3). The request_uri of a pushed request needs no member.
        "request_uri_parameter_supported": False,
    }
    for endpoint in AUTHENTICATED:
        if f"{endpoint}_endpoint" in endpoints:
            # Introspection is not for public clients (RFC 7662 §2.1).
            accepted = methods.proofs if endpoint == "introspection" else methods.supported
            metadata[f"{endpoint}_endpoint_auth_methods_supported"] = list(accepted(settings))
            metadata[f"{endpoint}_endpoint_auth_signing_alg_values_supported"] = list(methods.SIGNING_ALGORITHMS)
    if settings.calls_out:
        metadata["backchannel_logout_supported"] = True  # OpenID Connect Back-Channel Logout §2.1
        metadata["backchannel_logout_session_supported"] = True
    if settings.client_documents != "off":
        metadata["client_id_metadata_document_supported"] = True  # Client ID Metadata Document §5
    if methods.forwards_certificates(settings):
        metadata["tls_client_certificate_bound_access_tokens"] = True  # RFC 8705 §3.3
    metadata["protected_resources"] = [each for each in own_resources(settings) if metadata_url(each)]  # RFC 9728 §4
    return msgspec.json.encode(without_empty(metadata))


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
