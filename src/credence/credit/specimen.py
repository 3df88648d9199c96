"""The specimen: company 99999999 and the search name TEST answer one fixed, complete, fictitious report (D24).

It shows every part of the report schema, also those no open source fills, so that clients can be tried against them.
Only the sandbox offers it; that is the caller's decision.
"""

import functools
from importlib import resources

import msgspec

from credence.credit.query import Query
from credence.credit.search import answer
from credence.credit.wire.models import LtdBusinessLocation, SICInfo92
from credence.credit.wire.search import BusinessTargeterResponse, SearchResult, SICInfo

NUMBER = "99999999"
SEARCH_NAME = "TEST"


@functools.cache
def report() -> bytes:
    """Return the specimen report as JSON. It is the same for v1 and v2."""
    file = resources.files("credence.credit") / "data" / "specimen-report.json"
    return msgspec.json.format(file.read_bytes(), indent=-1)


def search(query: Query) -> BusinessTargeterResponse | None:
    """Return the specimen's search answer; None when the query does not ask for the specimen."""
    asked = query.number == NUMBER or query.name.upper() == SEARCH_NAME
    return answer(query, (_result(),)) if asked else None


class _Identification(msgspec.Struct):
    RegisteredOffice: LtdBusinessLocation
    SICInformation1992: list[SICInfo92]


class _Specimen(msgspec.Struct):
    """What a search result takes from the report."""

    CommercialName: str
    Identification: _Identification


def _result() -> SearchResult:
    specimen = msgspec.json.decode(report(), type=_Specimen)
    activity = specimen.Identification.SICInformation1992[0]
    return SearchResult(
        LegalEntity="L",
        BusinessRef=NUMBER,
        CommercialName=specimen.CommercialName,
        BusinessLocation=specimen.Identification.RegisteredOffice,
        SICInformation=SICInfo("B", activity.Code, activity.Description),
        BusinessStatus="A",
        Name=specimen.CommercialName,
        NameType="RC",
    )
