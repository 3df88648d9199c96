"""The specimen: company 99999999 and the search name TEST answer one fixed, complete, fictitious report (D24).

It shows every part of the report schema, also those no open source fills, so that clients can be tried against them.
Only the sandbox offers it; that is the caller's decision.
"""

import datetime as dt
import functools
import re
from importlib import resources
from typing import Any

import msgspec

from credence.datasets.search.query import CompanyQuery
from credence.report.cache import Document, document
from credence.report.schema import xml
from credence.report.schema.identification import LtdBusinessLocation, SICInfo92
from credence.report.schema.report import LtdCompanyData
from credence.report.schema.search import BusinessTargeterResponse, SearchResult, SICInfo
from credence.report.search.companies import answer

NUMBER = "99999999"
SEARCH_NAME = "TEST"


_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@functools.cache
def report() -> Document:
    """Return the specimen report as JSON. It is the same for v1 and v2."""
    file = resources.files("credence.sandbox") / "data" / "specimen-report.json"
    return document(msgspec.json.format(file.read_bytes(), indent=-1))


@functools.cache
def report_xml() -> Document:
    """Return the specimen report as XML."""
    members = _with_dates(msgspec.json.decode(report().body))
    return document(xml.document(members, members["Assessment"]["ReportDate"]))


@functools.cache
def report_read() -> LtdCompanyData:
    """Return the specimen as the values of a report, as far as these have places for its members."""
    return msgspec.json.decode(report().body, type=LtdCompanyData)


def _with_dates(value: Any) -> Any:
    """Return decoded JSON with dates in place of the texts that are dates; the specimen has no other such text."""
    match value:
        case dict():
            return {name: _with_dates(each) for name, each in value.items()}
        case list():
            return [_with_dates(each) for each in value]
        case str() if _DATE.fullmatch(value):
            return dt.date.fromisoformat(value)
        case _:
            return value


def search(query: CompanyQuery) -> BusinessTargeterResponse | None:
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
    specimen = msgspec.json.decode(report().body, type=_Specimen)
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
