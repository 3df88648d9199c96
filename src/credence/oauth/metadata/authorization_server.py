"""The metadata of the service (spec §2.6, §4.3, §9.2, D12, OpenID Connect Discovery 1.0 §3, RFC 8414 §2).

One document for both standards. What it names is taken from what does the work: the routes, the grants, the methods of
client authentication, the algorithms of the deployment (threats T15). There is no authorization endpoint, so nothing is said
of what belongs to one, such as `authorization_response_iss_parameter_supported` (RFC 9207 §3).
"""

from collections.abc import Mapping

import msgspec

from credence.oauth.client_authentication import methods
from credence.oauth.dpop import proof
from credence.oauth.grants import GRANTS
from credence.oauth.introspection import SIGNING_ALGORITHM
from credence.oauth.metadata.protected_resource import metadata_url
from credence.oauth.parameters.scopes import SCOPES
from credence.oauth.tokens import id_token, standard_claims
from credence.settings import Settings

AUTHENTICATED = ("token", "revocation", "introspection")
"""Endpoints at which an application proves itself, as the names of metadata begin."""


def server_metadata(settings: Settings, endpoints: Mapping[str, str]) -> bytes:
    """Return the document as JSON; `endpoints` are the metadata names and paths of what is mounted."""
    metadata: dict[str, object] = {"issuer": settings.issuer}
    metadata |= {name: f"{settings.issuer}{path}" for name, path in endpoints.items()}
    metadata |= {
        "scopes_supported": list(SCOPES),
        "response_types_supported": [],  # no authorization endpoint is mounted
        "grant_types_supported": list(GRANTS),
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": list(settings.algorithms),
        # What an ID token can say; the user information says part of it. Access tokens are for the resource alone.
        "claims_supported": [*id_token.CLAIMS, *standard_claims.NAMES],
        "introspection_signing_alg_values_supported": [SIGNING_ALGORITHM],  # RFC 9701 §7
        "dpop_signing_alg_values_supported": list(proof.ALGORITHMS),  # RFC 9449 §5.1
        "request_uri_parameter_supported": False,  # left out it would mean true (OpenID Connect Discovery §3)
    }
    for endpoint in AUTHENTICATED:
        if f"{endpoint}_endpoint" in endpoints:
            # Who asks about tokens must have proved who he is (RFC 7662 §2.1).
            taken = methods.proofs if endpoint == "introspection" else methods.supported
            metadata[f"{endpoint}_endpoint_auth_methods_supported"] = list(taken(settings))
            metadata[f"{endpoint}_endpoint_auth_signing_alg_values_supported"] = list(methods.SIGNING_ALGORITHMS)
    if methods.forwards_certificates(settings):
        metadata["tls_client_certificate_bound_access_tokens"] = True  # RFC 8705 §3.3
    if metadata_url(settings.token_audience) is not None:
        metadata["protected_resources"] = [settings.token_audience]  # RFC 9728 §4
    return msgspec.json.encode(metadata)
