"""Documentation of the credit-risk API. The examples show the fictitious specimen."""

from credence.companies.number import SCHEMA
from credence.datasets.search.query import PHONE, POSTCODE
from credence.refusals.credit import (
    COMPANY_NUMBER_MALFORMED,
    COMPANY_NUMBER_MISSING,
    COMPANY_UNKNOWN,
    REPORT_PARAMETER,
    SEARCH_MALFORMED,
)
from credence.report.parts import MEMBERS
from credence.report.schema.report import LtdCompanyData
from credence.report.schema.search import BusinessTargeterResponse
from credence.sandbox import examples
from credence.web.messages.answer import HTML, JSON, PDF, XML
from credence.web.routing.operation import Content, Operation, Parameter

TAG = "Credit risk"
FLAG = {"type": "boolean"}
_NUMBER = "The company number; without regard to leading zeros and case."
_REPORT_DESCRIPTION = (
    "The public record of one company. A member without an open source is absent, and `Assessment.NotHeld` gives the "
    "members and the reasons. `CommercialDelphi` is the score as text, `Assessment.Score` all its points; "
    "`Assessment.NotScored` gives the reason for a company without a score. v1 and v2 have the same responses. In the"
    " sandbox company `99999999` is a complete, fictitious specimen with more members than these, and `99999901` to "
    "`99999911` are invented companies: one of each band, then one dissolved, insolvent, with judgments, with a "
    "group, in a group, and dormant. Only they have `CCJs` and `PaymentPerformance`, which are invented too. In XML "
    "the root `LtdCompanyData` has the attribute `GeneratedOn`, a date has the children `CCYY`, `MM` and `DD`, and "
    "the elements of a list are siblings. `Accept: text/html` returns the same report as a page, `application/pdf` as"
    " a printable document; a list that names more types gets JSON or XML, unless it names `application/xhtml+xml` too, "
    "as a browser does."
)
_SECTIONS = Parameter(
    "sections",
    "query",
    "A part of the report in JSON or XML: members, separated by commas, such as `CommercialDelphi,Assessment`. The company "
    f"number is always sent, a member without a source never. Members: {', '.join(MEMBERS)}.",
    schema={"type": "array", "items": {"type": "string", "enum": list(MEMBERS)}},
)
_REPORT_REFUSALS = (COMPANY_NUMBER_MISSING, COMPANY_UNKNOWN, COMPANY_NUMBER_MALFORMED, REPORT_PARAMETER)
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
    parameters=(Parameter("company_number", "path", _NUMBER, examples.COMPANY_NUMBER, SCHEMA), _SECTIONS),
    answers=_REPORT_ANSWERS,
    # Without a segment the path still ends in a slash, and the number may be in the query.
    refusals=_REPORT_REFUSALS,
    cacheable=True,
)

COMPANY_REPORT_BY_QUERY = Operation(
    id="company_report_by_query",
    tag=TAG,
    summary="Report, with the number as a parameter",
    description="The same report for clients that send the number in the query.",
    parameters=(
        Parameter("RegNumber", "query", _NUMBER, examples.COMPANY_NUMBER, SCHEMA, required=True),
        _SECTIONS,
    ),
    answers=_REPORT_ANSWERS,
    refusals=_REPORT_REFUSALS,
    cacheable=True,
)

COMPANY_SEARCH = Operation(
    id="company_search",
    tag=TAG,
    summary="Company search",
    description=(
        "Finds the number of a company, best matches first and at most 50. At least one of `name`, `postcode`, `town`, "
        "`phonenumber` and `businessref` is required. The register has no telephone numbers, so a search by that alone "
        "finds nothing. In the sandbox the name `TEST` finds the specimen alone; the invented companies are found as "
        "all others are."
    ),
    parameters=(
        Parameter("name", "query", "Words of the present or a former name.", examples.COMPANY_NAME),
        Parameter("postcode", "query", "The whole postcode or its first part.", "SW1A 1AA", POSTCODE.schema),
        Parameter("town", "query", "Town of the registered office.", "London"),
        Parameter(
            "phonenumber", "query", "Repeated in the response; it matches nothing.", "020 7946 0000", PHONE.schema
        ),
        Parameter(
            "businessref", "query", "A company number, which finds exactly that company.", examples.COMPANY_NUMBER
        ),
        Parameter("searchcorporates", "query", "Search registered companies. Default: true.", schema=FLAG),
        Parameter(
            "searchnoncorps",
            "query",
            "Search other businesses; the register has none. Default: false.",
            schema=FLAG,
        ),
        Parameter("excludedissolved", "query", "Exclude dissolved companies. Default: true.", schema=FLAG),
    ),
    answers=(Content(JSON, (BusinessTargeterResponse,), {"The specimen": examples.COMPANY_SEARCH}),),
    refusals=(SEARCH_MALFORMED,),
)
