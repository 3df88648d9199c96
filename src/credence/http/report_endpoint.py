"""GET /risk/business/v1/registeredcompanycredit/<company_number>, v2, and ?RegNumber= (spec §1.5, §4.5, D19, D21)."""

from credence.credit import specimen
from credence.credit.number import normalise
from credence.http.answer import JSON, Answer
from credence.http.request import Request
from credence.oauth.bearer import Bearer
from credence.refusals import COMPANY_NUMBER_MISSING, COMPANY_UNKNOWN, INTERNAL, Refused
from credence.sandbox.scenarios import REHEARSED_FAILURE
from credence.service import Service
from credence.settings import Environment

PRIVATE = ("cache-control", "private, no-cache")
"""A report is for the one who asked, and may change with the next load."""


async def company_report(service: Service, request: Request, _bearer: Bearer) -> Answer:
    """Return the report; Refused 400 without a number, 422 for a malformed one, 404 for one that is not held."""
    asked = request.segment or request.parameters.get("RegNumber", "")
    if not asked.strip():
        raise Refused(COMPANY_NUMBER_MISSING, "company_number.missing")
    number = normalise(asked)
    found = _rehearsed(service, number) or service.reports.find(number)
    if found is None:
        raise Refused(COMPANY_UNKNOWN, "company.unknown")
    return Answer(200, JSON, found, (PRIVATE,))


def _rehearsed(service: Service, number: str) -> bytes | None:
    """Return the specimen where it is offered, fail where failing is rehearsed: in the sandbox alone (D24)."""
    if service.settings.environment is not Environment.SANDBOX:
        return None
    if number == REHEARSED_FAILURE:
        raise Refused(INTERNAL, "sandbox.rehearsed_failure")
    return specimen.report() if number == specimen.NUMBER else None
