"""Models of the metadata documents by which clients and verifiers configure themselves, for documentation only."""

from typing import Annotated

from msgspec import Struct

from credence.meanings import meaning


class ProviderConfiguration(Struct, omit_defaults=True):
    """OpenID Connect Discovery 1.0 provider metadata."""

    issuer: Annotated[str, meaning("The issuer, which every token names in `iss`.", example="https://api.example.com")]
    token_endpoint: Annotated[
        str, meaning("Where tokens are requested.", example="https://api.example.com/oauth2/v1/token")
    ]
    revocation_endpoint: Annotated[
        str, meaning("Where tokens are revoked.", example="https://api.example.com/oauth2/v1/revoke")
    ]
    jwks_uri: Annotated[str, meaning("Where the public keys are.", example="https://api.example.com/oauth2/v1/keys")]
    grant_types_supported: Annotated[
        list[str],
        meaning("Grants that the token endpoint has.", example=["password", "refresh_token", "client_credentials"]),
    ]
    introspection_endpoint: Annotated[
        str, meaning("Where tokens are introspected.", example="https://api.example.com/oauth2/v1/introspect")
    ]
    userinfo_endpoint: Annotated[
        str, meaning("Where user information is.", example="https://api.example.com/oauth2/v1/userinfo")
    ]
    service_documentation: Annotated[str, meaning("Where this reference is.", example="https://api.example.com/docs")]
    scopes_supported: Annotated[list[str], meaning("Scopes that exist.", example=["openid", "profile", "email"])]
    subject_types_supported: Annotated[list[str], meaning("Kinds of `sub` in ID tokens.", example=["public"])]
    id_token_signing_alg_values_supported: Annotated[
        list[str], meaning("Algorithms that sign ID tokens.", example=["RS256", "ES256"])
    ]
    userinfo_signing_alg_values_supported: Annotated[
        list[str], meaning("Algorithms that sign user information.", example=["RS256", "ES256"])
    ]
    claims_supported: Annotated[
        list[str], meaning("Claims of ID tokens and user information.", example=["sub", "name"])
    ]
    introspection_signing_alg_values_supported: Annotated[
        list[str], meaning("Algorithms that sign introspection (RFC 9701).", example=["RS256"])
    ]
    authorization_details_types_supported: Annotated[
        list[str], meaning("Types of authorization details (RFC 9396).", example=["credit_report"])
    ]
    authorization_grant_profiles_supported: Annotated[
        list[str],
        meaning(
            "Profiles of the JWT bearer grant: assertions of an employer.",
            example=["urn:ietf:params:oauth:grant-profile:id-jag"],
        ),
    ]
    dpop_signing_alg_values_supported: Annotated[
        list[str], meaning("Algorithms of proofs of a key (RFC 9449).", example=["ES256", "EdDSA"])
    ]
    request_uri_parameter_supported: Annotated[bool, meaning("Always false: a sign-in is not requested by reference.")]
    token_endpoint_auth_methods_supported: Annotated[
        list[str], meaning("How applications authenticate.", example=["client_secret_basic", "private_key_jwt"])
    ]
    token_endpoint_auth_signing_alg_values_supported: Annotated[
        list[str], meaning("Algorithms of client assertions.", example=["ES256", "EdDSA"])
    ]
    revocation_endpoint_auth_methods_supported: Annotated[
        list[str], meaning("How applications authenticate to revoke.", example=["client_secret_basic"])
    ]
    revocation_endpoint_auth_signing_alg_values_supported: Annotated[
        list[str], meaning("Algorithms of client assertions to revoke.", example=["ES256", "EdDSA"])
    ]
    introspection_endpoint_auth_methods_supported: Annotated[
        list[str], meaning("How applications authenticate to introspect.", example=["client_secret_basic"])
    ]
    introspection_endpoint_auth_signing_alg_values_supported: Annotated[
        list[str], meaning("Algorithms of client assertions to introspect.", example=["ES256", "EdDSA"])
    ]
    protected_resources: Annotated[
        list[str] | None, meaning("The credit API as a resource (RFC 9728).", example=["https://api.example.com"])
    ] = None
    response_types_supported: Annotated[
        list[str] | None, meaning("Response types of the authorization endpoint.", example=["code"])
    ] = None
    registration_endpoint: Annotated[
        str | None,
        meaning(
            "Where applications register, if that is enabled.", example="https://api.example.com/oauth2/v1/register"
        ),
    ] = None
    status_list_aggregation_endpoint: Annotated[
        str | None,
        meaning(
            "Where the status lists are, if they are enabled.", example="https://api.example.com/oauth2/v1/statuslists"
        ),
    ] = None
    tls_client_certificate_bound_access_tokens: Annotated[
        bool | None, meaning("Whether tokens can be bound to a certificate (RFC 8705).")
    ] = None
    authorization_endpoint: Annotated[
        str | None, meaning("Where a person signs in.", example="https://api.example.com/oauth2/v1/authorize")
    ] = None
    end_session_endpoint: Annotated[
        str | None, meaning("Where a person signs out.", example="https://api.example.com/oauth2/v1/logout")
    ] = None
    backchannel_logout_supported: Annotated[
        bool | None, meaning("Whether applications receive notices of the end of sessions.")
    ] = None
    backchannel_logout_session_supported: Annotated[
        bool | None, meaning("Whether these notices name the session (`sid`).")
    ] = None
    authorization_response_iss_parameter_supported: Annotated[
        bool | None, meaning("Whether the answer to a sign-in names the issuer (RFC 9207).")
    ] = None
    code_challenge_methods_supported: Annotated[
        list[str] | None, meaning("Methods of PKCE (RFC 7636).", example=["S256"])
    ] = None
    response_modes_supported: Annotated[
        list[str] | None, meaning("How the answer to a sign-in is sent.", example=["query"])
    ] = None
    prompt_values_supported: Annotated[
        list[str] | None, meaning("Values of `prompt` at a sign-in.", example=["none", "login"])
    ] = None
    acr_values_supported: Annotated[list[str] | None, meaning("Strengths of a sign-in.", example=["1"])] = None
    claims_parameter_supported: Annotated[bool | None, meaning("Whether `claims` may name single claims.")] = None
    request_parameter_supported: Annotated[bool | None, meaning("Whether a sign-in may be requested by a JWT.")] = None
    request_object_signing_alg_values_supported: Annotated[
        list[str] | None, meaning("Algorithms of such a JWT (RFC 9101).", example=["PS256"])
    ] = None
    authorization_signing_alg_values_supported: Annotated[
        list[str] | None, meaning("Algorithms of signed answers (JARM).", example=["PS256"])
    ] = None
    device_authorization_endpoint: Annotated[
        str | None,
        meaning(
            "Where a device gets a code for a person to enter (RFC 8628).",
            example="https://api.example.com/oauth2/v1/device-authorization",
        ),
    ] = None
    pushed_authorization_request_endpoint: Annotated[
        str | None,
        meaning("Where a sign-in is requested first (RFC 9126).", example="https://api.example.com/oauth2/v1/par"),
    ] = None
    require_pushed_authorization_requests: Annotated[
        bool | None, meaning("Whether every application must push; single ones may be registered to.")
    ] = None


class ResourceMetadata(Struct):
    """RFC 9728 protected resource metadata."""

    resource: Annotated[
        str, meaning("The credit API as a resource: the audience of its tokens.", example="https://api.example.com")
    ]
    authorization_servers: Annotated[list[str], meaning("Who issues its tokens.", example=["https://api.example.com"])]
    scopes_supported: Annotated[
        list[str], meaning("Scopes that its operations need.", example=["credit:report", "credit:search"])
    ]
    bearer_methods_supported: Annotated[list[str], meaning("Where a token is sent.", example=["header"])]
    resource_documentation: Annotated[str, meaning("Where this reference is.", example="https://api.example.com/docs")]
    authorization_details_types_supported: Annotated[
        list[str], meaning("Types of authorization details (RFC 9396).", example=["credit_report"])
    ]
    dpop_signing_alg_values_supported: Annotated[
        list[str], meaning("Algorithms of proofs of a key (RFC 9449).", example=["ES256", "EdDSA"])
    ]
