"""/manage/v1/health: the state of the service (D18, D30)."""

from typing import Annotated

import msgspec

import credence
from credence.api.management.acts import shown
from credence.api.public.health import ready
from credence.management.schema import ServiceHealth
from credence.oauth.bearer import Bearer
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.messages.answer import Answer


async def service_health(
    service: Service, request: RequestContext, _bearer: Bearer
) -> Annotated[Answer, ServiceHealth]:
    """Read whether the service works.

    What `/readyz` says, the version and the environment.
    """
    status = msgspec.json.decode((await ready(service, request)).body)["status"]
    return shown(ServiceHealth(status, credence.__version__, service.settings.environment))
