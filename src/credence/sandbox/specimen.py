"""The specimen: the company 99999999, found by the name TEST, has one fixed, complete, fictitious report (D24).

It has every member of the report schema, including those that no open source fills, so that clients can be tested with
them. Only the sandbox serves it (`credit_api`).
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
from credence.report.search.companies import answer, fits_place
from credence.sandbox.invented.companies import SPECIMEN_GROUP

NUMBER = "99999999"
SEARCH_NAME = "TEST"


_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@functools.cache
def report() -> Document:
    """Return the specimen report as JSON, the same for v1 and v2."""
    file = resources.files("credence.sandbox") / "data" / "specimen-report.json"
    return document(msgspec.json.format(file.read_bytes(), indent=-1))


@functools.cache
def report_xml() -> Document:
    """Return the specimen report as XML."""
    members = _with_dates(msgspec.json.decode(report().body))
    return document(xml.document(members, members["Assessment"]["ReportDate"]))


@functools.cache
def report_read() -> LtdCompanyData:
    """Return the specimen report as `LtdCompanyData`, without the members that this type does not have."""
    return msgspec.json.decode(report().body, type=LtdCompanyData)


def _with_dates(value: Any) -> Any:
    """Return decoded JSON with every text in date form as a date; the specimen uses that form for dates only."""
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
    """Return the fixed result of a search for the name TEST, narrowed by the other parameters; None for any other name.

    Any other search finds the specimen as it finds every company.
    """
    if query.number or query.name.upper() != SEARCH_NAME:
        return None
    entry = SPECIMEN_GROUP[NUMBER].register
    wanted = query.corporates and entry is not None and fits_place(entry.value, query)
    return answer(query, (_result(),) if wanted else ())


class _Identification(msgspec.Struct):
    RegisteredOffice: LtdBusinessLocation
    SICInformation1992: list[SICInfo92]


class _Specimen(msgspec.Struct):
    """The members of the report that a search result repeats."""

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
