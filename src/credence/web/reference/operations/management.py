"""Documentation of the management API. The examples show an invented deployment."""

from dataclasses import replace

from credence.management.schema import (
    ApplicationBody,
    Applications,
    ApplicationState,
    SecretBody,
    ServiceHealth,
    SettingStates,
)
from credence.refusals.resources import RESOURCE_CHANGED, RESOURCE_PARAMETER, RESOURCE_UNKNOWN
from credence.web.messages.answer import JSON
from credence.web.resource_api.bodies import MERGE_PATCH
from credence.web.resource_api.parameters import IF_MATCH, KEY, PAGE, PREVIEW
from credence.web.resource_api.refusals import OF_A_BODY, OF_A_VERSION, OF_IDEMPOTENCY
from credence.web.routing.operation import Content, Operation, Parameter

TAG = "Management"

_CLIENT = Parameter("client_id", "path", "The application's client_id.", "<CLIENT_ID>")

_BODY = (*OF_A_BODY, RESOURCE_PARAMETER)
_VERSIONED = (*OF_A_VERSION, *_BODY)

_RULES = {"networks": ["192.0.2.0/24"], "windows": ["Mon-Fri 08:00-18:00"], "time_zone": "Europe/London"}
_APPLICATION = {"name": "Ledger", "grants": ["client_credentials"], "scopes": ["credit:report"], "rules": _RULES}
_STATE = {
    **_APPLICATION,
    "client_id": "<CLIENT_ID>",
    "created_at": "2026-11-22T09:30:00Z",
    "secrets": [{"id": "1795339800000", "created_at": "2026-11-22T09:30:00Z", "expires_at": None}],
}
_APPLICATION_BODY = (Content(JSON, (ApplicationBody,), {"An application": _APPLICATION}),)
_APPLICATION_STATE = (Content(JSON, (ApplicationState,), {"An application": _STATE}),)

LIST_APPLICATIONS = Operation(
    id="list_applications",
    tag=TAG,
    summary="List applications",
    description="The applications by client_id, in pages; the field Link leads to the next (RFC 8288).",
    parameters=PAGE,
    answers=(Content(JSON, (Applications,), {"One": {"applications": [_STATE], "next_page_token": ""}}),),
    refusals=(RESOURCE_PARAMETER,),
)

REGISTER = Operation(
    id="manage_register_application",
    tag=TAG,
    summary="Register an application",
    description=(
        "What the body leaves out has its default. Only this answer has the secret. An application may get a scope "
        "`manage:*` only by a token that has it."
    ),
    parameters=(PREVIEW, KEY),
    bodies=_APPLICATION_BODY,
    answers=(
        Content(JSON, (ApplicationState,), {"With its secret": {**_STATE, "client_secret": "<SECRET>"}}, 201),
        Content(JSON, (ApplicationState,), {"A preview": _STATE}),
    ),
    refusals=(*_BODY, RESOURCE_CHANGED, *OF_IDEMPOTENCY),
)

READ_APPLICATION = Operation(
    id="read_application",
    tag=TAG,
    summary="Read an application",
    description="Its secrets appear by their dates. The ETag is for If-Match.",
    parameters=(_CLIENT,),
    answers=_APPLICATION_STATE,
    refusals=(RESOURCE_UNKNOWN,),
)

REPLACE_APPLICATION = replace(
    READ_APPLICATION,
    id="replace_application",
    summary="Replace an application",
    description="Everything that operators choose becomes what the body says; what it leaves out gets its default.",
    parameters=(_CLIENT, PREVIEW, IF_MATCH),
    bodies=_APPLICATION_BODY,
    refusals=_VERSIONED,
)

CHANGE_APPLICATION = replace(
    REPLACE_APPLICATION,
    id="change_application",
    summary="Change an application",
    description="A merge patch (RFC 7396); null gives a member its default. Disabling revokes the tokens.",
    bodies=(Content(MERGE_PATCH, (), {"Disable": {"disabled": True}}),),
)

ADD_SECRET = Operation(
    id="add_secret",
    tag=TAG,
    summary="Add a secret",
    description="Only this answer has the secret. An application has at most two; the older of the old ones ends.",
    parameters=(_CLIENT, PREVIEW, KEY),
    bodies=(Content(JSON, (SecretBody,), {"A day for the old one": {"keep_old_seconds": 86400}}),),
    answers=(
        Content(JSON, (ApplicationState,), {"With the secret": {**_STATE, "client_secret": "<SECRET>"}}, 201),
        Content(JSON, (ApplicationState,), {"A preview": _STATE}),
    ),
    refusals=(RESOURCE_UNKNOWN, RESOURCE_CHANGED, *_BODY, *OF_IDEMPOTENCY),
)

END_SECRET = replace(
    READ_APPLICATION,
    id="end_secret",
    summary="End a secret",
    description="The secret is refused from now on. Tokens obtained with it stay valid.",
    parameters=(_CLIENT, Parameter("secret", "path", "Its `id`.", "1795339800000"), PREVIEW, IF_MATCH),
    refusals=_VERSIONED,
)

SETTINGS = Operation(
    id="settings",
    tag=TAG,
    summary="Read the settings",
    description="Value, source and meaning of every setting. Secrets are asterisks; nothing can be changed here.",
    answers=(
        Content(
            JSON,
            (SettingStates,),
            {"One": {"settings": [{"setting": "port", "value": 8443, "source": "default", "description": "Port."}]}},
        ),
    ),
)

HEALTH = Operation(
    id="service_health",
    tag=TAG,
    summary="Read whether the service works",
    description="What `/readyz` says, the version and the environment.",
    answers=(
        Content(JSON, (ServiceHealth,), {"Ready": {"status": "ready", "version": "0.2.0", "environment": "uat"}}),
    ),
)

DESCRIPTION = Operation(
    id="management_description",
    tag=TAG,
    summary="Read the description of the management API",
    description="The OpenAPI 3.1 document of the management API.",
    answers=(Content(JSON),),
)
