"""/manage/v1/data/runs/{run}: two scoring runs compared (credit §7, D30)."""

import asyncio
from typing import Annotated

from credence.api.management.acts import shown
from credence.api.resources.pages import require_parameters
from credence.management import score_runs
from credence.oauth.bearer import Bearer
from credence.refusals.refusal import Refused
from credence.refusals.requests import INTERNAL
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.request_context import RequestContext
from credence.service import Service
from credence.telemetry.log import log_unexpected
from credence.web.messages.answer import Answer
from credence.web.routing.operation import Parameter

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
        return shown(await asyncio.to_thread(score_runs.compared, service.settings, run, since))
    except score_runs.UnknownRun:
        raise Refused(RESOURCE_UNKNOWN, "manage.unknown") from None
    except OSError as error:
        log_unexpected(error, request_id=request.request_id)
        raise Refused(INTERNAL, "credit_data.unreadable") from None
