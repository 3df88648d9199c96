"""Documentation of decisions by a policy. The examples show an invented company."""

from credence.api.reference.operations.credit import TAG
from credence.policy.batch import ScoreRow
from credence.policy.companies import Asked, Companies
from credence.policy.decision import Decision
from credence.refusals.credit import BATCH_MALFORMED, COMPANY_NUMBER_MALFORMED, COMPANY_UNKNOWN, POLICY_UNKNOWN
from credence.refusals.requests import UNSUPPORTED_MEDIA_TYPE
from credence.web.messages.answer import CSV, JSON, NDJSON
from credence.web.routing.operation import Content, Operation, Parameter

_COMPANY = {"RegNumber": "99999902", "Amount": 5000}
_DECIDED = {
    "RegNumber": "99999902",
    "Outcome": "refer",
    "Findings": [
        {
            "Rule": "young",
            "Outcome": "refer",
            "Reason": "Incorporated within the last two years.",
            "Member": "/Identification/IncorporationDate",
            "Value": "2025-02-01",
        }
    ],
    "Policy": {"Name": "Trade credit", "Date": "2026-11-22", "Hash": "<64 hexadecimal digits>"},
    "InputHash": "<64 hexadecimal digits>",
    "Score": 72,
    "Band": "B",
    "SuggestedLimit": 40000,
    "Amount": 5000,
}
_ROW = {"Place": 1, "RegNumber": "99999902", "Score": 72, "Band": "B", "SuggestedLimit": 40000}
_POLICY = "The name of an installed policy: the name of its file without `.toml`."

DECISION = Operation(
    id="company_decision",
    tag=TAG,
    summary="Decision on a company by a policy",
    description=(
        "Applies a policy that the operator has installed to the report of one company: accept, refer or decline, every "
        "rule that counted, the most severe first, and for each a pointer (RFC 6901) to the member of the report that "
        "made it count. `Limit` is what the policy grants, for an accepted company only. `InputHash` is equal for equal "
        "inputs: the policy, the amount and every member that a rule reads. The decision is not stored."
    ),
    parameters=(
        Parameter("policy", "query", _POLICY, "trade-credit", {"type": "string", "minLength": 1}, required=True),
    ),
    bodies=(Content(JSON, (Asked,), {"A company": _COMPANY}),),
    answers=(Content(JSON, (Decision,), {"Refer": _DECIDED}),),
    refusals=(
        UNSUPPORTED_MEDIA_TYPE,
        COMPANY_UNKNOWN,
        POLICY_UNKNOWN,
        COMPANY_NUMBER_MALFORMED,
        BATCH_MALFORMED,
    ),
)

BATCH = Operation(
    id="company_batch",
    tag=TAG,
    summary="Scores or decisions for a list of companies",
    description=(
        "One row for each company of a list of at most 10,000, in the order of the list and sent as it is made: as NDJSON, "
        "or as CSV with `Accept: text/csv`. The list alone, without the object around it, is accepted too. Without a policy "
        "a row has score, band and suggested limit; with one it is the decision. An entry that is unknown or not a company "
        "number becomes a row with `Error`. An answer that ends without its last chunk is not complete."
    ),
    parameters=(Parameter("policy", "query", f"{_POLICY} Without it there are no decisions."),),
    bodies=(
        Content(
            JSON,
            (Companies,),
            {"Numbers": {"Companies": ["99999901", "99999902"]}, "With amounts": {"Companies": [_COMPANY]}},
        ),
        Content("text/csv", (), {"Numbers and amounts": "RegNumber,Amount\r\n99999902,5000\r\n"}),
    ),
    answers=(
        Content(NDJSON, (ScoreRow, Decision), {"Scores": _ROW, "Decisions": {"Place": 1, **_DECIDED}}),
        Content(CSV),
    ),
    refusals=(UNSUPPORTED_MEDIA_TYPE, POLICY_UNKNOWN, BATCH_MALFORMED),
)
