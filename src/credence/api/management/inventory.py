"""/manage/v1/scopes, limits, disputes, policies, audit and invitations (D16, D30)."""

import asyncio

from credence.api.management.acts import shown
from credence.api.resources.pages import MAX_PAGE_SIZE, PAGE_SIZE, require_parameters, whole_number
from credence.errors import OperatorError
from credence.management import inventory
from credence.management.audit_search import FIELDS, search_trail
from credence.management.examination import examined
from credence.management.service_schema import Findings, FindingState
from credence.oauth.bearer import Bearer
from credence.refusals.refusal import Refused
from credence.refusals.requests import INTERNAL
from credence.refusals.resources import RESOURCE_PARAMETER
from credence.request_context import RequestContext
from credence.service import Service
from credence.telemetry.audit_files import DEEDS, REFUSALS
from credence.telemetry.log import log_unexpected
from credence.web.messages.answer import Answer

_TRAILS = {"deeds": DEEDS, "refusals": REFUSALS}


async def scopes(service: Service, _request: RequestContext, _bearer: Bearer) -> Answer:
    """Return all scopes."""
    return shown(inventory.scopes(service.settings))


async def limits(service: Service, _request: RequestContext, _bearer: Bearer) -> Answer:
    """Return the rate limits of the service."""
    return shown(inventory.limits(service.settings))


async def disputes(service: Service, request: RequestContext, _bearer: Bearer) -> Answer:
    """Return the disputes."""
    try:
        return shown(await asyncio.to_thread(inventory.listed_disputes, service.settings))
    except (OperatorError, OSError) as error:
        log_unexpected(error, request_id=request.request_id)
        raise Refused(INTERNAL, "credit_data.unreadable") from None


async def policies(service: Service, _request: RequestContext, _bearer: Bearer) -> Answer:
    """Return the installed policies."""
    return shown(await asyncio.to_thread(inventory.policies, service.settings))


async def audit(service: Service, request: RequestContext, _bearer: Bearer) -> Answer:
    """Return lines of the audit trail of this node, newest first."""
    parameters = request.parameters
    require_parameters(parameters, "trail", "before", "page_size", *FIELDS)
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


async def doctor(service: Service, request: RequestContext, _bearer: Bearer) -> Answer:
    """Examine the public address of the deployment; takes seconds, so only one examination runs at a time."""
    require_parameters(request.parameters)
    settings = service.settings
    found = await examined(settings, service.authority.store, request.now)
    states = [FindingState(each.check, each.outcome.value, each.seen, list(each.to_do)) for each in found]
    return shown(Findings(settings.issuer, states))
