"""/manage/v1/audit (D30)."""

import asyncio
from typing import Annotated

from credence.api.management.acts import shown
from credence.api.resources.pages import MAX_PAGE_SIZE, PAGE_SIZE, require_parameters, whole_number
from credence.management.audit_search import FIELDS, search_trail
from credence.management.service_schema import TrailPage
from credence.oauth.bearer import Bearer
from credence.refusals.refusal import Refused
from credence.refusals.requests import INTERNAL
from credence.refusals.resources import RESOURCE_PARAMETER
from credence.request_context import RequestContext
from credence.service import Service
from credence.telemetry.audit_files import DEEDS, REFUSALS
from credence.telemetry.log import log_unexpected
from credence.web.messages.answer import Answer
from credence.web.routing.operation import TEXT, Parameter

_TRAILS = {"deeds": DEEDS, "refusals": REFUSALS}


_AUDIT = (
    Parameter("trail", "query", "Default: deeds.", schema={**TEXT, "enum": ["deeds", "refusals"]}),
    *(Parameter(name, "query", f"The field `{name}` of the line.") for name in FIELDS),
    Parameter("before", "query", "`next_before` of the page before."),
    Parameter("page_size", "query", "Lines of a page, at most 1,000. Default: 100.", schema={"type": "integer"}),
)


async def search_audit(
    service: Service, request: Annotated[RequestContext, *_AUDIT], _bearer: Bearer
) -> Annotated[Answer, TrailPage, RESOURCE_PARAMETER]:
    """Search the audit trail.

    The lines of this node, the newest first. Each parameter must equal the field of the line.
    """
    parameters = request.parameters
    require_parameters(parameters, *(each.name for each in _AUDIT))
    size = whole_number(parameters, "page_size", PAGE_SIZE, MAX_PAGE_SIZE)
    trail = _TRAILS.get(parameters.get("trail", "deeds"))
    if trail is None:
        raise Refused(RESOURCE_PARAMETER, "resource.parameter")
    wanted = {name: parameters[name] for name in FIELDS if name in parameters}
    folder, before = service.settings.audit_folder, parameters.get("before", "")
    try:
        return shown(await asyncio.to_thread(search_trail, folder, trail, wanted, size, before))
    except OSError as error:
        log_unexpected(error, request_id=request.request_id)
        raise Refused(INTERNAL, "manage.audit_unavailable") from None
