"""Documentation of the director searches. The examples show the fictitious specimen."""

from credence.api.reference.operations.credit import TAG
from credence.datasets.search.query import POSTCODE
from credence.refusals.credit import DIRECTOR_UNKNOWN, SEARCH_MALFORMED
from credence.report.schema.directors import DirectorData, DirectorTargeterResponse
from credence.report.search.director_query import DATE
from credence.sandbox import examples
from credence.web.messages.answer import JSON
from credence.web.routing.operation import Content, Operation, Parameter

_FLAG = {"type": "boolean"}
_NOT_STORED = "Repeated in the response; addresses of people are not stored, so it does not restrict the search."
_IGNORED = "Accepted; it does not restrict the search."

DIRECTOR_SEARCH = Operation(
    id="director_search",
    tag=TAG,
    summary="Director search",
    description=(
        "Finds the number of a director by surname, best matches first and at most 50. It searches the loaded officers, "
        "and for a very common surname only the first 1,000 companies. A response contains neither addresses nor dates "
        "of birth. In the sandbox `John` and `Smith` find the specimen."
    ),
    parameters=(
        Parameter("surname", "query", "The whole surname, or the name of a body.", examples.SURNAME, required=True),
        Parameter("forename", "query", "The first forename or its beginning.", examples.FORENAME),
        Parameter("middlenames", "query", "Further forenames or their beginnings.", examples.MIDDLE),
        Parameter("dateofbirth", "query", "As yyyy-mm or yyyy-mm-dd; year and month are compared.", schema=DATE.schema),
        Parameter("town", "query", _NOT_STORED),
        Parameter("postcode", "query", _NOT_STORED, schema=POSTCODE.schema),
        *(
            Parameter(name, "query", _IGNORED)
            for name in ("title", "suffix", "flat", "housename", "housenumber", "street", "district", "county")
        ),
        Parameter("directorsflag", "query", "Search directors. Default: true.", schema=_FLAG),
        Parameter("secretariesflag", "query", "Search secretaries. Default: false.", schema=_FLAG),
    ),
    answers=(Content(JSON, (DirectorTargeterResponse,), {"The specimen": examples.DIRECTOR_SEARCH}),),
    refusals=(SEARCH_MALFORMED,),
)

DIRECTOR_DETAILS = Operation(
    id="director_details",
    tag=TAG,
    summary="One director",
    description=(
        "The present and former offices of a director, including dissolved companies, newest first and at most 200. The "
        "number is in reports and search results."
    ),
    parameters=(Parameter("director_number", "path", "Letters may be small or capital.", examples.DIRECTOR_NUMBER),),
    answers=(Content(JSON, (DirectorData,), {"The specimen": examples.DIRECTOR}),),
    refusals=(DIRECTOR_UNKNOWN,),
)
