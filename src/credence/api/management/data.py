"""/manage/v1/data: the sources of credit data, their loads, and the holds on them (D21, D30)."""

import asyncio
from collections.abc import Callable
from typing import Annotated, TypeVar

from credence.api.management.acts import shown
from credence.api.resources.pages import require_parameters
from credence.errors import OperatorError
from credence.management import data_history, inventory, score_runs
from credence.management.service_schema import Sources
from credence.oauth.bearer import Bearer
from credence.refusals.refusal import Refused
from credence.refusals.requests import INTERNAL
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.request_context import RequestContext
from credence.service import Service
from credence.telemetry.log import log_unexpected
from credence.web.messages.answer import Answer
from credence.web.routing.operation import Parameter

T = TypeVar("T")


async def list_data(service: Service, request: RequestContext, _bearer: Bearer) -> Annotated[Answer, Sources]:
    """List the sources of credit data.

    Date, age, content, faults and hold of each, as `credence data status` prints them.
    """
    return shown(await _read(request, lambda: inventory.sources(service.settings, request.now)))


async def list_loads(
    service: Service, request: RequestContext, _bearer: Bearer
) -> Annotated[Answer, data_history.Loads]:
    """List the newest loads.

    The newest loads and scoring runs of this node, as `credence data loads` prints them; at most 200.
    """
    return shown(await _read(request, lambda: data_history.loads(service.settings)))


async def list_runs(service: Service, request: RequestContext, _bearer: Bearer) -> Annotated[Answer, score_runs.Runs]:
    """List the scoring runs.

    The runs of the scores in service, with what each found. Of a run by an earlier version that is unknown.
    """
    return shown(await _read(request, lambda: score_runs.runs(service.settings)))


_RUN = Parameter("run", "path", "The later run: its number, or `newest`.", "newest")
_SINCE = Parameter("since", "query", "The earlier run, or `fitting`: the fitting data. Default: the run before.")


async def compare_runs(
    service: Service, request: Annotated[RequestContext, _RUN, _SINCE], _bearer: Bearer
) -> Annotated[Answer, score_runs.Comparison, RESOURCE_UNKNOWN]:
    """Compare two scoring runs.

    How many companies changed band and score, and the population stability index of each input. What was not kept is
    null. Companies that left the register are not counted.
    """
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
