"""Documentation of disputes and of the list of corrections. The examples show an invented company."""

from credence.api.reference.operations.credit import FLAG, TAG
from credence.refusals.credit import COMPANY_NUMBER_MALFORMED, COMPANY_UNKNOWN, DISPUTE_MALFORMED, SEARCH_MALFORMED
from credence.refusals.requests import UNSUPPORTED_MEDIA_TYPE
from credence.report.schema.disputes import Corrections, DisputeRequest, Disputes, DisputeState
from credence.web.messages.answer import JSON
from credence.web.routing.operation import Content, Operation, Parameter

_ASKED = {"RegNumber": "99999901", "Field": "NumberOfEmployees", "Claim": "The company employs 12."}
_STATE = {**_ASKED, "Status": "received", "Received": "2026-11-22", "AnswerDue": "2026-12-20"}
_CORRECTION = {
    "RegNumber": "99999901",
    "Field": "NumberOfEmployees",
    "Status": "corrected",
    "Decided": "2026-12-01",
}

OPEN_DISPUTE = Operation(
    id="open_dispute",
    tag=TAG,
    summary="Dispute a fact of a report",
    description=(
        "Records that a company contests a field of its report. The answer is due 28 days later. A report shows the dispute "
        "once the operator has accepted it, because a claim must not name people. It needs the scope `credit:disputes`, "
        "which a token has only if the request for it names the scope."
    ),
    bodies=(Content(JSON, (DisputeRequest,), {"A dispute": _ASKED}),),
    answers=(Content(JSON, (DisputeState,), {"Received": _STATE}, status=201),),
    refusals=(UNSUPPORTED_MEDIA_TYPE, COMPANY_UNKNOWN, COMPANY_NUMBER_MALFORMED, DISPUTE_MALFORMED),
)

COMPANY_DISPUTES = Operation(
    id="company_disputes",
    tag=TAG,
    summary="Disputes about a company",
    description=(
        "The disputes that reports on the company show or showed, and those of the calling application: received, answer "
        "due, state, decided and by whom."
    ),
    parameters=(Parameter("company_number", "path", "The company number.", "99999901"),),
    answers=(Content(JSON, (Disputes,), {"One": {"Disputes": [_STATE]}}),),
    refusals=(COMPANY_NUMBER_MALFORMED,),
)

CORRECTIONS = Operation(
    id="corrections",
    tag=TAG,
    summary="Decided disputes about reports that you read",
    description=(
        "The notice to readers of reports: the disputes that were decided in the last six months about companies whose "
        "report this application read in the six months before the decision, or since. Request it daily. The service keeps "
        "for thirteen months which application read which report, by month, and nothing about people."
    ),
    parameters=(Parameter("all", "query", "Every decided dispute, read or not. Default: false.", schema=FLAG),),
    answers=(Content(JSON, (Corrections,), {"One": {"Corrections": [_CORRECTION]}}),),
    refusals=(SEARCH_MALFORMED,),
)
