"""The answer of the company search (report schema, field tables, BusinessTargeterResponse)."""

import msgspec

from credence.report.schema.identification import LtdBusinessLocation


class SICInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """An activity. `CodeType` B means SIC 1992 in the schema; it contains SIC 2007, as in the report."""

    CodeType: str
    SICCode: str
    Description: str


class SearchResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """One company. `CommercialName` is its present name, `Name` the name that matched."""

    LegalEntity: str
    BusinessRef: str
    CommercialName: str
    BusinessStatus: str
    Name: str
    NameType: str
    BusinessLocation: LtdBusinessLocation | None = None
    SICInformation: SICInfo | None = None


class Summary(msgspec.Struct, frozen=True, omit_defaults=True):
    """The search criteria, and the number of results."""

    NumberMatches: int
    BusinessRef: str | None = None
    BusinessName: str | None = None
    PhoneNumber: str | None = None
    PostTown: str | None = None
    Postcode: str | None = None


class BusinessTargeterResponse(msgspec.Struct, frozen=True, omit_defaults=True):
    """The results, best first; an empty list when nothing was found."""

    SearchSummary: Summary
    SearchResults: tuple[SearchResult, ...]
