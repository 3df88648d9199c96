"""/manage/v1/keys, settings and health: the signing keys and the state of the service (D13, D18, D30)."""

import msgspec

import credence
from credence.management.instants import instant
from credence.management.keys import described, next_key, roll
from credence.management.schema import ServiceHealth, SettingState, SettingStates, Signing, SigningKeys, SigningKeyState
from credence.management.settings import settings_shown
from credence.oauth.bearer import Bearer
from credence.oauth.keys.schedule import plan
from credence.operations.audit_changes import changes
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.endpoints.health import ready
from credence.web.endpoints.management.acts import record, shown
from credence.web.messages.answer import Answer
from credence.web.resource_api.explained import explained
from credence.web.resource_api.idempotency import once
from credence.web.resource_api.pages import is_preview, require_parameters


async def list_keys(service: Service, request: RequestContext, _bearer: Bearer) -> Answer:
    """Return the signing keys with their states and dates."""
    keys = plan(await service.authority.store.signing_keys())
    return shown(SigningKeys([msgspec.convert(described(each, request.now), SigningKeyState) for each in keys]))


async def roll_key(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Make the next key of an algorithm the signing key, once for each Idempotency-Key."""
    require_parameters(request.parameters, "preview")
    preview, authority = is_preview(request), service.authority

    async def act() -> Answer:
        with explained():
            key = await next_key(authority.store, request.segments[0], request.now)
        if not preview:
            signs_from = changes({}, {"signs_from": instant(request.now)})
            await record(service, request, bearer, "keys roll", signs_from, kid=key.kid)
            await roll(authority.store, authority.keks, service.settings, key, request.now)
        return shown(Signing(key.algorithm, key.kid))

    return await act() if preview else await once(authority.store, request, bearer, act)


async def settings(service: Service, _request: RequestContext, _bearer: Bearer) -> Answer:
    """Return every setting with its value and source; secrets are masked by asterisks."""
    rows = settings_shown(service.settings)
    return shown(SettingStates([msgspec.convert(each, SettingState) for each in rows]))


async def health(service: Service, request: RequestContext, _bearer: Bearer) -> Answer:
    """Return the readiness, the version and the environment of the service."""
    status = msgspec.json.decode((await ready(service, request)).body)["status"]
    return shown(ServiceHealth(status, credence.__version__, service.settings.environment))
