"""GET /risk/business/v1/businesstargeter and v2: search for companies by name, postcode or town (D23)."""

from typing import Annotated

import msgspec

from credence.api.credit.ignored_parameters import ignored_parameters
from credence.datasets.search.query import PHONE, POSTCODE, company_query, flag
from credence.meanings import meaning
from credence.oauth.bearer import Bearer
from credence.refusals.credentials import INSUFFICIENT_SCOPE
from credence.refusals.credit import SEARCH_MALFORMED
from credence.refusals.refusal import Refused
from credence.report.outline import in_search
from credence.report.schema.search import BusinessTargeterResponse
from credence.report.search.companies import encode
from credence.request_context import RequestContext
from credence.sandbox import examples
from credence.service import Service
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import PRIVATE
from credence.web.routing.operation import Content


class CompanySearch(msgspec.Struct):
    """The parameters of a company search; `company_query` reads them."""

    name: Annotated[str, meaning("Words of the present or a former name.", example=examples.COMPANY_NAME)] = ""
    postcode: Annotated[str, POSTCODE.shape, meaning("The whole postcode or its first part.", example="SW1A 1AA")] = ""
    town: Annotated[str, meaning("Town of the registered office.", example="London")] = ""
    phonenumber: Annotated[
        str, PHONE.shape, meaning("Repeated in the response; it matches nothing.", example="020 7946 0000")
    ] = ""
    businessref: Annotated[
        str, meaning("A company number, which finds exactly that company.", example=examples.COMPANY_NUMBER)
    ] = ""
    searchcorporates: Annotated[bool, meaning("Search registered companies. Default: true.")] = True
    searchnoncorps: Annotated[bool, meaning("Search other businesses; the register has none. Default: false.")] = False
    excludedissolved: Annotated[bool, meaning("Exclude dissolved companies. Default: true.")] = True
    assessment: Annotated[
        bool, meaning("Say of each result in short what its report says about risk. Default: false.")
    ] = False


async def company_search(
    service: Service, request: Annotated[RequestContext, CompanySearch], bearer: Bearer
) -> Annotated[
    Answer, Content(JSON, (BusinessTargeterResponse,), {"The specimen": examples.COMPANY_SEARCH}), SEARCH_MALFORMED
]:
    """Company search.

    Finds the number of a company, best matches first and at most 50. At least one of `name`, `postcode`, `town`,
    `phonenumber` and `businessref` is required. The register has no telephone numbers, so a search by that alone finds
    nothing. With `assessment=true` each result has `Assessment`: insolvency, band and reservations of its report. In the
    sandbox the name `TEST` finds the specimen alone; the invented companies are found as all others are.

    Raises Refused with 422 for missing or malformed parameters, 403 for `assessment` with a token for some companies
    only, 401 for a full queue.
    """
    assessment = flag(request.parameters, "assessment", default=False)
    if assessment and bearer.rights is not None:  # it says of every result what its report says
        raise Refused(INSUFFICIENT_SCOPE, "rights.route")
    found = await service.searches.find(company_query(request.parameters))
    if assessment:
        found = await _assessed(service, request, found)
    return Answer(200, JSON, found, (PRIVATE, *ignored_parameters(service, request, CompanySearch)))


async def _assessed(service: Service, request: RequestContext, found: bytes) -> bytes:
    """Return an answer whose results say what their reports say about risk, those that can be read."""
    answer = msgspec.json.decode(found, type=BusinessTargeterResponse)
    seen = await service.batches.outlines([each.BusinessRef for each in answer.SearchResults], request.now)
    results = tuple(
        msgspec.structs.replace(each, Assessment=in_search(seen[each.BusinessRef]))
        if each.BusinessRef in seen
        else each
        for each in answer.SearchResults
    )
    return encode(msgspec.structs.replace(answer, SearchResults=results))
