"""Models of the bodies of tokens, for documentation only.

The service reads and writes these bodies without the models; a test compares real responses with them.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from credence.access.report_rights import EXAMPLE, ReportRights
from credence.meanings import meaning

Digits = Annotated[str, Meta(pattern="^[0-9]+$")]


class TokenRequest(Struct, omit_defaults=True):
    """A token request in JSON or XML. An XML body may have any root element."""

    username: Annotated[str | None, meaning("Username of the user or service account.")] = None
    password: Annotated[str | None, meaning("Its password.")] = None
    client_id: Annotated[str | None, meaning("Unless it is sent as a header or by HTTP Basic.")] = None
    client_secret: Annotated[str | None, meaning("Unless it is sent as a header or by HTTP Basic.")] = None
    grant_type: Annotated[str | None, meaning("`password` or `refresh_token`. May be left out.")] = None
    refresh_token: Annotated[str | None, meaning("In a refresh: the token to be spent.")] = None


class ClientForm(Struct, omit_defaults=True, kw_only=True):
    """Client authentication in a form, instead of HTTP Basic."""

    client_id: Annotated[str | None, meaning("With a secret, with a certificate, or alone.", example="<CLIENT_ID>")] = (
        None
    )
    client_secret: Annotated[
        str | None,
        meaning(
            "With a password grant only for applications registered for `client_secret_post`.",
            example="<CLIENT_SECRET>",
        ),
    ] = None
    client_assertion: Annotated[
        str | None, meaning("A token that the application signed (RFC 7523).", example="<JWT>")
    ] = None
    client_assertion_type: Annotated[
        Literal["urn:ietf:params:oauth:client-assertion-type:jwt-bearer"] | None,
        meaning("With an assertion: its type."),
    ] = None


class TokenForm(ClientForm, omit_defaults=True, kw_only=True):
    """A token request of RFC 6749."""

    grant_type: Annotated[
        Literal[
            "password",
            "refresh_token",
            "client_credentials",
            "authorization_code",
            "urn:ietf:params:oauth:grant-type:device_code",
            "urn:ietf:params:oauth:grant-type:token-exchange",
            "urn:ietf:params:oauth:grant-type:jwt-bearer",
        ],
        meaning("The grant."),
    ]
    username: Annotated[str | None, meaning("With a password grant: the username.")] = None
    password: Annotated[str | None, meaning("With a password grant: the password.")] = None
    refresh_token: Annotated[str | None, meaning("In a refresh: the token to be spent.")] = None
    code: Annotated[str | None, meaning("The authorization code.")] = None
    redirect_uri: Annotated[str | None, meaning("With a code: that of its request.")] = None
    code_verifier: Annotated[str | None, meaning("With a code: the verifier of its challenge (RFC 7636).")] = None
    device_code: Annotated[str | None, meaning("With a device grant: the code of the device (RFC 8628).")] = None
    scope: Annotated[
        str | None, meaning("What the token is to open; separated by spaces.", example="credit:report credit:search")
    ] = None
    authorization_details: Annotated[
        str | None,
        meaning(
            "Which reports the token is to open (RFC 9396): JSON, one object of the type `credit_report` in an array.",
            example=EXAMPLE,
        ),
    ] = None
    resource: Annotated[
        str | None, meaning("For which resource the token is to be (RFC 8707).", example="https://api.example.com")
    ] = None
    assertion: Annotated[
        str | None, meaning("With the grant jwt-bearer: an employer's word about a person (ID-JAG).", example="<JWT>")
    ] = None
    subject_token: Annotated[str | None, meaning("In an exchange: the user's access token.")] = None
    subject_token_type: Annotated[str | None, meaning("In an exchange: what the subject token is.")] = None


class RevocationRequest(Struct, omit_defaults=True):
    """A revocation in the house dialect (D11)."""

    token: Annotated[str | None, meaning("The refresh token or access token, unless it is sent as a header.")] = None
    token_type_hint: Annotated[str | None, meaning("Accepted and ignored.", example="refresh_token")] = None
    client_id: Annotated[str | None, meaning("Unless it is sent as a header or by HTTP Basic.")] = None
    client_secret: Annotated[str | None, meaning("Unless it is sent as a header or by HTTP Basic.")] = None


class RevocationForm(ClientForm, kw_only=True):
    """A revocation of RFC 7009."""

    token: Annotated[str, meaning("The refresh token or access token.")]


class IntrospectionForm(ClientForm, kw_only=True):
    """An introspection request of RFC 7662."""

    token: Annotated[str, meaning("The access token, or a refresh token of the application's own.")]


class TokenResponse(Struct, omit_defaults=True):
    """The tokens, every field a string."""

    issued_at: Annotated[Digits, meaning("When the tokens were issued, in milliseconds since 1970 (UTC).")]
    expires_in: Annotated[Digits, meaning("How long the access token is valid, in seconds.")]
    token_type: Annotated[Literal["Bearer"], meaning("How the token is sent in `Authorization`.")]
    access_token: Annotated[str, meaning("A JSON Web Token, sent with every request to an API.")]
    refresh_token: Annotated[str | None, meaning("Good for one refresh.")] = None


class StandardTokenResponse(Struct, omit_defaults=True):
    """The token response of RFC 6749, the answer to a request with a form."""

    issued_at: Annotated[Digits, meaning("When the tokens were issued, in milliseconds since 1970 (UTC), as text.")]
    expires_in: Annotated[int, meaning("How long the access token is valid, in seconds.")]
    token_type: Annotated[Literal["Bearer"], meaning("How the token is sent in `Authorization`.")]
    access_token: Annotated[str, meaning("A JSON Web Token, sent with every request to an API.")]
    refresh_token: Annotated[str | None, meaning("Good for one refresh; absent for grants without one.")] = None
    refresh_token_expires_in: Annotated[
        int | None,
        meaning(
            "With a refresh token: how long it is valid, in seconds. No refresh prolongs the login.", example=86_400
        ),
    ] = None
    scope: Annotated[
        str | None,
        meaning(
            "Scopes of the token, separated by spaces; absent if they are those that were requested.",
            example="credit:report credit:search",
        ),
    ] = None
    authorization_details: Annotated[
        tuple[ReportRights, ...] | None, meaning("The rights of the token, if it was given any (RFC 9396 §7).")
    ] = None
    id_token: Annotated[str | None, meaning("With the scope `openid`: who logged in.", example="<ID_TOKEN>")] = None
    issued_token_type: Annotated[
        str | None,
        meaning("In answer to an exchange (RFC 8693).", example="urn:ietf:params:oauth:token-type:access_token"),
    ] = None


class Nothing(Struct):
    """An empty object."""


class DeviceForm(ClientForm, omit_defaults=True, kw_only=True):
    """What a device requests (RFC 8628 §3.1)."""

    scope: Annotated[str | None, meaning("Scopes, separated by spaces.", example="openid credit:report")] = None
    resource: Annotated[
        str | None, meaning("The resource of the token (RFC 8707).", example="https://api.example.com")
    ] = None


class DeviceBody(Struct):
    """The two codes of a device (RFC 8628 §3.2)."""

    device_code: Annotated[str, meaning("With it the device asks for tokens.", example="crd_sbx_dev_AQ…")]
    user_code: Annotated[str, meaning("The device shows it, and the person enters it.", example="WDJB-MJHT")]
    verification_uri: Annotated[str, meaning("Where the person enters it.", example="https://api.example.com/device")]
    verification_uri_complete: Annotated[
        str,
        meaning("The same with the code, for a QR code.", example="https://api.example.com/device?user_code=WDJB-MJHT"),
    ]
    expires_in: Annotated[int, meaning("Until when the person must have decided.", unit="seconds", example=600)]
    interval: Annotated[
        int, meaning("Between two requests for tokens; 5 more after each `slow_down`.", unit="seconds", example=5)
    ]


class PushForm(ClientForm, omit_defaults=True, kw_only=True):
    """A pushed authorization request: the parameters of the authorization endpoint and the client's authentication."""

    response_type: Annotated[str, meaning("Always `code`.")]
    redirect_uri: Annotated[str, meaning("One of the application's, letter for letter.")]
    scope: Annotated[str | None, meaning("Scopes, separated by spaces.", example="openid profile")] = None
    state: Annotated[str | None, meaning("Comes back unchanged.", example="af0ifjsldkj")] = None
    nonce: Annotated[str | None, meaning("Comes back in the ID token.", example="n-0S6_WzA2Mj")] = None
    code_challenge: Annotated[str | None, meaning("SHA-256 of the code verifier in base64url (RFC 7636).")] = None
    code_challenge_method: Annotated[str | None, meaning("Always `S256`.")] = None
    request: Annotated[str | None, meaning("Instead: all parameters as a signed JWT (RFC 9101).", example="<JWT>")] = (
        None
    )


class PushedBody(Struct):
    """The answer to a pushed authorization request (RFC 9126 §2.2)."""

    request_uri: Annotated[
        str,
        meaning(
            "Send the browser with it and the client_id.", example="urn:ietf:params:oauth:request_uri:crd_sbx_par_…"
        ),
    ]
    expires_in: Annotated[int, meaning("Until when the browser must arrive.", unit="seconds", example=300)]
