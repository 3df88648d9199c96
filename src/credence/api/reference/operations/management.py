"""Documentation of the management API. The examples show an invented deployment."""

from credence.management.schema import (
    ServiceHealth,
    SettingStates,
)
from credence.web.messages.answer import JSON
from credence.web.routing.operation import Content, Operation

TAG = "Management"

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
