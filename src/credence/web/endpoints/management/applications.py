"""/manage/v1/applications: lists, registers, reads and changes applications and their secrets (D30)."""

import msgspec

from credence import paths
from credence.identity import applications
from credence.management.applications import (
    body_of,
    configured_by,
    new_application,
    publish_keys,
    require_offered,
    state_of,
)
from credence.management.schema import ApplicationBody, Applications, SecretBody
from credence.oauth.bearer import Bearer
from credence.operations.audit_changes import changes
from credence.operations.merge_patch import converted, merged
from credence.refusals.refusal import Refused, because
from credence.refusals.resources import RESOURCE_MALFORMED, RESOURCE_UNKNOWN
from credence.request_context import RequestContext
from credence.service import Service
from credence.store.records import Application
from credence.web.endpoints.management.acts import (
    record,
    require_reach,
    require_reach_of_scopes,
    require_version,
    shown,
)
from credence.web.messages.answer import Answer
from credence.web.resource_api.bodies import read_model, read_patch
from credence.web.resource_api.explained import explained
from credence.web.resource_api.idempotency import once
from credence.web.resource_api.pages import first_of, is_preview, page_of, require_parameters

_NO_SECRET = because(RESOURCE_MALFORMED, "The application authenticates by other means: it has no secret.")


async def list_applications(service: Service, request: RequestContext, _bearer: Bearer) -> Answer:
    """Return a page of the applications in the order of their client_ids."""
    require_parameters(request.parameters, "page_size", "page_token")
    page = page_of(request.parameters)
    found = await service.authority.store.applications(page.after, page.size + 1)
    part, next_page, links = first_of(found, lambda each: each.client_id, page, request)
    return shown(Applications([state_of(each) for each in part], next_page), headers=links)


async def register(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Register an application, once for each Idempotency-Key; only this answer has its secret."""
    require_parameters(request.parameters, "preview")
    preview = is_preview(request)

    async def make() -> Answer:
        body = read_model(request, ApplicationBody)
        authority, environment = service.authority, service.settings.environment.prefix
        with explained():
            made = new_application(body, environment, request.now)
        require_reach_of_scopes(bearer, made.scopes or ())
        secret = None
        if applications.has_secret(made):
            made, secret = applications.with_first_secret(made, environment, authority.secrets.digest, request.now)
        if preview:
            return shown(state_of(made))
        await _save(service, request, bearer, "app create", None, made)
        location = ("location", f"{paths.MANAGEMENT}/applications/{made.client_id}")
        return shown(state_of(made), 201, (location,), client_secret=secret)

    if preview:
        return await make()
    return await once(service.authority.store, request, bearer, make, ("client_secret",))


async def read(service: Service, request: RequestContext, _bearer: Bearer) -> Answer:
    """Return an application."""
    return shown(state_of(await found_application(service, request)))


async def replace(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Replace the options of an application; a member that the body omits gets its default."""
    found = await found_application(service, request)
    require_version(request, state_of(found))
    return await _changed(service, request, bearer, found, read_model(request, ApplicationBody))


async def change(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Change an application by a merge patch (RFC 7396); null sets a member to its default."""
    found = await found_application(service, request)
    require_version(request, state_of(found))
    present = {name: value for name, value in msgspec.to_builtins(body_of(found)).items() if value is not None}
    return await _changed(
        service, request, bearer, found, converted(merged(present, read_patch(request)), ApplicationBody)
    )


async def add_secret(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Add a secret, once for each Idempotency-Key; the newest of the old secrets stays valid for a while."""
    require_parameters(request.parameters, "preview")
    preview = is_preview(request)
    found = await found_application(service, request)

    async def add() -> Answer:
        if not applications.has_secret(found):
            raise Refused(_NO_SECRET, "manage.no_secret")
        body = read_model(request, SecretBody) if request.body else SecretBody()
        old_until = request.now + body.keep_old_seconds * 1000
        environment, key = service.settings.environment.prefix, service.authority.secrets.digest
        wanted, secret = applications.rotate_secret(found, environment, key, request.now, old_until)
        require_reach(service, bearer, found, wanted)
        if preview:
            return shown(state_of(wanted))
        await _save(service, request, bearer, "app rotate-secret", found, wanted)
        return shown(state_of(wanted), 201, client_secret=secret)

    if preview:
        return await add()
    return await once(service.authority.store, request, bearer, add, ("client_secret",))


async def end_secret(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """End a secret at once. Tokens obtained with it stay valid."""
    require_parameters(request.parameters, "preview")
    found = await found_application(service, request)
    text = request.segments[1]
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 20 else -1
    wanted = applications.without_secret_of(found, number)
    if wanted is None:
        raise Refused(RESOURCE_UNKNOWN, "manage.unknown")
    require_version(request, state_of(found))
    require_reach(service, bearer, found, wanted)
    if not is_preview(request):
        await _save(service, request, bearer, "app end-secret", found, wanted)
    return shown(state_of(wanted))


async def _changed(
    service: Service, request: RequestContext, bearer: Bearer, found: Application, body: ApplicationBody
) -> Answer:
    require_parameters(request.parameters, "preview")
    preview = is_preview(request)
    with explained():
        wanted = configured_by(found, body, service.settings, request.now)
    require_reach(service, bearer, found, wanted)
    if wanted != found and not preview:
        await _save(service, request, bearer, "app set", found, wanted)
    return shown(state_of(wanted))


async def found_application(service: Service, request: RequestContext) -> Application:
    """Return the application that the path names. Raises Refused with 404 for an unknown application."""
    found = await service.authority.store.application(request.segments[0])
    if found is None:
        raise Refused(RESOURCE_UNKNOWN, "manage.unknown")
    return found


async def _save(
    service: Service,
    request: RequestContext,
    bearer: Bearer,
    act: str,
    found: Application | None,
    application: Application,
) -> None:
    """Record and store a new or changed application; `found` is what is stored."""
    authority = service.authority
    with explained():
        require_offered(service.settings, application)
        await record(service, request, bearer, act, changes(found, application), application=application.client_id)
        await publish_keys(authority.store, authority.keks, service.settings, application, request.now)
        await authority.store.save_application(application, request.now)
