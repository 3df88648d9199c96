"""Documentation of the credit-risk API. The examples are the fictitious specimen."""

from credence.refusals import COMPANY_NUMBER_MALFORMED, COMPANY_NUMBER_MISSING, COMPANY_UNKNOWN, SEARCH_MALFORMED
from credence.report.schema.report import LtdCompanyData
from credence.report.schema.search import BusinessTargeterResponse
from credence.sandbox import examples
from credence.web.messages.answer import HTML, JSON, PDF, XML
from credence.web.routing.operation import Content, Operation, Parameter

TAG = "Credit risk"
_FLAG = {"type": "boolean"}
_NUMBER = "The company number; leading zeros may be left out and letters may be small."
_REPORT_DESCRIPTION = (
    "What the public register says of one company. A member without an open source is left out, never invented, and "
    "`Assessment.NotHeld` says which and why. `CommercialDelphi` is the score as text, `Assessment.Score` all its points; a "
    "company that cannot be scored says why under `Assessment.NotScored`. v1 and v2 answer alike. In the sandbox company "
    "`99999999` answers a complete, fictitious specimen with more members than these, and `99999901` to `99999906` are "
    "invented companies of each band and one without a score. As XML the root `LtdCompanyData` carries "
    "`GeneratedOn`, a date has the children `CCYY`, `MM` and `DD`, and what repeats stands side by side. "
    "`Accept: text/html` gets the same report as a page for people, `application/pdf` the page on paper."
)
_REPORT_ANSWERS = (
    Content(JSON, (LtdCompanyData,), {"The specimen, in part": examples.REPORT}),
    Content(XML, (LtdCompanyData,), {"The specimen, its beginning": examples.REPORT_XML}),
    Content(HTML),
    Content(PDF),
)

COMPANY_REPORT = Operation(
    id="company_report",
    tag=TAG,
    summary="Report on a registered company",
    description=_REPORT_DESCRIPTION,
    parameters=(Parameter("company_number", "path", _NUMBER, examples.COMPANY_NUMBER),),
    answers=_REPORT_ANSWERS,
    # Without a segment the path still ends in a slash, and the number may stand in the query.
    refusals=(COMPANY_NUMBER_MISSING, COMPANY_UNKNOWN, COMPANY_NUMBER_MALFORMED),
    cacheable=True,
)

COMPANY_REPORT_BY_QUERY = Operation(
    id="company_report_by_query",
    tag=TAG,
    summary="Report, with the number as a parameter",
    description="The same report for clients that send the number in the query.",
    parameters=(Parameter("RegNumber", "query", _NUMBER, examples.COMPANY_NUMBER),),
    answers=_REPORT_ANSWERS,
    refusals=(COMPANY_NUMBER_MISSING, COMPANY_UNKNOWN, COMPANY_NUMBER_MALFORMED),
    cacheable=True,
)

COMPANY_SEARCH = Operation(
    id="company_search",
    tag=TAG,
    summary="Company search",
    description=(
        "Finds the number of a company, best matches first and at most 50. At least one of `name`, `postcode`, `town`, "
        "`phonenumber` and `businessref` is needed. The register holds no telephone numbers, so a search by that alone "
        "finds nothing. In the sandbox the name `TEST` finds the specimen."
    ),
    parameters=(
        Parameter("name", "query", "Words of the present or a former name.", examples.COMPANY_NAME),
        Parameter("postcode", "query", "The whole postcode or its first part.", "SW1A 1AA"),
        Parameter("town", "query", "Town of the registered office.", "London"),
        Parameter(
            "phonenumber", "query", "Read and repeated in the answer, but nothing can match it.", "020 7946 0000"
        ),
        Parameter(
            "businessref", "query", "A company number, which leaves nothing to search for.", examples.COMPANY_NUMBER
        ),
        Parameter("searchcorporates", "query", "Look among registered companies. Default: true.", schema=_FLAG),
        Parameter(
            "searchnoncorps", "query", "Look among others, of which none are held. Default: false.", schema=_FLAG
        ),
        Parameter("excludedissolved", "query", "Leave out dissolved companies. Default: true.", schema=_FLAG),
    ),
    answers=(Content(JSON, (BusinessTargeterResponse,), {"The specimen": examples.COMPANY_SEARCH}),),
    refusals=(SEARCH_MALFORMED,),
)
