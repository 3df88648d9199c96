"""GET /risk/business/v1/businesstargeter and v2: search for companies by name, postcode or town (D23)."""

from credence.api.credit.ignored_parameters import ignored_parameters
from credence.datasets.search.query import PARAMETERS, company_query
from credence.oauth.bearer import Bearer
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import PRIVATE


async def company_search(service: Service, request: RequestContext, _bearer: Bearer) -> Answer:
    """Return the matching companies. Raises Refused with 422 for missing or malformed parameters, 401 for a full queue."""
    found = await service.searches.find(company_query(request.parameters))
    return Answer(200, JSON, found, (PRIVATE, *ignored_parameters(service, request, PARAMETERS)))
