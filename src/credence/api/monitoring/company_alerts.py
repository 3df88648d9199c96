"""GET /monitoring/v1/company-alerts: one entry for each company with alerts, the most pounds at risk first."""

from typing import Annotated

import msgspec

from credence.api.resources.pages import require_parameters
from credence.clock import london_day
from credence.monitoring.company_alerts import CompanyAlertPage, alerts_by_company, first_of
from credence.oauth.bearer import Bearer
from credence.operations.company_alerts import MAX_SHOWN
from credence.refusals.resources import RESOURCE_PARAMETER
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import PRIVATE

_encode = msgspec.json.Encoder().encode


async def alerts_of_companies(
    service: Service, request: RequestContext, bearer: Bearer
) -> Annotated[Answer, CompanyAlertPage, RESOURCE_PARAMETER]:
    """Alerts by company.

    The companies with open alerts, one entry each with its causes, exposure and what to do: the most pounds at risk first,
    at most a thousand. An alert is open until it is acknowledged; one that is snoozed opens again on its day.
    """
    require_parameters(request.parameters)
    owner, today = bearer.application.client_id, london_day(request.now)
    found = await alerts_by_company(service.authority.store, owner, today)
    return Answer(200, JSON, _encode(first_of(found, MAX_SHOWN)), (PRIVATE,))
