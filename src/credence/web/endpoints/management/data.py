"""/manage/v1/data: the sources of credit data, their loads, and the holds on them (D21, D30)."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from credence.errors import OperatorError
from credence.management import data_history, data_holds, inventory, score_runs
from credence.oauth.bearer import Bearer
from credence.operations.audit_changes import changes
from credence.refusals.refusal import Refused
from credence.refusals.requests import INTERNAL
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.request_context import RequestContext
from credence.service import Service
from credence.telemetry.log import log_unexpected
from credence.web.endpoints.management.acts import record, require_version, shown
from credence.web.messages.answer import Answer
from credence.web.resource_api.bodies import read_model
from credence.web.resource_api.explained import explained
from credence.web.resource_api.pages import is_preview, require_parameters

T = TypeVar("T")


async def sources(service: Service, request: RequestContext, _bearer: Bearer) -> Answer:
    """Return the state of each source of credit data."""
    return shown(await _read(request, lambda: inventory.sources(service.settings, request.now)))


async def loads(service: Service, request: RequestContext, _bearer: Bearer) -> Answer:
    """Return the newest loads and scoring runs of this node."""
    return shown(await _read(request, lambda: data_history.loads(service.settings)))


async def runs(service: Service, request: RequestContext, _bearer: Bearer) -> Answer:
    """Return the scoring runs."""
    return shown(await _read(request, lambda: score_runs.runs(service.settings)))


async def compared_run(service: Service, request: RequestContext, _bearer: Bearer) -> Answer:
    """Return the differences between an earlier run and this one."""
    require_parameters(request.parameters, "since")
    run, since = request.segments[0], request.parameters.get("since", "")
    try:
        return shown(await _read(request, lambda: score_runs.compared(service.settings, run, since)))
    except score_runs.UnknownRun:
        raise Refused(RESOURCE_UNKNOWN, "manage.unknown") from None


async def read_hold(service: Service, request: RequestContext, _bearer: Bearer) -> Answer:
    """Return whether a source is held."""
    return shown(await _hold(service, request))


async def hold(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Hold a source: newer data is refused until its release."""
    require_parameters(request.parameters, "preview")
    source, preview = request.segments[0], is_preview(request)
    found = await _hold(service, request)
    require_version(request, found)
    body = read_model(request, data_holds.HoldBody)
    by = bearer.account.username if bearer.account else bearer.application.client_id
    act = partial(data_holds.held, service.settings, source, by, body.reason, request.now, seen=found)
    with explained():
        state = await asyncio.to_thread(act, preview=True)
        changed = changes(found, state)
        if changed and not preview:
            await record(service, request, bearer, data_holds.HOLD, changed, source=source)
            state = await asyncio.to_thread(act)
    return shown(state)


async def release(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Release a source. No data is loaded by the release."""
    require_parameters(request.parameters, "preview")
    source, preview = request.segments[0], is_preview(request)
    found = await _hold(service, request)
    require_version(request, found)
    preview = preview or not found.held
    if not preview:
        gone = await asyncio.to_thread(partial(data_holds.released, service.settings, source, preview=True))
        await record(service, request, bearer, data_holds.RELEASE, changes(found, gone), source=source)
    with explained():
        released = partial(data_holds.released, service.settings, source, seen=found, preview=preview)
        return shown(await asyncio.to_thread(released))


async def _hold(service: Service, request: RequestContext) -> data_holds.HoldState:
    try:
        return await _read(request, lambda: data_holds.hold_of(service.settings, request.segments[0]))
    except data_holds.UnknownSource:
        raise Refused(RESOURCE_UNKNOWN, "manage.unknown") from None


async def _read(request: RequestContext, read: Callable[[], T]) -> T:
    """Run a blocking read in a thread and return its result. Raises Refused with 500 for data that cannot be read."""
    try:
        return await asyncio.to_thread(read)
    except (data_holds.UnknownSource, score_runs.UnknownRun):
        raise
    except (OperatorError, OSError) as error:
        log_unexpected(error, request_id=request.request_id)
        raise Refused(INTERNAL, "credit_data.unreadable") from None
