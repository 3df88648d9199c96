"""/manage/v1/keys, settings and health: the signing keys and the state of the service (D13, D18, D30)."""

from typing import Annotated

import msgspec

import credence
from credence.api.management.acts import shown
from credence.api.public.health import ready
from credence.management.schema import ServiceHealth, SettingState, SettingStates
from credence.management.settings import settings_shown
from credence.oauth.bearer import Bearer
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.messages.answer import Answer


async def settings(service: Service, _request: RequestContext, _bearer: Bearer) -> Annotated[Answer, SettingStates]:
    """Read the settings.

    Value, source and meaning of every setting. Secrets are asterisks; nothing can be changed here.
    """
    rows = settings_shown(service.settings)
    return shown(SettingStates([msgspec.convert(each, SettingState) for each in rows]))


async def service_health(
    service: Service, request: RequestContext, _bearer: Bearer
) -> Annotated[Answer, ServiceHealth]:
    """Read whether the service works.

    What `/readyz` says, the version and the environment.
    """
    status = msgspec.json.decode((await ready(service, request)).body)["status"]
    return shown(ServiceHealth(status, credence.__version__, service.settings.environment))
