"""GET /risk/business/v2/directortargeter and /v2/directordetails/<director_number> (report schema §1).

The query contains names of people, so no part of it is logged (credit §10).
"""

from typing import Annotated

from msgspec import Struct

from credence.api.credit.ignored_parameters import ignored_parameters
from credence.clock import london_day
from credence.datasets.search.query import POSTCODE
from credence.meanings import meaning
from credence.oauth.bearer import Bearer
from credence.refusals.credit import DIRECTOR_UNKNOWN, SEARCH_MALFORMED
from credence.refusals.refusal import Refused
from credence.report.schema.directors import DirectorData, DirectorTargeterResponse
from credence.report.search.director_query import DATE, director_query
from credence.request_context import RequestContext
from credence.sandbox import examples
from credence.service import Service
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import PRIVATE
from credence.web.routing.operation import Content, Parameter

_NOT_STORED = meaning(
    "Repeated in the response; addresses of people are not stored, so it does not restrict the search."
)
_Ignored = Annotated[str, meaning("Accepted; it does not restrict the search.")]


class DirectorSearch(Struct):
    """The parameters of a director search; `director_query` reads them."""

    surname: Annotated[str, meaning("The whole surname, or the name of a body.", example=examples.SURNAME)]
    forename: Annotated[str, meaning("The first forename or its beginning.", example=examples.FORENAME)] = ""
    middlenames: Annotated[str, meaning("Further forenames or their beginnings.", example=examples.MIDDLE)] = ""
    dateofbirth: Annotated[str, DATE.shape, meaning("As yyyy-mm or yyyy-mm-dd; year and month are compared.")] = ""
    town: Annotated[str, _NOT_STORED] = ""
    postcode: Annotated[str, POSTCODE.shape, _NOT_STORED] = ""
    title: _Ignored = ""
    suffix: _Ignored = ""
    flat: _Ignored = ""
    housename: _Ignored = ""
    housenumber: _Ignored = ""
    street: _Ignored = ""
    district: _Ignored = ""
    county: _Ignored = ""
    directorsflag: Annotated[bool, meaning("Search directors. Default: true.")] = True
    secretariesflag: Annotated[bool, meaning("Search secretaries. Default: false.")] = False


_NUMBER = Parameter("director_number", "path", "Letters may be small or capital.", examples.DIRECTOR_NUMBER)


async def director_search(
    service: Service, request: Annotated[RequestContext, DirectorSearch], _bearer: Bearer
) -> Annotated[
    Answer, Content(JSON, (DirectorTargeterResponse,), {"The specimen": examples.DIRECTOR_SEARCH}), SEARCH_MALFORMED
]:
    """Director search.

    Finds the number of a director by surname, best matches first and at most 50. It searches the loaded officers, and for
    a very common surname only the first 1,000 companies. A response contains neither addresses nor dates of birth. In the
    sandbox `John` and `Smith` find the specimen.

    Raises Refused with 422 for missing or malformed parameters, 401 for a full queue.
    """
    found = await service.searches.find_directors(director_query(request.parameters))
    return Answer(200, JSON, found, (PRIVATE, *ignored_parameters(service, request, DirectorSearch)))


async def director_details(
    service: Service, request: Annotated[RequestContext, _NUMBER], _bearer: Bearer
) -> Annotated[Answer, Content(JSON, (DirectorData,), {"The specimen": examples.DIRECTOR}), DIRECTOR_UNKNOWN]:
    """One director.

    The present and former offices of a director, including dissolved companies, newest first and at most 200. The number
    is in reports and search results.

    Raises Refused with 404 for an unknown number.
    """
    found = service.find_director(request.segment.strip(), london_day(request.now))
    if found is None:
        raise Refused(DIRECTOR_UNKNOWN, "director.unknown")
    return Answer(200, JSON, found, (PRIVATE,))
