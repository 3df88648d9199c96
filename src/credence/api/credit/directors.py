"""GET /risk/business/v2/directortargeter and /v2/directordetails/<director_number> (report schema §1).

The query contains names of people, so no part of it is logged (credit §10).
"""

from credence.api.credit.ignored_parameters import ignored_parameters
from credence.clock import london_day
from credence.oauth.bearer import Bearer
from credence.refusals.credit import DIRECTOR_UNKNOWN
from credence.refusals.refusal import Refused
from credence.report.search.director_query import PARAMETERS, director_query
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import PRIVATE


async def director_search(service: Service, request: RequestContext, _bearer: Bearer) -> Answer:
    """Return the matching directors. Raises Refused with 422 for missing or malformed parameters, 401 for a full queue."""
    found = await service.searches.find_directors(director_query(request.parameters))
    return Answer(200, JSON, found, (PRIVATE, *ignored_parameters(service, request, PARAMETERS)))


async def director_details(service: Service, request: RequestContext, _bearer: Bearer) -> Answer:
    """Return one director and their appointments. Raises Refused with 404 for an unknown number."""
    found = service.find_director(request.segment.strip(), london_day(request.now))
    if found is None:
        raise Refused(DIRECTOR_UNKNOWN, "director.unknown")
    return Answer(200, JSON, found, (PRIVATE,))
