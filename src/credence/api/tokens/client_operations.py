"""What the dialects add to the documentation of the endpoints in `oauth/endpoints`: headers, bodies, and the refusals.

The texts are the docstrings of the endpoints; examples that are not here are in `reference/bodies.json`.
"""

from collections.abc import Mapping
from dataclasses import replace

import msgspec

from credence.api.reference.described_bodies import BODIES
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
    ASSERTION_MISSING,
    ASSERTION_REFUSED,
    CODE_MISSING,
    DEVICE_CODE_EXPIRED,
    DEVICE_CODE_MISSING,
    DEVICE_PENDING,
    DEVICE_REFUSED,
    DEVICE_TOO_FAST,
    EXCHANGE_REFUSED,
    GRANT_NOT_ALLOWED,
    GRANT_UNKNOWN,
    INVALID_AUTHORIZATION_DETAILS,
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
from credence.web.dialects.writer import token_answer
from credence.web.messages.answer import JSON, XML
from credence.web.messages.request import MediaType
from credence.web.routing.operation import Content, Dialects, Parameter

TAG, PEOPLE = "Tokens", "People sign in"
"""The groups of the endpoints in the documentation."""
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


def _body(media_type: str, *models: str, examples: Mapping[str, object] | None = None, status: int = 200) -> Content:
    return Content(media_type, tuple(BODIES[each] for each in models), examples or {}, status)


def _token_responses(*, in_seconds: bool) -> tuple[Content, Content]:
    def body(response_format: ResponseFormat) -> bytes:
        return token_answer(_ISSUED, response_format, in_seconds=in_seconds).body

    return (
        _body(
            JSON,
            "TokenResponse",
            "StandardTokenResponse",
            examples={
                "Tokens": msgspec.json.decode(body(ResponseFormat.HOUSE_JSON)),
                "Tokens, requested by a form": msgspec.json.decode(body(ResponseFormat.STANDARD)),
            },
        ),
        _body(XML, "TokenResponse", examples={"Tokens": body(ResponseFormat.HOUSE_XML).decode()}),
    )


OBTAIN_TOKEN = Dialects(
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
        _body(
            _FORM,
            "TokenForm",
            examples={
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
        _body(
            JSON,
            "TokenRequest",
            examples={
                "Password grant": _LOGIN,
                "All four credentials": _LOGIN | _CLIENT,
                "Refresh": _CLIENT | _REFRESH,
            },
        ),
        _body(
            XML,
            "TokenRequest",
            examples={
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
        ASSERTION_MISSING,
        ASSERTION_REFUSED,
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
        INVALID_AUTHORIZATION_DETAILS,
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

OBTAIN_TOKEN_IN_SECONDS = replace(OBTAIN_TOKEN, answers=_token_responses(in_seconds=True))

REVOKE_TOKEN = Dialects(
    parameters=(Parameter("token", "header", "The refresh token or access token to revoke.", "<REFRESH_TOKEN>"),),
    bodies=(_body(_FORM, "RevocationForm"), _body(JSON, "RevocationRequest"), _body(XML, "RevocationRequest")),
    answers=(_body(JSON, "Nothing"),),
    refusals=(TOKEN_MISSING,),
)

INTROSPECT_TOKEN = Dialects(
    bodies=(_body(_FORM, "IntrospectionForm"),),
    answers=(Content(JSON, (Introspection,)), Content(SIGNED, (), {"Signed": "<JWT>"})),
    refusals=(UNSUPPORTED_MEDIA_TYPE, TOKEN_MISSING, FORBIDDEN),
)

AUTHORIZE_DEVICE = Dialects(
    bodies=(_body(_FORM, "DeviceForm"),),
    answers=(_body(JSON, "DeviceBody"),),
    refusals=(
        METHOD_NOT_ALLOWED,
        UNSUPPORTED_MEDIA_TYPE,
        FORBIDDEN,
        GRANT_NOT_ALLOWED,
        INVALID_SCOPE,
        INVALID_TARGET,
        INVALID_AUTHORIZATION_DETAILS,
    ),
)

PUSH_REQUEST = Dialects(
    bodies=(_body(_FORM, "PushForm"),),
    answers=(_body(JSON, "PushedBody", status=201),),
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
