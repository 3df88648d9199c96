"""The answer of the company search (report schema, field tables, BusinessTargeterResponse)."""

from typing import Annotated

import msgspec

from credence.meanings import meaning
from credence.report.schema.codes import BUSINESS_STATUS, CODE_TYPE, INSOLVENCY, LEGAL_ENTITY, NAME_TYPE, RESERVATIONS
from credence.report.schema.identification import LtdBusinessLocation


class SICInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """An activity. `CodeType` B means SIC 1992 in the schema; it contains SIC 2007, as in the report."""

    CodeType: Annotated[
        str, meaning("Edition of the code; the slot for SIC 1992 has the codes of SIC 2007.", values=CODE_TYPE)
    ]
    SICCode: Annotated[str, meaning("Code of SIC 2007.")]
    Description: Annotated[str, meaning("The activity in words.")]


class SearchAssessment(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the report of a company says about risk, in short (our addition, as `Assessment` of the report is)."""

    Insolvency: Annotated[
        str, meaning("Whether the company is insolvent, as in the report's assessment.", values=INSOLVENCY)
    ]
    Event: Annotated[
        str | None, meaning("The same in words with its day.", example="winding-up petition of 10 April 2026")
    ] = None
    Score: Annotated[
        int | None, meaning("The score; absent for a company that is not scored.", unit="points", example=72)
    ] = None
    Band: Annotated[str | None, meaning("The band of the score, A to E.", example="B")] = None
    Reservations: Annotated[
        tuple[Annotated[str, meaning("A reason for caution.", values=RESERVATIONS)], ...],
        meaning("Codes of the reasons for caution, the gravest first.", example=["PROCEEDINGS"]),
    ] = ()


class SearchResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """One company. `CommercialName` is its present name, `Name` the name that matched."""

    LegalEntity: Annotated[str, meaning("Kind of business; the register has limited ones only.", values=LEGAL_ENTITY)]
    BusinessRef: Annotated[str, meaning("Company number, with which the report is requested.")]
    CommercialName: Annotated[str, meaning("Present name.")]
    BusinessStatus: Annotated[
        str,
        meaning(
            "Whether the company is active; a space for insolvent companies and unknown status.", values=BUSINESS_STATUS
        ),
    ]
    Name: Annotated[str, meaning("The name that matched.")]
    NameType: Annotated[str, meaning("Which name that is.", values=NAME_TYPE)]
    BusinessLocation: Annotated[LtdBusinessLocation | None, meaning("The registered office.")] = None
    SICInformation: Annotated[SICInfo | None, meaning("The first activity.")] = None
    Assessment: Annotated[
        SearchAssessment | None,
        meaning("What the report says about risk, in short; only with `assessment=true`, and if it can be read."),
    ] = None


class Summary(msgspec.Struct, frozen=True, omit_defaults=True):
    """The search criteria, and the number of results."""

    NumberMatches: Annotated[int, meaning("Number of results, at most 50.", unit="results")]
    BusinessRef: Annotated[str | None, meaning("The company number of the search.", example="99999999")] = None
    BusinessName: Annotated[str | None, meaning("The name of the search.")] = None
    PhoneNumber: Annotated[
        str | None, meaning("The telephone number of the search, which matches nothing.", example="020 7946 0000")
    ] = None
    PostTown: Annotated[str | None, meaning("The town of the search.", example="London")] = None
    Postcode: Annotated[str | None, meaning("The postcode of the search.", example="SW1A 1AA")] = None


class BusinessTargeterResponse(msgspec.Struct, frozen=True, omit_defaults=True):
    """The results, best first; an empty list when nothing was found."""

    SearchSummary: Annotated[Summary, meaning("The search, and how many results it has.")]
    SearchResults: Annotated[
        tuple[SearchResult, ...], meaning("The results, best first; empty when nothing was found.")
    ]
