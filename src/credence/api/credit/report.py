"""GET /risk/business/v1/registeredcompanycredit/<company_number>, v2, and ?RegNumber= (spec §1.5, §4.5, D19, D21)."""

from collections.abc import Hashable
from functools import partial

from credence.api.credit.ignored_parameters import ignored_parameters
from credence.companies.number import normalise
from credence.oauth.bearer import Bearer
from credence.refusals.credit import COMPANY_NUMBER_MISSING, COMPANY_UNKNOWN, REPORT_PARAMETER
from credence.refusals.refusal import Refused, because
from credence.report.document import Document
from credence.report.page_cache import PageForm
from credence.report.parts import PARAMETERS, json_part, sections_of, xml_part
from credence.report.render.html import STYLE
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.dialects.media import named_types, preferred
from credence.web.messages.answer import HTML, JSON, PDF, XML, Answer, Headers
from credence.web.messages.caching import VARY, is_held
from credence.web.messages.security_headers import NO_REFERRER, page_headers

MAX_AGE_SECONDS = 60
"""Seconds for which a report may be cached: a correction takes effect within a minute."""

_CACHE_CONTROL = ("cache-control", f"private, max-age={MAX_AGE_SECONDS}")

_PAGE, _XHTML = "text/html", "application/xhtml+xml"
_ESSENCE = {_PAGE: HTML}
FOR_PROGRAMS = (JSON, XML)
"""The media types that any Accept may select; the first is the default."""

_TWO_NUMBERS = because(REPORT_PARAMETER, "The path and the parameter 'RegNumber' name different companies.")

_PAGE_HEADERS = page_headers(STYLE.policy)


async def company_report(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Return the report, or only the sections that `sections` names, in JSON or XML.

    Raises Refused with 422 for a misspelt parameter, 400 without a number, 422 for a malformed number or two different
    ones, 404 for an unknown company. In the sandbox a header field counts unknown parameters that were ignored, such as
    those that bypass caches.
    """
    sections = sections_of(request.parameters)  # first: a misspelt RegNumber is named, not reported as missing
    number = _number(request)
    wanted = _preferred_type(request, FOR_PROGRAMS if sections else ())
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
    ignored = ignored_parameters(service, request, PARAMETERS)
    headers = (("etag", found.tag), _CACHE_CONTROL, VARY, *_further_headers(wanted, number), *ignored)
    service.unsaved_reads.note(bearer.application.client_id, number)
    if is_held(request, found.tag):
        return Answer(304, media_type, b"", headers)
    return Answer(200, media_type, found.body, headers)


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
