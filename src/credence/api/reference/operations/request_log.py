"""Documentation of the request log in the management API. The examples show an invented deployment."""

from credence.api.reference.operations.management import TAG
from credence.management.log_schema import ExplainedRequest, LogPage
from credence.refusals.resources import RESOURCE_MALFORMED, RESOURCE_PARAMETER, RESOURCE_UNKNOWN
from credence.web.messages.answer import JSON
from credence.web.routing.operation import Content, Operation, Parameter

_REQUEST = {
    "at": "2026-11-22T09:30:00.125Z",
    "request_id": "5f0c61a2b3d4e5f6-1207",
    "node": "node-1",
    "status": 403,
    "method": "GET",
    "path": "/risk/business/v1/registeredcompanycredit",
    "client_id": "<CLIENT_ID>",
    "account": "ada",
    "reason": "access.network_of_application",
    "address": "192.0.2.7",
    "milliseconds": 0.8,
}
_PAGE = {
    "requests": [_REQUEST],
    "next_page_token": "",
    "is_partial": False,
    "looked_back_to": None,
    "lost": 0,
    "nodes": [{"node": "node-1", "has": "every request"}, {"node": "node-2", "has": "refusals"}],
}
_CHECK = {
    "check": "network",
    "rule": "The address is in the networks of application and account (D15).",
    "outcome": "refused",
    "value": "192.0.2.7",
    "would_pass": "198.51.100.0/24",
    "now": "refused",
}

SEARCH_LOG = Operation(
    id="search_log",
    tag=TAG,
    summary="Search the request log",
    description=(
        "The requests that match, the newest first. A search ends after a fifth of a second; then `is_partial` is true, "
        "and the next page goes on from `looked_back_to`."
    ),
    parameters=(
        Parameter(
            "query",
            "query",
            "Terms with blanks between: `client:… account:… reason:… status:… path:… method:… from:… id:… correlation:… "
            "node:… since:1h until:…`. All must hold; of several with one name, one; `-` before a term excludes it.",
            "status:4xx since:1h",
        ),
        Parameter("page_size", "query", "Requests of a page, at most 1,000. Default: 100.", schema={"type": "integer"}),
        Parameter("page_token", "query", "`next_page_token` of the page before."),
    ),
    answers=(Content(JSON, (LogPage,), {"A refusal": _PAGE}),),
    refusals=(RESOURCE_PARAMETER, RESOURCE_MALFORMED),
)

EXPLAIN_REQUEST = Operation(
    id="explain_request",
    tag=TAG,
    summary="Explain a request",
    description=(
        "Every check in its order: what the request had, what would pass, and what would come of it now. The log keeps no "
        "credentials, so checks of them have no value."
    ),
    parameters=(Parameter("request_id", "path", "The answer's X-Request-ID.", "5f0c61a2b3d4e5f6-1207"),),
    answers=(
        Content(
            JSON,
            (ExplainedRequest,),
            {"Refused": {"request": _REQUEST, "checks": [_CHECK], "rule": _CHECK["rule"], "what_to_do": "Allow it."}},
        ),
    ),
    refusals=(RESOURCE_UNKNOWN,),
)
