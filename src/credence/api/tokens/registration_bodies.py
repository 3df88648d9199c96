"""Models of the bodies of the registration endpoint (RFC 7591 §2, §3.2.1)."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from credence.meanings import meaning


class _Metadata(Struct, omit_defaults=True, kw_only=True):
    """The client metadata that requests and answers have in the same way."""

    redirect_uris: Annotated[
        list[str] | None,
        meaning("Where the browser is sent after sign-in.", example=["https://ledger.example.com/callback"]),
    ] = None
    post_logout_redirect_uris: Annotated[
        list[str] | None, meaning("Where the browser is sent after sign-out.", example=["https://ledger.example.com/"])
    ] = None
    backchannel_logout_uri: Annotated[
        str | None,
        meaning(
            "Where the application receives notices of the end of sessions.",
            example="https://ledger.example.com/signed-out",
        ),
    ] = None
    backchannel_logout_session_required: Annotated[
        bool | None, meaning("Whether these notices must name the session; they always do.")
    ] = None
    policy_uri: Annotated[
        str | None,
        meaning("Its privacy policy, to which the consent page leads.", example="https://ledger.example.com/privacy"),
    ] = None
    tos_uri: Annotated[
        str | None, meaning("Its terms, to which the consent page leads.", example="https://ledger.example.com/terms")
    ] = None
    application_type: Annotated[Literal["web", "native"] | None, meaning("Kind of application.", example="web")] = None
    jwks: (
        Annotated[
            dict[str, Any],
            Meta(description="Its public keys.", examples=[{"keys": []}]),
        ]
        | None
    ) = None
    jwks_uri: Annotated[
        str | None, meaning("Where its public keys are, instead of `jwks`.", example="https://ledger.example.com/keys")
    ] = None
    userinfo_signed_response_alg: Annotated[
        str | None, meaning("Algorithm that signs its user information; without it, JSON.", example="RS256")
    ] = None
    authorization_signed_response_alg: Annotated[
        str | None, meaning("Algorithm that signs its answers (JARM); that of its ID tokens.", example="RS256")
    ] = None
    require_pushed_authorization_requests: Annotated[
        bool | None, meaning("Whether its authorization requests must be pushed (RFC 9126).")
    ] = None
    require_signed_request_object: Annotated[
        bool | None, meaning("Whether its authorization requests must be signed (RFC 9101).")
    ] = None


class ClientMetadataBody(_Metadata, kw_only=True):
    """Client metadata (RFC 7591 §2). Other members are ignored."""

    client_id: Annotated[str, Meta(description="In a change: its own.")] | None = None
    client_secret: (
        Annotated[str, Meta(description="In a change: its own, or left out.", examples=["<CLIENT_SECRET>"])] | None
    ) = None
    client_name: Annotated[str | None, meaning("Name of the application.")] = None
    grant_types: Annotated[list[str], Meta(description="Left out: all that the invitation allows.")] | None = None
    scope: Annotated[str, Meta(description="Left out: all that the invitation allows.")] | None = None
    token_endpoint_auth_method: Annotated[str | None, meaning("How it authenticates.", example="private_key_jwt")] = (
        None
    )
    id_token_signed_response_alg: Annotated[
        str | None, meaning("Algorithm that signs its ID tokens.", example="RS256")
    ] = None
    dpop_bound_access_tokens: Annotated[
        bool | None, meaning("Whether its tokens must be bound to a key (RFC 9449).")
    ] = None
    tls_client_certificate_bound_access_tokens: Annotated[
        bool | None, meaning("Whether its tokens must be bound to its certificate (RFC 8705).")
    ] = None


class ClientInformation(_Metadata, kw_only=True):
    """The client information response (RFC 7591 §3.2.1, RFC 7592 §3)."""

    client_id: Annotated[str, meaning("Number of the application.", example="cr_sandbox_1")]
    client_id_issued_at: Annotated[int, Meta(description="In seconds since 1970 (UTC).", examples=[1763700000])]
    registration_access_token: Annotated[
        str, Meta(description="Opens the address below, and nothing else.", examples=["<REGISTRATION_ACCESS_TOKEN>"])
    ]
    registration_client_uri: Annotated[
        str,
        meaning(
            "Where the registration is read, changed and ended.",
            example="https://api.example.com/oauth2/v1/register/cr_sandbox_1",
        ),
    ]
    client_name: Annotated[str, meaning("Name of the application.", example="Ledger")]
    grant_types: Annotated[list[str], meaning("Grants that it may use.", example=["client_credentials"])]
    response_types: Annotated[
        list[str], meaning("`code` with the grant authorization_code, otherwise none.", example=["code"])
    ]
    scope: Annotated[str, meaning("Scopes that it may request, separated by spaces.", example="credit:report")]
    token_endpoint_auth_method: Annotated[str, meaning("How it authenticates.", example="client_secret_basic")]
    id_token_signed_response_alg: Annotated[str, meaning("Algorithm that signs its ID tokens.", example="RS256")]
    dpop_bound_access_tokens: Annotated[bool, meaning("Whether its tokens must be bound to a key (RFC 9449).")]
    tls_client_certificate_bound_access_tokens: Annotated[
        bool, meaning("Whether its tokens must be bound to its certificate (RFC 8705).")
    ]
    client_secret: (
        Annotated[str, Meta(description="When it has just been made.", examples=["<CLIENT_SECRET>"])] | None
    ) = None
    client_secret_expires_at: Annotated[int, Meta(description="0: it does not expire.", examples=[0])] | None = None
