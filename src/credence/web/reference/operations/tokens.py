"""Documentation of the token service."""

import msgspec

from credence.oauth.introspection import SIGNED, Introspection
from credence.oauth.issue import Issued
from credence.refusals import (
    ACCOUNT_NOT_ACTIVE,
    CERTIFICATE_MISSING,
    DPOP_REQUIRED,
    EXCHANGE_REFUSED,
    FORBIDDEN,
    GRANT_NOT_ALLOWED,
    GRANT_UNKNOWN,
    INVALID_DPOP_PROOF,
    INVALID_SCOPE,
    INVALID_TARGET,
    INVALID_TOKEN,
    REFRESH_TOKEN_MISSING,
    SUBJECT_TOKEN_MISSING,
    TOKEN_MISSING,
    TOKEN_TYPE_UNKNOWN,
    UNSUPPORTED_MEDIA_TYPE,
    USE_DPOP_NONCE,
    USER_MISSING,
    WRONG_USER,
)
from credence.request_context import ResponseFormat
from credence.web.dialects.media import Form
from credence.web.dialects.writer import token_answer
from credence.web.messages.answer import JSON, XML, Answer
from credence.web.reference.operations.bodies import (
    IntrospectionForm,
    KeySet,
    Nothing,
    RevocationForm,
    StandardTokenResponse,
    TokenForm,
    TokenRequest,
    TokenResponse,
)
from credence.web.routing.operation import Content, Operation, Parameter

TAG = "Tokens"
_FORM = Form.FORM.value
_LOGIN = {"username": "ada@example.com", "password": "<PASSWORD>"}
_CLIENT = {"client_id": "<CLIENT_ID>", "client_secret": "<CLIENT_SECRET>"}
_REFRESH = {"grant_type": "refresh_token", "refresh_token": "<REFRESH_TOKEN>"}
_ACCESS_TOKEN_TYPE = "urn:ietf:params:oauth:token-type:access_token"  # noqa: S105 - a name
_EXCHANGE = {
    "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
    "subject_token": "<ACCESS_TOKEN>",
    "subject_token_type": _ACCESS_TOKEN_TYPE,
}
_ISSUED = Issued("<ACCESS_TOKEN>", "<REFRESH_TOKEN>", issued_at=1_763_700_000_000, expires_in=10_800, scope="")


def _token_response(response_format: ResponseFormat) -> Answer:
    return token_answer(_ISSUED, response_format)


OBTAIN_TOKEN = Operation(
    id="obtain_token",
    tag=TAG,
    summary="Obtain a token",
    description=(
        "With the user name and password of an account: the password grant. With a refresh token: a new pair of "
        "tokens. The application's `client_id` and `client_secret` come as headers, in the body or by HTTP Basic.\n\n"
        "A refresh by headers has no body. A refresh token is good once; the same request again gets the same "
        "answer for a short time (30 seconds unless set otherwise), in case the first was lost, and a later one ends the "
        "whole login. The access token that was issued before stays valid until it expires.\n\n"
        "`Accept` chooses JSON or XML; without it the answer has the form of the request. A form "
        "(`application/x-www-form-urlencoded`) with a `grant_type` is answered as RFC 6749 says: `expires_in` is a "
        "number, and a refusal has the members `error` and `error_description` as well.\n\n"
        "In a form there are two further grants. With client credentials an application gets a token for itself. By token "
        "exchange (RFC 8693) a service gets one to act for the user whose access token it was shown: it opens no more, "
        "lives no longer, and names the service in `act`."
    ),
    parameters=(
        Parameter(
            "grant_type",
            "header",
            "`password` or `refresh_token`; may stand in the body or be left out. Spelt `grant-type` where a proxy drops "
            "names with underscores; the same holds for every other header here.",
            "refresh_token",
        ),
        Parameter("refresh_token", "header", "In a refresh without a body: the token to be spent.", "<REFRESH_TOKEN>"),
        Parameter(
            "DPoP",
            "header",
            "With a form: proof of a key (RFC 9449), to which the access token is bound then; its `token_type` is `DPoP`.",
        ),
    ),
    bodies=(
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
        Content(
            _FORM,
            (TokenForm,),
            {
                "Password grant": {"grant_type": "password"} | _LOGIN,
                "Refresh": dict(_REFRESH),
                "Client credentials": {"grant_type": "client_credentials"},
                "Token exchange": _EXCHANGE,
            },
        ),
    ),
    answers=(
        Content(
            JSON,
            (TokenResponse, StandardTokenResponse),
            {
                "Tokens": msgspec.json.decode(_token_response(ResponseFormat.HOUSE_JSON).body),
                "Tokens, asked for by a form": msgspec.json.decode(_token_response(ResponseFormat.STANDARD).body),
            },
        ),
        Content(XML, (TokenResponse,), {"Tokens": _token_response(ResponseFormat.HOUSE_XML).body.decode()}),
    ),
    refusals=(
        UNSUPPORTED_MEDIA_TYPE,
        GRANT_UNKNOWN,
        USER_MISSING,
        REFRESH_TOKEN_MISSING,
        SUBJECT_TOKEN_MISSING,
        TOKEN_TYPE_UNKNOWN,
        EXCHANGE_REFUSED,
        INVALID_SCOPE,
        INVALID_TARGET,
        GRANT_NOT_ALLOWED,
        DPOP_REQUIRED,
        CERTIFICATE_MISSING,
        INVALID_DPOP_PROOF,
        USE_DPOP_NONCE,
        WRONG_USER,
        INVALID_TOKEN,
        ACCOUNT_NOT_ACTIVE,
        FORBIDDEN,
    ),
)

REVOKE_TOKEN = Operation(
    id="revoke_token",
    tag=TAG,
    summary="Revoke a token",
    description=(
        "A refresh token takes every token of its login with it, an access token only itself. A token that is unknown, "
        "expired or another application's changes nothing and gets the same answer. With headers a body is ignored; "
        "a form follows RFC 7009."
    ),
    parameters=(Parameter("token", "header", "The refresh token or access token to be revoked.", "<REFRESH_TOKEN>"),),
    bodies=(Content(_FORM, (RevocationForm,), {"Revocation": {"token": "<REFRESH_TOKEN>"}}),),
    answers=(Content(JSON, (Nothing,), {"Revoked": {}}),),
    refusals=(TOKEN_MISSING,),
)

INTROSPECT_TOKEN = Operation(
    id="introspect_token",
    tag=TAG,
    summary="Ask about a token",
    description=(
        "Is the token good now, and what does it say (RFC 7662)? An application may ask about tokens issued to it, and "
        "about access tokens for a resource that it guards. Of a token that is not good, or not its to ask about, the "
        "answer is `active: false` and nothing else. With `Accept: application/token-introspection+jwt` the answer is "
        "signed (RFC 9701)."
    ),
    bodies=(Content(_FORM, (IntrospectionForm,), {"Introspection": {"token": "<ACCESS_TOKEN>"}}),),
    answers=(
        Content(JSON, (Introspection,), {"Not active": {"active": False}}),
        Content(SIGNED, (), {"Signed": "<JWT>"}),
    ),
    refusals=(UNSUPPORTED_MEDIA_TYPE, TOKEN_MISSING, FORBIDDEN),
)

KEY_SET = Operation(
    id="key_set",
    tag=TAG,
    summary="Public keys",
    description="The keys that verify the signatures of tokens. A new key is published here before it signs.",
    answers=(Content(JSON, (KeySet,)),),
    cacheable=True,
)
