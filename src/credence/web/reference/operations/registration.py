"""Documentation of dynamic client registration."""

from dataclasses import replace

from credence.refusals import (
    FORBIDDEN,
    INVALID_CLIENT_METADATA,
    INVALID_REDIRECT_URI,
    REGISTRATION_CHANGED,
    UNSUPPORTED_MEDIA_TYPE,
)
from credence.web.messages.answer import JSON
from credence.web.reference.operations.bodies import ClientInformation, ClientMetadataBody
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
        "With an initial access token from the operator (`credence app invite`), which says what may be registered at most "
        "(RFC 7591). Members that mean nothing here are ignored. The secret and the registration access token are shown "
        "this once."
    ),
    bodies=_BODY,
    answers=(Content(JSON, (ClientInformation,), status=201),),
    refusals=(UNSUPPORTED_MEDIA_TYPE, INVALID_CLIENT_METADATA, INVALID_REDIRECT_URI),
)

READ_REGISTRATION = Operation(
    id="read_registration",
    tag=TAG,
    summary="Read a registration",
    description="What the application is registered as (RFC 7592 §2.1). Its secret is not kept, so it is not shown.",
    parameters=_WHO,
    answers=(Content(JSON, (ClientInformation,)),),
    refusals=(FORBIDDEN,),
)

CHANGE_REGISTRATION = replace(
    READ_REGISTRATION,
    id="change_registration",
    summary="Change a registration",
    description=(
        "All of it at once: a member that is left out goes back to its default (RFC 7592 §2.2). What the operator has set "
        "by command since stays as it is, and a request that says otherwise is refused. The answer has a new registration "
        "access token, and the old one is over."
    ),
    bodies=(Content(JSON, (ClientMetadataBody,), {"Client metadata": {"client_id": "<CLIENT_ID>", **_METADATA}}),),
    refusals=(FORBIDDEN, UNSUPPORTED_MEDIA_TYPE, INVALID_CLIENT_METADATA, INVALID_REDIRECT_URI, REGISTRATION_CHANGED),
)

END_REGISTRATION = replace(
    READ_REGISTRATION,
    id="end_registration",
    summary="End a registration",
    description="The application is disabled and its tokens die (RFC 7592 §2.3). Its client_id is never given to another.",
    answers=(Content("", status=204),),
    refusals=(FORBIDDEN, REGISTRATION_CHANGED),
)
