"""GET /risk/business/v2/directortargeter and /v2/directordetails/<director_number> (report schema §1).

Names of people are in the query, and nothing of a query is ever logged (credit §10).
"""

import msgspec

from credence.clock import date_of
from credence.companies.director_number import LENGTH
from credence.oauth.bearer import Bearer
from credence.refusals import DIRECTOR_UNKNOWN, Refused
from credence.report.search.director_details import director_data
from credence.report.search.director_query import director_query
from credence.sandbox import specimen_director
from credence.service import Service
from credence.settings import Environment
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import PRIVATE
from credence.web.messages.request import Request


async def director_search(service: Service, request: Request, _bearer: Bearer) -> Answer:
    """Return the directors that match; Refused 422 for parameters that are missing or malformed, 401 for a full queue."""
    query = director_query(request.parameters)
    found = specimen_director.search(query) if _in_sandbox(service) else None
    body = msgspec.json.encode(found) if found else await service.searches.find_directors(query)
    return Answer(200, JSON, body, (PRIVATE,))


async def director_details(service: Service, request: Request, _bearer: Bearer) -> Answer:
    """Return one director and their appointments; Refused 404 for a number that is not held."""
    number = request.segment.strip()
    if _in_sandbox(service) and number.upper() == specimen_director.NUMBER:
        return Answer(200, JSON, msgspec.json.encode(specimen_director.DATA), (PRIVATE,))
    found = director_data(service.credit_data, number, date_of(request.now)) if len(number) == LENGTH else None
    if found is None:
        raise Refused(DIRECTOR_UNKNOWN, "director.unknown")
    return Answer(200, JSON, msgspec.json.encode(found), (PRIVATE,))


def _in_sandbox(service: Service) -> bool:
    return service.settings.environment is Environment.SANDBOX
