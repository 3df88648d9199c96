"""GET /risk/business/v1/registeredcompanycredit/<company_number>, v2, and ?RegNumber= (spec §1.5, §4.5, D19, D21)."""

from collections.abc import Hashable
from functools import partial
from typing import Annotated

from msgspec import Meta, Struct

from credence.api.credit.ignored_parameters import ignored_parameters
from credence.companies.number import SCHEMA, normalise
from credence.meanings import meaning
from credence.oauth.bearer import Bearer
from credence.oauth.report_rights import use_rights
from credence.refusals.credit import COMPANY_NUMBER_MALFORMED, COMPANY_NUMBER_MISSING, COMPANY_UNKNOWN, REPORT_PARAMETER
from credence.refusals.refusal import Refused, because
from credence.report.cache import Document
from credence.report.page_cache import PageForm
from credence.report.parts import MEMBERS, json_part, sections_of, xml_part
from credence.report.render.html import STYLE
from credence.report.schema.report import LtdCompanyData
from credence.request_context import RequestContext
from credence.sandbox import examples
from credence.service import Service
from credence.web.messages.answer import HTML, JSON, PDF, XML, Answer, Headers
from credence.web.messages.caching import VARY, is_held
from credence.web.messages.request import named_types, preferred
from credence.web.messages.security_headers import NO_REFERRER, page_headers
from credence.web.routing.operation import Content

MAX_AGE_SECONDS = 60
"""Seconds for which a report may be cached: a correction takes effect within a minute."""

_CACHE_CONTROL = ("cache-control", f"private, max-age={MAX_AGE_SECONDS}")

_PAGE, _XHTML = "text/html", "application/xhtml+xml"
_ESSENCE = {_PAGE: HTML}
FOR_PROGRAMS = (JSON, XML)
"""The media types that any Accept may select; the first is the default."""

_TWO_NUMBERS = because(REPORT_PARAMETER, "The path and the parameter 'RegNumber' name different companies.")

_PAGE_HEADERS = page_headers(STYLE.policy)


_Number = Annotated[
    str,
    Meta(extra_json_schema=SCHEMA),
    meaning("The company number; without regard to leading zeros and case.", example=examples.COMPANY_NUMBER),
]


class ReportParts(Struct, kw_only=True):
    """The parameter that every report has."""

    sections: Annotated[
        list[Annotated[str, Meta(extra_json_schema={"enum": list(MEMBERS)})]],
        meaning(
            "A part of the report in JSON or XML: members, separated by commas, such as `CommercialDelphi,Assessment`. The "
            "company number is always sent, a member without a source never. "
            f"Members: {', '.join(MEMBERS)}."
        ),
    ] = []


class ReportByPath(ReportParts, kw_only=True):
    """The parameters of a report."""

    company_number: _Number


class ReportByQuery(ReportParts, kw_only=True):
    """The parameters of a report whose number is in the query."""

    RegNumber: _Number


_Report = Annotated[
    Answer,
    Content(JSON, (LtdCompanyData,), {"The specimen, in part": examples.REPORT}),
    Content(XML, (LtdCompanyData,), {"The specimen, its beginning": examples.REPORT_XML}),
    Content(HTML),
    Content(PDF),
    COMPANY_NUMBER_MISSING,
    COMPANY_UNKNOWN,
    COMPANY_NUMBER_MALFORMED,
    REPORT_PARAMETER,
]


async def company_report(service: Service, request: Annotated[RequestContext, ReportByPath], bearer: Bearer) -> _Report:
    """Report on a registered company.

    The public record of one company. A member without an open source is absent, and `Assessment.NotHeld` gives the
    members and the reasons. `CommercialDelphi` is the score as text, `Assessment.Score` all its points;
    `Assessment.NotScored` gives the reason for a company without a score. v1 and v2 have the same responses. In the
    sandbox company `99999999` is a complete, fictitious specimen with more members than these, and `99999901` to `99999942`
    are invented companies: one of each band, one dissolved, insolvent, with judgments, with a group, in a group, dormant,
    then customers of its book. Only they have `CCJs` and `PaymentPerformance`, which are invented too. In XML the root
    `LtdCompanyData` has the attribute `GeneratedOn`, a date has the children `CCYY`, `MM` and `DD`, and the elements of a
    list are siblings. `Accept: text/html` returns the same report as a page, `application/pdf` as a printable document; a
    list that names more types gets JSON or XML, unless it names `application/xhtml+xml` too, as a browser does.

    Raises Refused with 422 for a misspelt parameter, 400 without a number, 422 for a malformed number or two different
    ones, 404 for an unknown company. In the sandbox a header field counts unknown parameters that were ignored, such as
    those that bypass caches.
    """
    sections = sections_of(request.parameters)  # first: a misspelt RegNumber is named, not reported as missing
    number = _number(request)
    wanted = _preferred_type(request, FOR_PROGRAMS if sections else ())
    if bearer.rights is not None:
        await use_rights(service.authority, bearer, (number,), request.now)
    found = (
        service.reports.find(number, request.now)
        if wanted == JSON
        else await _find_in_other_form(service, number, wanted, request.now)
    )
    if found is None:
        raise Refused(COMPANY_UNKNOWN, "company.unknown")
    if sections:
        found = (xml_part if wanted == XML else json_part)(found, sections)
    media_type = _ESSENCE.get(wanted, wanted)
    ignored = ignored_parameters(service, request, ReportByQuery)
    headers = (("etag", found.tag), _CACHE_CONTROL, VARY, *_further_headers(wanted, number), *ignored)
    service.unsaved_reads.note(bearer.application.client_id, number)
    if is_held(request, found.tag):
        return Answer(304, media_type, b"", headers)
    return Answer(200, media_type, found.body, headers)


async def company_report_by_query(
    service: Service, request: Annotated[RequestContext, ReportByQuery], bearer: Bearer
) -> _Report:
    """Report, with the number as a parameter.

    The same report for clients that send the number in the query.
    """
    return await company_report(service, request, bearer)


def _number(request: RequestContext) -> str:
    """Return the company number of the path or of the parameter.

    Raises Refused if it is missing, or if the two are different companies.
    """
    in_path, in_query = request.segment, request.parameters.get("RegNumber", "")
    if in_path.strip():
        number = normalise(in_path)
        if in_query.strip() and normalise(in_query) != number:
            raise Refused(_TWO_NUMBERS, "company_number.two")
        return number
    if not in_query.strip():
        raise Refused(COMPANY_NUMBER_MISSING, "company_number.missing")
    return normalise(in_query)


def _preferred_type(request: RequestContext, offered: tuple[str, ...]) -> str:
    """Return the media type that Accept prefers; Content-Type has no meaning for a GET (report schema §1).

    The type is one of `offered`; if that is empty, any type of a report that this Accept may select.
    """
    accept = request.headers.get("accept", "*/*")
    return JSON if accept in {"*/*", JSON} else preferred(accept, offered or (*FOR_PROGRAMS, *_for_people(accept)))


def _for_people(accept: str) -> tuple[str, ...]:
    """Return HTML or PDF if a browser or a person wrote this Accept, otherwise nothing.

    Libraries name text/html by default (Java sends "text/html, image/gif, image/jpeg, */*; q=.2") and read JSON. A
    browser also names XHTML (WHATWG Fetch, requests for documents), and a person names only one type.
    """
    named = named_types(accept)
    if named >= {_PAGE, _XHTML} or named == {_PAGE}:
        return (_PAGE,)
    return (PDF,) if named == {PDF} else ()


def _further_headers(wanted: str, number: str) -> Headers:
    if wanted == PDF:
        return (("content-disposition", f'inline; filename="report-{number}.pdf"'), NO_REFERRER)
    return _PAGE_HEADERS if wanted == _PAGE else ()


async def _find_in_other_form(service: Service, number: str, wanted: str, now: int) -> Document | None:
    if wanted == XML:
        return service.reports.find_xml(number, now)
    form: PageForm = "pdf" if wanted == PDF else "html"
    version: Hashable = service.reports.version(now)
    return await service.pages.find(number, version, form, partial(service.reports.report, number, now))
