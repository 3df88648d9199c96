"""Documentation of the device authorization endpoint."""

from typing import Annotated

from msgspec import Struct

from credence.api.reference.operations.bodies import ClientForm
from credence.meanings import meaning
from credence.refusals.grants import GRANT_NOT_ALLOWED, INVALID_SCOPE, INVALID_TARGET
from credence.refusals.requests import FORBIDDEN, METHOD_NOT_ALLOWED, UNSUPPORTED_MEDIA_TYPE
from credence.web.dialects.media import MediaType
from credence.web.messages.answer import JSON
from credence.web.routing.operation import Content, Operation


class DeviceForm(ClientForm, omit_defaults=True, kw_only=True):
    """What a device requests (RFC 8628 §3.1)."""

    scope: Annotated[str | None, meaning("Scopes, blanks between.", example="openid credit:report")] = None
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


AUTHORIZE_DEVICE = Operation(
    id="authorize_device",
    tag="People sign in",
    summary="Connect a device without a browser",
    description=(
        "A device or a command line gets a code to show (RFC 8628). While the person enters it on another machine, the "
        "device asks the token endpoint with its own code."
    ),
    bodies=(Content(MediaType.FORM.value, (DeviceForm,), {"Request": {"scope": "openid credit:report"}}),),
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
