"""The OpenID provider configuration (spec §2.6, §4.3, §9.2, D12, OpenID Connect Discovery 1.0 §3, RFC 8414 §2)."""

from collections.abc import Mapping, Sequence

import msgspec

from credence.oauth.access_token import Claims
from credence.oauth.grants import GRANTS

CLIENT_AUTHENTICATION = ("client_secret_basic",)
"""What works for every grant in the standard dialect; the house dialect's placements have no registered name (D1)."""


def configuration(issuer: str, endpoints: Mapping[str, str], algorithms: Sequence[str]) -> bytes:
    """Return the document as JSON; `endpoints` are the metadata names and paths of what is mounted."""
    metadata: dict[str, object] = {"issuer": issuer}
    metadata |= {name: f"{issuer}{path}" for name, path in endpoints.items()}
    metadata |= {
        "response_types_supported": [],  # no authorization endpoint is mounted
        "grant_types_supported": list(GRANTS),
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": list(algorithms),
        "token_endpoint_auth_methods_supported": list(CLIENT_AUTHENTICATION),
        "revocation_endpoint_auth_methods_supported": list(CLIENT_AUTHENTICATION),
        "claims_supported": list(Claims.__struct_fields__),
    }
    return msgspec.json.encode(metadata)
