"""GET /risk/business/v1/registeredcompanycredit/<company_number>, v2, and ?RegNumber= (spec §1.5, §4.5, D19, D21)."""

from credence.credit import specimen
from credence.credit.number import normalise
from credence.credit.reports import Document
from credence.http.answer import JSON, XML, Answer
from credence.http.dialects.media import Form, answer_form
from credence.http.public_documents import is_held
from credence.http.request import Request
from credence.oauth.bearer import Bearer
from credence.refusals import COMPANY_NUMBER_MISSING, COMPANY_UNKNOWN, INTERNAL, Refused
from credence.sandbox.scenarios import REHEARSED_FAILURE
from credence.service import Service
from credence.settings import Environment

PRIVATE = ("cache-control", "private, no-cache")
"""An answer is for the one who asked, and may change with the next load."""

MAX_AGE = 60
"""Seconds for which the one who asked may keep a report: a correction shows within a minute."""

_KEPT = ("cache-control", f"private, max-age={MAX_AGE}")
_VARIES = ("vary", "accept")


async def company_report(service: Service, request: Request, _bearer: Bearer) -> Answer:
    """Return the report; Refused 400 without a number, 422 for a malformed one, 404 for one that is not held."""
    asked = request.segment or request.parameters.get("RegNumber", "")
    if not asked.strip():
        raise Refused(COMPANY_NUMBER_MISSING, "company_number.missing")
    number, as_xml = normalise(asked), _wants_xml(request)
    found = _rehearsed(service, number, as_xml=as_xml) or _held(service, number, request.now, as_xml=as_xml)
    if found is None:
        raise Refused(COMPANY_UNKNOWN, "company.unknown")
    media_type, headers = XML if as_xml else JSON, (("etag", found.tag), _KEPT, _VARIES)
    if is_held(request, found.tag):
        return Answer(304, media_type, b"", headers)
    return Answer(200, media_type, found.body, headers)


def _wants_xml(request: Request) -> bool:
    """Say whether Accept prefers XML; what a GET says of a body it does not have means nothing (report schema §1)."""
    accept = request.headers.get("accept", "*/*")
    return accept not in {"*/*", JSON} and answer_form({"accept": accept}) is Form.XML


def _held(service: Service, number: str, now: int, *, as_xml: bool) -> Document | None:
    return service.reports.find_xml(number, now) if as_xml else service.reports.find(number, now)


def _rehearsed(service: Service, number: str, *, as_xml: bool) -> Document | None:
    """Return the specimen where it is offered, fail where failing is rehearsed: in the sandbox alone (D24)."""
    if service.settings.environment is not Environment.SANDBOX:
        return None
    if number == REHEARSED_FAILURE:
        raise Refused(INTERNAL, "sandbox.rehearsed_failure")
    if number != specimen.NUMBER:
        return None
    return specimen.report_xml() if as_xml else specimen.report()
