"""POST /risk/business/v2/decisions and /v2/batches: decisions by an installed policy, for one company or a list (D42)."""

from collections.abc import Mapping

from credence.clock import london_day
from credence.companies.list_columns import UnknownColumns
from credence.companies.number import normalise
from credence.errors import InvalidInput
from credence.oauth.bearer import Bearer
from credence.policy.batch import BatchForm, encode
from credence.policy.companies import Entry, read_asked, read_csv, read_json
from credence.policy.decision import decide
from credence.policy.policy import Policy
from credence.refusals.credit import BATCH_MALFORMED, COMPANY_UNKNOWN
from credence.refusals.refusal import Refused, because
from credence.refusals.requests import UNSUPPORTED_MEDIA_TYPE
from credence.request_context import RequestContext
from credence.screening.limits import KIB
from credence.service import Service
from credence.web.dialects.media import MediaType, body_media_type, preferred
from credence.web.messages.answer import CSV, JSON, NDJSON, Answer
from credence.web.messages.caching import NO_STORE, VARY

MAX_COMPANIES = 10_000
MAX_BATCH_OCTETS = 512 * KIB
"""The most bytes of a batch: MAX_COMPANIES companies, each with an amount, take about 500 kB."""

_FORMS: Mapping[str, BatchForm] = {NDJSON: "ndjson", "text/csv": "csv"}
_MEDIA_TYPES = {"ndjson": NDJSON, "csv": CSV}

_POLICY_MISSING = because(BATCH_MALFORMED, "The parameter 'policy' must be the name of an installed policy.")
_PARAMETER = because(BATCH_MALFORMED, "Decisions and batches have no parameter but 'policy'.")
_ONE = because(
    BATCH_MALFORMED, 'The body must be JSON: {"RegNumber": "01234567"}, with "Amount" in whole pounds if there is one.'
)
_LIST = because(
    BATCH_MALFORMED,
    'The body must be JSON, ["01234567", {"RegNumber": "SC123456", "Amount": 5000}], or CSV, a number and an amount a line.',
)
_LENGTH = because(BATCH_MALFORMED, f"The body must name 1 to {MAX_COMPANIES:,} companies.")


async def company_decision(service: Service, request: RequestContext, _bearer: Bearer) -> Answer:
    """Return the decision on one company.

    Raises Refused with 404 for an unknown company or policy, 415 for a body that is not JSON, 422 for any other
    malformed request.
    """
    if body_media_type(request.headers) is not MediaType.JSON:
        raise Refused(UNSUPPORTED_MEDIA_TYPE, "media_type.unknown")
    policy = _policy(service, request)
    if policy is None:
        raise Refused(_POLICY_MISSING, "policy.missing")
    try:
        asked = read_asked(request.body)
    except InvalidInput:
        raise Refused(_ONE, "decision.body") from None
    report = service.reports.report(normalise(asked.number), request.now, policy.members)
    if report is None:
        raise Refused(COMPANY_UNKNOWN, "company.unknown")
    decision = decide(report, policy, london_day(request.now), asked.amount)
    return Answer(200, JSON, encode(decision), (NO_STORE,))


async def company_batch(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Return a row for each company, streamed: score, band and limit, or the decision of a policy.

    Raises Refused as `company_decision`, and with 401 while too many batches are in progress.
    """
    policy, entries = _policy(service, request), _entries(request)
    form = _FORMS[preferred(request.headers.get("accept", "*/*"), tuple(_FORMS))]
    rest = service.batches.stream(bearer.application.client_id, entries, policy, form, request.now)
    # The first piece is computed before the header is sent, so that an error still gets its status.
    return Answer(200, _MEDIA_TYPES[form], await anext(rest), (NO_STORE, VARY), rest=rest)


def _policy(service: Service, request: RequestContext) -> Policy | None:
    if not request.parameters.keys() <= {"policy"}:
        raise Refused(_PARAMETER, "batch.parameter")
    name = request.parameters.get("policy", "")
    return service.policies.find(name) if name else None


def _entries(request: RequestContext) -> list[Entry]:
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    try:
        if media_type == "text/csv":
            entries = list(read_csv(request.body.decode().splitlines()))
        elif body_media_type(request.headers) is MediaType.JSON:
            entries = list(read_json(request.body))
        else:
            raise Refused(UNSUPPORTED_MEDIA_TYPE, "media_type.unknown")
    except UnknownColumns as error:
        raise Refused(because(_LIST, str(error)), "batch.columns") from None
    except (InvalidInput, UnicodeDecodeError):
        raise Refused(_LIST, "batch.body") from None
    if not 1 <= len(entries) <= MAX_COMPANIES:
        raise Refused(_LENGTH, "batch.length")
    return entries
