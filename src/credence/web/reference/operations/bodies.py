"""Models of the bodies of the token service and of refusals, for documentation only.

The service reads and writes these bodies without the models; a test compares real responses with them.
"""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

Digits = Annotated[str, Meta(pattern="^[0-9]+$")]


class TokenRequest(Struct, omit_defaults=True):
    """A token request in JSON or XML. An XML body may have any root element."""

    username: Annotated[str, Meta(description="Login name of the user or service account.")] | None = None
    password: Annotated[str, Meta(description="Its password.")] | None = None
    client_id: Annotated[str, Meta(description="Unless it is sent as a header or by HTTP Basic.")] | None = None
    client_secret: Annotated[str, Meta(description="Unless it is sent as a header or by HTTP Basic.")] | None = None
    grant_type: Annotated[str, Meta(description="`password` or `refresh_token`. May be left out.")] | None = None
    refresh_token: Annotated[str, Meta(description="In a refresh: the token to be spent.")] | None = None


class ClientForm(Struct, omit_defaults=True, kw_only=True):
    """Client authentication in a form, instead of HTTP Basic."""

    client_id: Annotated[str, Meta(description="With a secret, with a certificate, or alone.")] | None = None
    client_secret: (
        Annotated[
            str, Meta(description="With a password grant only for applications registered for `client_secret_post`.")
        ]
        | None
    ) = None
    client_assertion: Annotated[str, Meta(description="A token that the application signed (RFC 7523).")] | None = None
    client_assertion_type: Literal["urn:ietf:params:oauth:client-assertion-type:jwt-bearer"] | None = None


class TokenForm(ClientForm, omit_defaults=True, kw_only=True):
    """A token request of RFC 6749."""

    grant_type: Literal[
        "password", "refresh_token", "client_credentials", "urn:ietf:params:oauth:grant-type:token-exchange"
    ]
    username: str | None = None
    password: str | None = None
    refresh_token: str | None = None
    scope: Annotated[str, Meta(description="What the token is to open; blanks between.")] | None = None
    resource: Annotated[str, Meta(description="For which resource the token is to be (RFC 8707).")] | None = None
    subject_token: Annotated[str, Meta(description="In an exchange: the user's access token.")] | None = None
    subject_token_type: str | None = None


class RevocationForm(ClientForm, kw_only=True):
    """A revocation of RFC 7009."""

    token: Annotated[str, Meta(description="The refresh token or access token.")]


class IntrospectionForm(ClientForm, kw_only=True):
    """An introspection request of RFC 7662."""

    token: Annotated[str, Meta(description="The access token, or a refresh token of the application's own.")]


class TokenResponse(Struct, omit_defaults=True):
    """The tokens, every field a string."""

    issued_at: Annotated[Digits, Meta(description="When the tokens were issued, in milliseconds since 1970 (UTC).")]
    expires_in: Annotated[Digits, Meta(description="How long the access token is valid, in seconds.")]
    token_type: Literal["Bearer"]
    access_token: Annotated[str, Meta(description="A JSON Web Token, sent with every request to an API.")]
    refresh_token: Annotated[str, Meta(description="Good for one refresh.")] | None = None


class StandardTokenResponse(Struct, omit_defaults=True):
    """The token response of RFC 6749, to a form."""

    issued_at: Digits
    expires_in: Annotated[int, Meta(description="How long the access token is valid, in seconds.")]
    token_type: Literal["Bearer"]
    access_token: str
    refresh_token: str | None = None
    scope: str | None = None
    id_token: Annotated[str, Meta(description="With the scope `openid`: who logged in.")] | None = None
    issued_token_type: Annotated[str, Meta(description="In answer to an exchange (RFC 8693).")] | None = None


class Nothing(Struct):
    """An empty object."""


class Error(Struct):
    """Why the request was refused."""

    errorType: str  # noqa: N815 - the wire's name
    message: str


class ErrorBody(Struct):
    """A refusal in JSON."""

    errors: Annotated[list[Error], Meta(min_length=1)]
    success: Literal[False]


class StandardErrorBody(ErrorBody):
    """A refusal of a form, with the members of RFC 6749 §5.2 as well."""

    error: str
    error_description: str


class Errors(Struct):
    """A refusal in XML, under this root element."""

    Error: Error


class CreditRefusal(Struct):
    """The error of a refusal by the credit API. `Code` repeats the status."""

    Code: int
    Message: str


class CreditErrorBody(Struct):
    """A refusal of the credit API."""

    Error: CreditRefusal


class ProviderConfiguration(Struct):
    """OpenID Connect Discovery 1.0 provider metadata."""

    issuer: str
    token_endpoint: str
    revocation_endpoint: str
    jwks_uri: str
    grant_types_supported: list[str]


class ResourceMetadata(Struct):
    """RFC 9728 protected resource metadata."""

    resource: str
    authorization_servers: list[str]
    scopes_supported: list[str]
    bearer_methods_supported: list[str]
    resource_documentation: str
    dpop_signing_alg_values_supported: list[str]


class ClientMetadataBody(Struct, omit_defaults=True):
    """Client metadata (RFC 7591 §2). Other members are ignored."""

    client_id: Annotated[str, Meta(description="In a change: its own.")] | None = None
    client_secret: Annotated[str, Meta(description="In a change: its own, or left out.")] | None = None
    client_name: str | None = None
    grant_types: Annotated[list[str], Meta(description="Left out: all that the invitation allows.")] | None = None
    scope: Annotated[str, Meta(description="Left out: all that the invitation allows.")] | None = None
    token_endpoint_auth_method: str | None = None
    jwks: Annotated[dict[str, Any], Meta(description="Public keys. An address of keys cannot be given.")] | None = None
    id_token_signed_response_alg: str | None = None
    dpop_bound_access_tokens: bool | None = None
    tls_client_certificate_bound_access_tokens: bool | None = None


class ClientInformation(Struct, omit_defaults=True):
    """The client information response (RFC 7591 §3.2.1, RFC 7592 §3)."""

    client_id: str
    client_id_issued_at: Annotated[int, Meta(description="In seconds since 1970 (UTC).")]
    registration_access_token: Annotated[str, Meta(description="Opens the address below, and nothing else.")]
    registration_client_uri: str
    client_name: str
    grant_types: list[str]
    response_types: list[str]
    scope: str
    token_endpoint_auth_method: str
    id_token_signed_response_alg: str
    dpop_bound_access_tokens: bool
    tls_client_certificate_bound_access_tokens: bool
    client_secret: Annotated[str, Meta(description="When it has just been made.")] | None = None
    client_secret_expires_at: Annotated[int, Meta(description="0: it does not expire.")] | None = None
    jwks: dict[str, Any] | None = None


class PublicKey(Struct):
    """A key of RFC 7517, with the further members of its type."""

    kty: str
    kid: str
    use: str
    alg: str


class KeySet(Struct):
    """Every key that signs or will sign, and those whose tokens may still be valid."""

    keys: list[PublicKey]


class StatusListUris(Struct):
    """Status List Aggregation (draft-ietf-oauth-status-list §9.3)."""

    status_lists: list[str]


class SeenCaller(Struct):
    """The kind of the caller's address."""

    caller: Annotated[
        Literal["public", "private", "loopback", "documentation"],
        Meta(description="The kind of address. Nobody calls from one for documentation: it was made up."),
    ]
    forwarded: Annotated[
        Literal["believed", "ignored", "none"],
        Meta(description="Whether X-Forwarded-For came, and from a trusted proxy."),
    ]
    time: Annotated[int, Meta(description="The service's clock, in milliseconds since 1970 (UTC).")]


class Health(Struct):
    """The state of one process."""

    status: Literal[
        "alive",
        "ready",
        "store unavailable",
        "revocation state stale",
        "audit trail unavailable",
        "credit data unavailable",
        "credit data unreadable",
    ]
    credit_data: Annotated[
        Literal["behind"] | UnsetType,
        Meta(description="A newer data set is published than this node serves."),
    ] = UNSET
