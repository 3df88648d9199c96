"""/manage/v1/applications/{client_id}/clock: the test clock of an application in the sandbox (D18, D30)."""

from credence.clock import rfc3339
from credence.identity.applications import application_time
from credence.management.clocks import ClockBody, advanced, clock_of, reset, wish_of
from credence.oauth.bearer import Bearer
from credence.operations.audit_changes import changes
from credence.request_context import RequestContext
from credence.service import Service
from credence.store.records import Application
from credence.web.endpoints.management.acts import explained, is_preview, record, require_reach, require_version, shown
from credence.web.endpoints.management.applications import found_application
from credence.web.messages.answer import Answer
from credence.web.resource_api.bodies import read_model
from credence.web.resource_api.idempotency import once
from credence.web.resource_api.pages import require_parameters


async def read(service: Service, request: RequestContext, _bearer: Bearer) -> Answer:
    """Return the clock of an application."""
    return _shown(request, await found_application(service, request))


async def advance(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Move the clock forward, once for each Idempotency-Key."""
    require_parameters(request.parameters, "preview")
    preview = is_preview(request)
    found = await found_application(service, request)

    async def move() -> Answer:
        body = read_model(request, ClockBody)
        with explained():
            wanted = advanced(found, service.settings, wish_of(body), request.now)
        require_reach(service, bearer, found, wanted)
        if not preview:
            await _save(service, request, bearer, "clock advance", found, wanted)
        return _shown(request, wanted)

    if preview:
        return await move()
    return await once(service.authority.store, request, bearer, move, ())


async def set_back(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Give the application real time again, and end its tokens, logins and expired secrets."""
    require_parameters(request.parameters, "preview")
    preview = is_preview(request)
    found = await found_application(service, request)
    require_version(request, clock_of(found))
    with explained():
        wanted = reset(found, service.settings, request.now)
    require_reach(service, bearer, found, wanted)
    if wanted != found and not preview:
        await _save(service, request, bearer, "clock reset", found, wanted)
    return _shown(request, wanted)


def _shown(request: RequestContext, application: Application) -> Answer:
    """Return the clock with its time, which its entity tag does not cover."""
    return shown(clock_of(application), time=rfc3339(application_time(application, request.now)))


async def _save(
    service: Service, request: RequestContext, bearer: Bearer, act: str, found: Application, wanted: Application
) -> None:
    await record(service, request, bearer, act, changes(found, wanted), application=found.client_id)
    with explained():
        await service.authority.store.save_application(wanted, request.now)
