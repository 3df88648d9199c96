"""GET /risk/business/v2/directortargeter and /v2/directordetails/<director_number> (report schema §1).

Names of people are in the query, and nothing of a query is ever logged (credit §10).
"""

import msgspec

from credence.clock import date_of
from credence.oauth.bearer import Bearer
from credence.refusals import DIRECTOR_UNKNOWN, Refused
from credence.report.search.director_query import director_query
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import PRIVATE


async def director_search(service: Service, request: RequestContext, _bearer: Bearer) -> Answer:
    """Return the directors that match; Refused 422 for parameters that are missing or malformed, 401 for a full queue."""
    return Answer(200, JSON, await service.searches.find_directors(director_query(request.parameters)), (PRIVATE,))


async def director_details(service: Service, request: RequestContext, _bearer: Bearer) -> Answer:
    """Return one director and their appointments; Refused 404 for a number that is not held."""
    found = service.find_director(request.segment.strip(), date_of(request.now))
    if found is None:
        raise Refused(DIRECTOR_UNKNOWN, "director.unknown")
    return Answer(200, JSON, msgspec.json.encode(found), (PRIVATE,))
