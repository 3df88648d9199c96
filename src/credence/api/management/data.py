"""/manage/v1/data: the sources of credit data, their loads, and the holds on them (D21, D30)."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from credence.api.management.acts import shown
from credence.api.resources.pages import require_parameters
from credence.errors import OperatorError
from credence.management import data_history, inventory, score_runs
from credence.oauth.bearer import Bearer
from credence.refusals.refusal import Refused
from credence.refusals.requests import INTERNAL
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.request_context import RequestContext
from credence.service import Service
from credence.telemetry.log import log_unexpected
from credence.web.messages.answer import Answer

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


async def _read(request: RequestContext, read: Callable[[], T]) -> T:
    """Run a blocking read in a thread and return its result. Raises Refused with 500 for data that cannot be read."""
    try:
        return await asyncio.to_thread(read)
    except score_runs.UnknownRun:
        raise
    except (OperatorError, OSError) as error:
        log_unexpected(error, request_id=request.request_id)
        raise Refused(INTERNAL, "credit_data.unreadable") from None
