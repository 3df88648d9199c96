"""Documentation of the endpoint for pushed authorization requests."""

from typing import Annotated

from msgspec import Struct

from credence.api.reference.operations.bodies import ClientForm
from credence.meanings import meaning
from credence.refusals.credentials import INVALID_DPOP_PROOF, USE_DPOP_NONCE
from credence.refusals.requests import FORBIDDEN, METHOD_NOT_ALLOWED, UNSUPPORTED_MEDIA_TYPE
from credence.refusals.sign_in import PUSHED_REQUEST, PUSHED_REQUEST_TOO_LONG
from credence.web.dialects.media import MediaType
from credence.web.messages.answer import JSON
from credence.web.routing.operation import Content, Operation


class PushForm(ClientForm, omit_defaults=True, kw_only=True):
    """A pushed authorization request: the parameters of the authorization endpoint and the client's authentication."""

    response_type: Annotated[str, meaning("Always `code`.")]
    redirect_uri: Annotated[str, meaning("One of the application's, letter for letter.")]
    scope: Annotated[str | None, meaning("Scopes, blanks between.", example="openid profile")] = None
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
            MediaType.FORM.value,
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
