"""POST /risk/business/v2/disputes, GET /v2/disputes/<company_number> and GET /v2/corrections (D43, credit §10)."""

import asyncio
import datetime as dt
from typing import Annotated

import msgspec

from credence.clock import london_day
from credence.companies.facts.dispute import Dispute, DisputeStatus
from credence.companies.number import normalise
from credence.datasets.disputes import AlreadyDisputed, TooManyReceived
from credence.datasets.search.query import malformed
from credence.oauth.bearer import Bearer
from credence.refusals.credit import COMPANY_NUMBER_MALFORMED, COMPANY_UNKNOWN, DISPUTE_MALFORMED, SEARCH_MALFORMED
from credence.refusals.refusal import Refused, because
from credence.refusals.requests import SPIKE_ARREST, UNSUPPORTED_MEDIA_TYPE
from credence.report.readers import LISTED_DAYS
from credence.report.schema.disputes import Corrections, DecidedDispute, DisputeRequest, Disputes, DisputeState
from credence.request_context import RequestContext
from credence.screening.json_shape import has_unique_names
from credence.service import Service
from credence.web.dialects.reader import screen_text
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import NO_STORE
from credence.web.messages.request import MediaType, body_media_type
from credence.web.routing.operation import FLAG, Content, Parameter

_decode = msgspec.json.Decoder(DisputeRequest).decode
_encode = msgspec.json.Encoder().encode

_DISPUTED = because(DISPUTE_MALFORMED, "This field of the company is disputed already, and the dispute is not decided.")
_TEXT = because(DISPUTE_MALFORMED, "Field and Claim must be text of one line.")


_COMPANY = Parameter("company_number", "path", "The company number.", "99999901")
_ALL = Parameter("all", "query", "Every decided dispute, read or not. Default: false.", schema=FLAG)


async def open_dispute(
    service: Service, request: Annotated[RequestContext, Content(JSON, (DisputeRequest,))], bearer: Bearer
) -> Annotated[
    Answer,
    Content(JSON, (DisputeState,), status=201),
    UNSUPPORTED_MEDIA_TYPE,
    COMPANY_UNKNOWN,
    COMPANY_NUMBER_MALFORMED,
    DISPUTE_MALFORMED,
]:
    """Dispute a fact of a report.

    Records that a company contests a field of its report. The answer is due 28 days later. A report shows the dispute
    once the operator has accepted it, because a claim must not name people. It needs the scope `credit:disputes`, which a
    token has only if the request for it names the scope.

    Raises Refused with 404 for an unknown company, 415 for a body that is not JSON, 422 for a malformed one or a field
    that is disputed already, 401 while too many disputes wait for review.
    """
    if body_media_type(request.headers) is not MediaType.JSON:
        raise Refused(UNSUPPORTED_MEDIA_TYPE, "media_type.unknown")
    asked = _read(request.body)
    number = normalise(asked.RegNumber)
    if service.reports.company(number) is None:
        raise Refused(COMPANY_UNKNOWN, "company.unknown")
    by, today = bearer.application.client_id, london_day(request.now)
    try:
        recorded = await asyncio.to_thread(service.receive_dispute, number, asked.Field, asked.Claim, by, today)
    except AlreadyDisputed:
        raise Refused(_DISPUTED, "dispute.exists") from None
    except TooManyReceived:
        raise Refused(SPIKE_ARREST, "dispute.too_many", retry_after=3_600) from None
    return Answer(201, JSON, _encode(_state(number, recorded)), (NO_STORE,), ("dispute_received",))


async def company_disputes(
    service: Service, request: Annotated[RequestContext, _COMPANY], bearer: Bearer
) -> Annotated[Answer, Disputes, COMPANY_NUMBER_MALFORMED]:
    """Disputes about a company.

    The disputes that reports on the company show or showed, and those of the calling application: received, answer due,
    state, decided and by whom.
    """
    number = normalise(request.segment)
    found = service.credit_data.disputes(number)
    shown = [
        each for each in found if each.status is not DisputeStatus.RECEIVED or each.by == bearer.application.client_id
    ]
    states = tuple(_state(number, each) for each in sorted(shown, key=lambda each: each.opened))
    return Answer(200, JSON, _encode(Disputes(states)), (NO_STORE,))


async def corrections(
    service: Service, request: Annotated[RequestContext, _ALL], bearer: Bearer
) -> Annotated[Answer, Corrections, SEARCH_MALFORMED]:
    """Decided disputes about reports that you read.

    The notice to readers of reports: the disputes that were decided in the last six months about companies whose report
    this application read in the six months before the decision, or since. Request it daily. The service keeps for
    thirteen months which application read which report, by month, and nothing about people.

    Raises Refused with 422 if `all` is neither true nor false.
    """
    since = london_day(request.now) - dt.timedelta(days=LISTED_DAYS)
    found = [
        DecidedDispute(number, each.field, each.status.value, each.decided)
        for number, of_company in service.credit_data.all_disputes().items()
        for each in of_company
        if each.decided is not None and each.decided >= since
    ]
    if (everything := request.parameters.get("all", "false")) not in {"true", "false"}:
        raise Refused(malformed("all", "true or false"), "search.all")
    if everything == "false":
        newest = {each.RegNumber: each.Decided for each in sorted(found, key=lambda each: each.Decided)}
        store, client_id = service.authority.store, bearer.application.client_id
        concerned = await service.unsaved_reads.concerned(store, client_id, newest, request.now)
        found = [each for each in found if each.RegNumber in concerned]
    found.sort(key=lambda each: (each.Decided, each.RegNumber), reverse=True)
    return Answer(200, JSON, _encode(Corrections(tuple(found))), (NO_STORE,))


def _read(body: bytes) -> DisputeRequest:
    try:
        asked = _decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Refused(DISPUTE_MALFORMED, "dispute.body") from None
    if not has_unique_names(body):
        raise Refused(DISPUTE_MALFORMED, "dispute.body")
    for text in (asked.Field, asked.Claim):
        screen_text(text)
        if not text.isprintable() or not text.strip():
            raise Refused(_TEXT, "dispute.text")
    return asked


def _state(number: str, dispute: Dispute) -> DisputeState:
    return DisputeState(
        RegNumber=number,
        Field=dispute.field,
        Claim=dispute.note,
        Status=dispute.status.value,
        Received=dispute.opened,
        AnswerDue=dispute.answer_due,
        Decided=dispute.decided,
        DecidedBy=dispute.decided_by or None,
    )
