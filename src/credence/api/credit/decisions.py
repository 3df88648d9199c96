"""POST /risk/business/v2/decisions and /v2/batches: decisions by an installed policy, for one company or a list (D42)."""

from collections.abc import Mapping
from typing import Annotated

from credence.clock import london_day
from credence.companies.list_columns import UnknownColumns
from credence.companies.number import normalise, normalise_or_none
from credence.errors import InvalidInput
from credence.oauth.bearer import Bearer
from credence.oauth.report_rights import use_rights
from credence.policy.batch import BatchForm, ScoreRow, encode
from credence.policy.companies import Asked, Companies, Entry, read_asked, read_csv, read_json
from credence.policy.decision import Decision, decide
from credence.policy.policy import Policy
from credence.refusals.credit import BATCH_MALFORMED, COMPANY_NUMBER_MALFORMED, COMPANY_UNKNOWN, POLICY_UNKNOWN
from credence.refusals.refusal import Refused, because
from credence.refusals.requests import UNSUPPORTED_MEDIA_TYPE
from credence.request_context import RequestContext
from credence.screening.limits import KIB
from credence.service import Service
from credence.web.messages.answer import CSV, JSON, NDJSON, Answer
from credence.web.messages.caching import NO_STORE, VARY
from credence.web.messages.request import MediaType, body_media_type, preferred
from credence.web.routing.operation import TEXT, Content, Parameter

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


_POLICY = "The name of an installed policy: the name of its file without `.toml`."
_REQUIRED = Parameter("policy", "query", _POLICY, "trade-credit", {**TEXT, "minLength": 1}, required=True)
_OPTIONAL = Parameter("policy", "query", f"{_POLICY} Without it there are no decisions.")


async def company_decision(
    service: Service, request: Annotated[RequestContext, _REQUIRED, Content(JSON, (Asked,))], bearer: Bearer
) -> Annotated[
    Answer, Decision, UNSUPPORTED_MEDIA_TYPE, COMPANY_UNKNOWN, POLICY_UNKNOWN, COMPANY_NUMBER_MALFORMED, BATCH_MALFORMED
]:
    """Decision on a company by a policy.

    Applies a policy that the operator has installed to the report of one company: accept, refer or decline, every rule
    that counted, the most severe first, and for each a pointer (RFC 6901) to the member of the report that made it count.
    `Limit` is what the policy grants, for an accepted company only. `InputHash` is equal for equal inputs: the policy, the
    amount and every member that a rule reads. The decision is not stored.

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
    number = normalise(asked.number)
    await use_rights(service.authority, bearer, (number,), request.now)
    report = service.reports.report(number, request.now, policy.members)
    if report is None:
        raise Refused(COMPANY_UNKNOWN, "company.unknown")
    decision = decide(report, policy, london_day(request.now), asked.amount)
    return Answer(200, JSON, encode(decision), (NO_STORE,))


_CSV_LIST = {"Numbers and amounts": "RegNumber,Amount\r\n99999902,5000\r\n"}


async def company_batch(
    service: Service,
    request: Annotated[RequestContext, _OPTIONAL, Content(JSON, (Companies,)), Content("text/csv", (), _CSV_LIST)],
    bearer: Bearer,
) -> Annotated[
    Answer, Content(NDJSON, (ScoreRow, Decision)), Content(CSV), UNSUPPORTED_MEDIA_TYPE, POLICY_UNKNOWN, BATCH_MALFORMED
]:
    """Scores or decisions for a list of companies.

    One row for each company of a list of at most 10,000, in the order of the list and sent as it is made: as NDJSON, or as
    CSV with `Accept: text/csv`. The list alone, without the object around it, is accepted too. Without a policy a row has
    score, band and suggested limit; with one it is the decision. An entry that is unknown or not a company number becomes
    a row with `Error`. An answer that ends without its last chunk is not complete.

    Raises Refused as `company_decision`, and with 401 while too many batches are in progress.
    """
    policy, entries = _policy(service, request), _entries(request)
    numbers = [number for each in entries if (number := normalise_or_none(each.number)) is not None]
    await use_rights(service.authority, bearer, numbers, request.now)
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
