"""GET /risk/business/v1/businesstargeter and v2: find a company's number by name, postcode or town (D23)."""

from credence.datasets.search.query import company_query
from credence.oauth.bearer import Bearer
from credence.report.search.companies import encode
from credence.sandbox import specimen
from credence.service import Service
from credence.settings import Environment
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import PRIVATE
from credence.web.messages.request import Request


async def company_search(service: Service, request: Request, _bearer: Bearer) -> Answer:
    """Return the companies that match; Refused 422 for parameters that are missing or malformed, 401 for a full queue."""
    query = company_query(request.parameters)
    found = specimen.search(query) if service.settings.environment is Environment.SANDBOX else None
    return Answer(200, JSON, encode(found) if found else await service.searches.find(query), (PRIVATE,))
