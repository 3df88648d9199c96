"""Documentation of the endpoints for applications: their functions in `oauth/endpoints` do not know the dialects."""

from dataclasses import replace

import msgspec

from credence.api.tokens.bodies import (
    DeviceBody,
    DeviceForm,
    IntrospectionForm,
    Nothing,
    PushedBody,
    PushForm,
    RevocationForm,
    RevocationRequest,
    StandardTokenResponse,
    TokenForm,
    TokenRequest,
    TokenResponse,
)
from credence.oauth.introspection import SIGNED, Introspection
from credence.oauth.issue import Issued
from credence.refusals.credentials import (
    ACCOUNT_NOT_ACTIVE,
    CERTIFICATE_MISSING,
    DPOP_REQUIRED,
    INVALID_DPOP_PROOF,
    INVALID_TOKEN,
    REFRESH_TOKEN_REFUSED,
    USE_DPOP_NONCE,
    USER_MISSING,
    WRONG_USER,
)
from credence.refusals.grants import (
    CODE_MISSING,
    DEVICE_CODE_EXPIRED,
    DEVICE_CODE_MISSING,
    DEVICE_PENDING,
    DEVICE_REFUSED,
    DEVICE_TOO_FAST,
    EXCHANGE_REFUSED,
    GRANT_NOT_ALLOWED,
    GRANT_UNKNOWN,
    INVALID_CODE,
    INVALID_DEVICE_CODE,
    INVALID_SCOPE,
    INVALID_TARGET,
    REFRESH_TOKEN_MISSING,
    SUBJECT_TOKEN_MISSING,
    TOKEN_MISSING,
    TOKEN_TYPE_UNKNOWN,
)
from credence.refusals.requests import FORBIDDEN, FORM_UNSUPPORTED, METHOD_NOT_ALLOWED, UNSUPPORTED_MEDIA_TYPE
from credence.refusals.sign_in import PUSHED_REQUEST, PUSHED_REQUEST_TOO_LONG
from credence.request_context import ResponseFormat
from credence.web.dialects.media import MediaType
from credence.web.dialects.writer import token_answer
from credence.web.messages.answer import JSON, XML
from credence.web.routing.operation import Content, Operation, Parameter

TAG = "Tokens"
_FORM = MediaType.FORM.value
_LOGIN = {"username": "ada@example.com", "password": "<PASSWORD>"}
_CLIENT = {"client_id": "<CLIENT_ID>", "client_secret": "<CLIENT_SECRET>"}
_REFRESH = {"grant_type": "refresh_token", "refresh_token": "<REFRESH_TOKEN>"}
_ACCESS_TOKEN_TYPE = "urn:ietf:params:oauth:token-type:access_token"  # noqa: S105 - a name
_EXCHANGE = {
    "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
    "subject_token": "<ACCESS_TOKEN>",
    "subject_token_type": _ACCESS_TOKEN_TYPE,
}
_ISSUED = Issued(
    "<ACCESS_TOKEN>", "<REFRESH_TOKEN>", 1_763_700_000_000, expires_in=10_800, scope="", refresh_token_expires_in=86_400
)


def _token_responses(*, in_seconds: bool) -> tuple[Content, Content]:
    def body(response_format: ResponseFormat) -> bytes:
        return token_answer(_ISSUED, response_format, in_seconds=in_seconds).body

    return (
        Content(
            JSON,
            (TokenResponse, StandardTokenResponse),
            {
                "Tokens": msgspec.json.decode(body(ResponseFormat.HOUSE_JSON)),
                "Tokens, requested by a form": msgspec.json.decode(body(ResponseFormat.STANDARD)),
            },
        ),
        Content(XML, (TokenResponse,), {"Tokens": body(ResponseFormat.HOUSE_XML).decode()}),
    )


OBTAIN_TOKEN = Operation(
    id="obtain_token",
    tag=TAG,
    summary="Obtain a token",
    description=(
        "With the user name and password of an account: the password grant. With a refresh token: a new pair of "
        "tokens. The application's `client_id` and `client_secret` are sent as headers, in the body or by HTTP Basic.\n\n"
        "A refresh by headers has no body. A refresh token can be used once; a repetition of the request gets the same "
        "response for a short time (30 seconds by default), in case the first one was lost, and a later one revokes the "
        "whole login. The previous access token is valid until it expires.\n\n"
        "`Accept` chooses JSON or XML; without it the response has the form of the request. The response to a form "
        "(`application/x-www-form-urlencoded`) with a `grant_type` follows RFC 6749: `expires_in` is a number, and a "
        "refusal has the members `error` and `error_description` as well.\n\n"
        "A form has further grants. A person who signs in with a browser gives the application a code, or allows a device, "
        "which asks here until then. With client credentials an application gets a token for itself. By token "
        "exchange (RFC 8693) a service gets a token to act for the user whose access token it received: with no more "
        "scopes, no longer lifetime, and the service in `act`."
    ),
    parameters=(
        Parameter(
            "grant_type",
            "header",
            "`password` or `refresh_token`; also accepted in the body, and optional. `grant-type` where a proxy drops names "
            "with underscores; the same applies to every other header here.",
            "refresh_token",
        ),
        Parameter("refresh_token", "header", "In a refresh without a body: the refresh token.", "<REFRESH_TOKEN>"),
        Parameter(
            "DPoP",
            "header",
            "With a form: proof of a key (RFC 9449), to which the access token is then bound; its `token_type` is `DPoP`.",
        ),
    ),
    bodies=(  # the form first: of several bodies, generators for Java take the first
        Content(
            _FORM,
            (TokenForm,),
            {
                "Password grant": {"grant_type": "password"} | _LOGIN,
                "Refresh": dict(_REFRESH),
                "Client credentials": {"grant_type": "client_credentials"},
                "Authorization code": {
                    "grant_type": "authorization_code",
                    "code": "<CODE>",
                    "redirect_uri": "https://app.example.com/callback",
                    "code_verifier": "<VERIFIER>",
                },
                "Device": {
                    "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
                    "device_code": "<DEVICE_CODE>",
                },
                "Token exchange": _EXCHANGE,
            },
        ),
        Content(
            JSON,
            (TokenRequest,),
            {"Password grant": _LOGIN, "All four credentials": _LOGIN | _CLIENT, "Refresh": _CLIENT | _REFRESH},
        ),
        Content(
            XML,
            (TokenRequest,),
            {
                "Password grant": "<TokenRequest><username>ada@example.com</username>"
                "<password>&lt;PASSWORD&gt;</password></TokenRequest>"
            },
        ),
    ),
    answers=_token_responses(in_seconds=False),
    refusals=(
        UNSUPPORTED_MEDIA_TYPE,
        FORM_UNSUPPORTED,
        GRANT_UNKNOWN,
        USER_MISSING,
        REFRESH_TOKEN_MISSING,
        SUBJECT_TOKEN_MISSING,
        TOKEN_TYPE_UNKNOWN,
        EXCHANGE_REFUSED,
        CODE_MISSING,
        INVALID_CODE,
        DEVICE_CODE_MISSING,
        INVALID_DEVICE_CODE,
        DEVICE_PENDING,
        DEVICE_TOO_FAST,
        DEVICE_REFUSED,
        DEVICE_CODE_EXPIRED,
        INVALID_SCOPE,
        INVALID_TARGET,
        GRANT_NOT_ALLOWED,
        DPOP_REQUIRED,
        CERTIFICATE_MISSING,
        INVALID_DPOP_PROOF,
        USE_DPOP_NONCE,
        WRONG_USER,
        INVALID_TOKEN,
        REFRESH_TOKEN_REFUSED,
        ACCOUNT_NOT_ACTIVE,
        FORBIDDEN,
    ),
)

OBTAIN_TOKEN_IN_SECONDS = replace(
    OBTAIN_TOKEN,
    id="obtain_token_in_seconds",
    summary="Obtain a token, with issued_at in seconds",
    description=(
        "The token endpoint again, for clients that compare `issued_at` with a clock in seconds: it is in seconds here, and "
        "all else is the same."
    ),
    answers=_token_responses(in_seconds=True),
)

REVOKE_TOKEN = Operation(
    id="revoke_token",
    tag=TAG,
    summary="Revoke a token",
    description=(
        "A refresh token revokes every token of its login, an access token only itself. A token that is unknown, expired "
        "or another application's changes nothing and gets the same response. A JSON or XML body may "
        "contain what the headers do not; a form follows RFC 7009."
    ),
    parameters=(Parameter("token", "header", "The refresh token or access token to revoke.", "<REFRESH_TOKEN>"),),
    bodies=(
        Content(_FORM, (RevocationForm,), {"Revocation": {"token": "<REFRESH_TOKEN>"}}),
        Content(JSON, (RevocationRequest,), {"Revocation": _CLIENT | {"token": "<REFRESH_TOKEN>"}}),
        Content(
            XML,
            (RevocationRequest,),
            {"Revocation": "<RevocationRequest><token>&lt;REFRESH_TOKEN&gt;</token></RevocationRequest>"},
        ),
    ),
    answers=(Content(JSON, (Nothing,), {"Revoked": {}}),),
    refusals=(TOKEN_MISSING,),
)

INTROSPECT_TOKEN = Operation(
    id="introspect_token",
    tag=TAG,
    summary="Introspect a token",
    description=(
        "Whether the token is active, and its claims (RFC 7662). An application may introspect tokens issued to it, and "
        "access tokens for a resource that it protects. For any other token, and for one that is not active, the response "
        "is `active: false` alone. With `Accept: application/token-introspection+jwt` the response is signed (RFC 9701)."
    ),
    bodies=(Content(_FORM, (IntrospectionForm,), {"Introspection": {"token": "<ACCESS_TOKEN>"}}),),
    answers=(
        Content(JSON, (Introspection,), {"Not active": {"active": False}}),
        Content(SIGNED, (), {"Signed": "<JWT>"}),
    ),
    refusals=(UNSUPPORTED_MEDIA_TYPE, TOKEN_MISSING, FORBIDDEN),
)

AUTHORIZE_DEVICE = Operation(
    id="authorize_device",
    tag="People sign in",
    summary="Connect a device without a browser",
    description=(
        "A device or a command line gets a code to show (RFC 8628). While the person enters it on another machine, the "
        "device asks the token endpoint with its own code."
    ),
    bodies=(Content(_FORM, (DeviceForm,), {"Request": {"scope": "openid credit:report"}}),),
    answers=(
        Content(
            JSON,
            (DeviceBody,),
            {
                "Codes": {
                    "device_code": "crd_sbx_dev_AQ…",
                    "user_code": "WDJB-MJHT",
                    "verification_uri": "https://api.example.com/device",
                    "verification_uri_complete": "https://api.example.com/device?user_code=WDJB-MJHT",
                    "expires_in": 600,
                    "interval": 5,
                }
            },
        ),
    ),
    refusals=(METHOD_NOT_ALLOWED, UNSUPPORTED_MEDIA_TYPE, FORBIDDEN, GRANT_NOT_ALLOWED, INVALID_SCOPE, INVALID_TARGET),
)

PUSH_REQUEST = Operation(
    id="push_request",
    tag="People sign in",
    summary="Push an authorization request",
    description=(
        "The application sends its authorization request itself, authenticated, and the browser brings only a reference "
        "(RFC 9126). A DPoP proof binds the code to its key."
    ),
    bodies=(
        Content(
            _FORM,
            (PushForm,),
            {
                "Request": {
                    "response_type": "code",
                    "redirect_uri": "https://app.example.com/callback",
                    "scope": "openid",
                    "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
                    "code_challenge_method": "S256",
                }
            },
        ),
    ),
    answers=(
        Content(
            JSON,
            (PushedBody,),
            {"Reference": {"request_uri": "urn:ietf:params:oauth:request_uri:crd_sbx_par_AQ…", "expires_in": 300}},
            status=201,
        ),
    ),
    refusals=(
        METHOD_NOT_ALLOWED,
        UNSUPPORTED_MEDIA_TYPE,
        FORBIDDEN,
        PUSHED_REQUEST,
        PUSHED_REQUEST_TOO_LONG,
        INVALID_DPOP_PROOF,
        USE_DPOP_NONCE,
    ),
)
