"""Documentation of dynamic client registration."""

from dataclasses import replace

from credence.api.reference.operations.registration_bodies import ClientInformation, ClientMetadataBody
from credence.refusals.registration import INVALID_CLIENT_METADATA, INVALID_REDIRECT_URI, REGISTRATION_CHANGED
from credence.refusals.requests import FORBIDDEN, UNSUPPORTED_MEDIA_TYPE
from credence.web.messages.answer import JSON
from credence.web.routing.operation import Content, Operation, Parameter

TAG = "Registration"

_METADATA = {"client_name": "Ledger", "grant_types": ["client_credentials"], "scope": "credit:report"}
_BODY = (Content(JSON, (ClientMetadataBody,), {"Client metadata": _METADATA}),)
_WHO = (Parameter("client_id", "path", "The application's client_id.", "<CLIENT_ID>"),)

REGISTER_APPLICATION = Operation(
    id="register_application",
    tag=TAG,
    summary="Register an application",
    description=(
        "With an initial access token from the operator (`credence app invite`), which limits what may be registered "
        "(RFC 7591). Unknown members are ignored. Only this response contains the secret and the registration access "
        "token."
    ),
    bodies=_BODY,
    answers=(Content(JSON, (ClientInformation,), status=201),),
    refusals=(UNSUPPORTED_MEDIA_TYPE, INVALID_CLIENT_METADATA, INVALID_REDIRECT_URI),
)

READ_REGISTRATION = Operation(
    id="read_registration",
    tag=TAG,
    summary="Read a registration",
    description="The metadata of the application (RFC 7592 §2.1), without its secret, which is not stored.",
    parameters=_WHO,
    answers=(Content(JSON, (ClientInformation,)),),
    refusals=(FORBIDDEN,),
)

CHANGE_REGISTRATION = replace(
    READ_REGISTRATION,
    id="change_registration",
    summary="Change a registration",
    description=(
        "Replaces all metadata: an absent member returns to its default (RFC 7592 §2.2). Values that the operator has set "
        "by command do not change, and a request with other values is refused. The response has a new registration "
        "access token; the previous one is no longer valid."
    ),
    bodies=(Content(JSON, (ClientMetadataBody,), {"Client metadata": {"client_id": "<CLIENT_ID>", **_METADATA}}),),
    refusals=(FORBIDDEN, UNSUPPORTED_MEDIA_TYPE, INVALID_CLIENT_METADATA, INVALID_REDIRECT_URI, REGISTRATION_CHANGED),
)

END_REGISTRATION = replace(
    READ_REGISTRATION,
    id="end_registration",
    summary="End a registration",
    description="Disables the application and revokes its tokens (RFC 7592 §2.3). Its client_id is never assigned again.",
    answers=(Content("", status=204),),
    refusals=(FORBIDDEN, REGISTRATION_CHANGED),
)
