"""GET /risk/business/v1/businesstargeter and v2: find a company's number by name, postcode or town (D23)."""

from credence.credit import specimen
from credence.credit.search.companies import encode
from credence.credit.search.query import search_query
from credence.http.answer import JSON, Answer
from credence.http.caching import PRIVATE
from credence.http.request import Request
from credence.oauth.bearer import Bearer
from credence.service import Service
from credence.settings import Environment


async def company_search(service: Service, request: Request, _bearer: Bearer) -> Answer:
    """Return the companies that match; Refused 422 for parameters that are missing or malformed, 401 for a full queue."""
    query = search_query(request.parameters)
    found = specimen.search(query) if service.settings.environment is Environment.SANDBOX else None
    return Answer(200, JSON, encode(found) if found else await service.searches.find(query), (PRIVATE,))
