"""Documentation of the director searches. The examples are the fictitious specimen."""

from credence.refusals import DIRECTOR_UNKNOWN, SEARCH_MALFORMED
from credence.report.schema.directors import DirectorData, DirectorTargeterResponse
from credence.sandbox import examples
from credence.web.messages.answer import JSON
from credence.web.reference.operations.credit import TAG
from credence.web.routing.operation import Content, Operation, Parameter

_FLAG = {"type": "boolean"}
_NOT_HELD = "Read and repeated in the answer; addresses of people are not held, so it narrows nothing."
_IGNORED = "Read; it narrows nothing."

DIRECTOR_SEARCH = Operation(
    id="director_search",
    tag=TAG,
    summary="Director search",
    description=(
        "Finds the number of a director by surname, best matches first and at most 50. Answers come from the officers "
        "that are loaded; without any the search finds nothing, and of a very common surname it looks through the first "
        "1,000 companies. Neither addresses nor dates of birth are ever told. In "
        "the sandbox `John William Smith` finds the specimen."
    ),
    parameters=(
        Parameter("surname", "query", "The whole surname, or the name of a body. Needed.", examples.SURNAME),
        Parameter("forename", "query", "The first forename or its beginning.", examples.FORENAME),
        Parameter("middlenames", "query", "Further forenames or their beginnings.", examples.MIDDLE),
        Parameter("dateofbirth", "query", "As yyyy-mm or yyyy-mm-dd; year and month are compared."),
        Parameter("town", "query", _NOT_HELD),
        Parameter("postcode", "query", _NOT_HELD),
        *(
            Parameter(name, "query", _IGNORED)
            for name in ("title", "suffix", "flat", "housename", "housenumber", "street", "district", "county")
        ),
        Parameter("directorsflag", "query", "Look among directors. Default: true.", schema=_FLAG),
        Parameter("secretariesflag", "query", "Look among secretaries. Default: false.", schema=_FLAG),
    ),
    answers=(Content(JSON, (DirectorTargeterResponse,), {"The specimen": examples.DIRECTOR_SEARCH}),),
    refusals=(SEARCH_MALFORMED,),
)

DIRECTOR_DETAILS = Operation(
    id="director_details",
    tag=TAG,
    summary="One director",
    description=(
        "Where a director holds or held office, also in dissolved companies, newest first and at most 200. The number "
        "comes from a report or a search."
    ),
    parameters=(Parameter("director_number", "path", "Letters may be small or capital.", examples.DIRECTOR_NUMBER),),
    answers=(Content(JSON, (DirectorData,), {"The specimen": examples.DIRECTOR}),),
    refusals=(DIRECTOR_UNKNOWN,),
)
