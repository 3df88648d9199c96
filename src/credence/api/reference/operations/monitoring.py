"""Documentation of monitoring. The examples show an invented company."""

from credence.api.resources.refusals import OF_A_BODY, OF_A_VERSION
from credence.monitoring.feed import MAX_WAIT_SECONDS
from credence.monitoring.rules import RULES
from credence.monitoring.schema import (
    CompanyBody,
    CompanyPage,
    CompanyState,
    EventPage,
    ImportResult,
    MonitoringEvent,
    PreviewBody,
    PreviewResult,
    RuleCatalogue,
)
from credence.refusals.resources import RESOURCE_PARAMETER, RESOURCE_UNKNOWN
from credence.web.messages.answer import CSV, EVENT_STREAM, JSON
from credence.web.routing.operation import Content, Operation, Parameter

TAG = "Monitoring"

_ID = "pf_2o6x4hk3tmy7q5c3"
_RULE = {"rule": "band", "by": 1}
_COMPANY = {"reference": "C-1001", "exposure": 12000, "currency": "GBP", "note": "Terms 30 days"}
_WATCHED = {"company_number": "99999901", **_COMPANY}
_RESULT = {"counts": {"added": 1}, "rows": [{"row": 1, "company_number": "99999901", "result": "added"}]}
EVENT = {
    "resource_kind": "company",
    "resource_id": "99999901",
    "resource_uri": "/risk/business/v2/registeredcompanycredit/99999901",
    "event": {
        "type": "monitoring.band",
        "published_at": "2026-11-22T09:30:00Z",
        "timepoint": 57,
        "fields_changed": ["/CommercialDelphi/CommDelphiBand"],
    },
    "data": {
        "portfolio": _ID,
        "rule": "band",
        "kind": "fell",
        "before": "B",
        "after": "C",
        "source_day": "2026-11-01",
    },
}

_OF_PORTFOLIO = Parameter("portfolio", "path", "The id of the portfolio.", _ID)
_OF_COMPANY = Parameter("company_number", "path", "The company number.", "99999901")
_NUMBER = {"type": "integer", "minimum": 0}
PAGES = (
    Parameter("page_size", "query", "Entries of a page, at most 1,000. Default: 100.", schema=_NUMBER),
    Parameter("page_token", "query", "The token of the page, from the answer before."),
)
IF_MATCH = Parameter(
    "If-Match", "header", "The entity tag of the version that the caller has read. Required.", '"<ETAG>"'
)
KEY = Parameter("Idempotency-Key", "header", "A repetition with the same key gets the first answer, for a day.")

_CSV_LIST = "company_number,reference,exposure,currency,note\r\n99999901,C-1001,12000,GBP,Terms 30 days\r\n"
_LISTS = (
    Content(JSON, (), {"Numbers": ["99999901"], "Companies": [_WATCHED]}, element=CompanyState),
    Content("text/csv", (), {"With a header": _CSV_LIST}),
)

LIST_COMPANIES = Operation(
    id="list_watched_companies",
    tag=TAG,
    summary="The companies of a portfolio",
    description="A page in JSON, or with `Accept: text/csv` all of them, in the form that the list takes.",
    parameters=(_OF_PORTFOLIO, *PAGES),
    answers=(
        Content(JSON, (CompanyPage,), {"One": {"companies": [_WATCHED], "count": 1, "next_page_token": ""}}),
        Content(CSV),
    ),
    refusals=(RESOURCE_UNKNOWN, RESOURCE_PARAMETER),
)

ADD_COMPANIES = Operation(
    id="watch_companies",
    tag=TAG,
    summary="Watch a list of companies",
    description=(
        "JSON (numbers or objects) or CSV, at most 50,000 rows. Each row has its own result; a fault of one refuses no "
        "other. What is said of a company that is watched already is replaced; the same list again changes nothing."
    ),
    parameters=(_OF_PORTFOLIO,),
    bodies=_LISTS,
    answers=(Content(JSON, (ImportResult,), {"Added": _RESULT}),),
    refusals=(RESOURCE_UNKNOWN, *OF_A_BODY),
)

REMOVE_COMPANIES = Operation(
    id="unwatch_companies",
    tag=TAG,
    summary="Stop watching a list of companies",
    description="A list as for adding; only the numbers count.",
    parameters=(_OF_PORTFOLIO,),
    bodies=_LISTS,
    answers=(
        Content(
            JSON,
            (ImportResult,),
            {"Removed": {"counts": {"removed": 1}, "rows": [{**_RESULT["rows"][0], "result": "removed"}]}},  # type: ignore[index]  # an example of JSON
        ),
    ),
    refusals=(RESOURCE_UNKNOWN, *OF_A_BODY),
)

READ_COMPANY = Operation(
    id="read_watched_company",
    tag=TAG,
    summary="One company of a portfolio",
    description="What the owner says of it, with the entity tag that a change needs.",
    parameters=(_OF_PORTFOLIO, _OF_COMPANY),
    answers=(Content(JSON, (CompanyState,), {"A company": _WATCHED}),),
    refusals=(RESOURCE_UNKNOWN,),
    cacheable=True,
)

PUT_COMPANY = Operation(
    id="watch_company",
    tag=TAG,
    summary="Watch a company",
    description="Adds the company, or replaces what is said of it; only a replacement needs If-Match.",
    parameters=(
        _OF_PORTFOLIO,
        _OF_COMPANY,
        Parameter("If-Match", "header", "The entity tag of the version that the caller has read; for a replacement."),
    ),
    bodies=(Content(JSON, (CompanyBody,), {"With an exposure": _COMPANY}),),
    answers=(
        Content(JSON, (CompanyState,), {"Replaced": _WATCHED}),
        Content(JSON, (CompanyState,), {"Added": _WATCHED}, status=201),
    ),
    refusals=(*OF_A_VERSION, *OF_A_BODY),
)

DELETE_COMPANY = Operation(
    id="unwatch_company",
    tag=TAG,
    summary="Stop watching a company",
    description="Removes it from the portfolio.",
    parameters=(_OF_PORTFOLIO, _OF_COMPANY, IF_MATCH),
    answers=(Content("", (), status=204),),
    refusals=OF_A_VERSION,
)

LIST_RULES = Operation(
    id="list_monitoring_rules",
    tag=TAG,
    summary="The rules that a portfolio may have",
    description="Each with its parameters, its kinds, and the member of the report that it watches.",
    answers=(Content(JSON, (RuleCatalogue,)),),
)

PREVIEW_RULES = Operation(
    id="preview_monitoring_rules",
    tag=TAG,
    summary="How often rules would have fired",
    description=(
        "Judges the history that is loaded of the companies of a portfolio, the first 2,000 of them: dated facts, earlier "
        "runs of the score and former names. Values of the register of which no earlier state is known count nothing. No "
        "event is made."
    ),
    parameters=(_OF_PORTFOLIO,),
    bodies=(Content(JSON, (PreviewBody,), {"Other rules": {"rules": [{"rule": "accounts-filed"}]}}),),
    answers=(
        Content(
            JSON,
            (PreviewResult,),
            {
                "Fourteen": {
                    "companies": 120,
                    "complete": True,
                    "counts": [{"rule": "accounts-filed", "events": 14, "of_last_year": 3, "companies": 9}],
                }
            },
        ),
    ),
    refusals=(RESOURCE_UNKNOWN, *OF_A_BODY),
)

EVENTS = Operation(
    id="monitoring_events",
    tag=TAG,
    summary="The feed of events",
    description=(
        "Events are numbered without gaps in the order in which they were committed, over all owners; you get yours. Begin "
        "with `after=0`, then say `after` the number in `next`: so each event arrives once, however often you stop. "
        "`wait` keeps the request open until there is an event. With `Accept: text/event-stream` events are sent as they "
        "are made, for 20 seconds; a browser resumes by itself with `Last-Event-ID`. Events are kept for a year."
    ),
    parameters=(
        Parameter("after", "query", "The number of the last event that you have. Default: 0.", schema=_NUMBER),
        Parameter("limit", "query", "Events of one answer, at most 1,000. Default: 100.", schema=_NUMBER),
        Parameter("wait", "query", f"Seconds to wait, at most {MAX_WAIT_SECONDS}. Default: 0.", schema=_NUMBER),
        Parameter("portfolio", "query", "Only the events of this portfolio."),
        Parameter("rule", "query", "Only the events of this rule.", schema={"type": "string", "enum": list(RULES)}),
        Parameter("company", "query", "Only the events of this company number."),
        Parameter("Last-Event-ID", "header", "For a stream: the number of the last event, in place of `after`."),
    ),
    answers=(
        Content(JSON, (EventPage,), {"One": {"events": [EVENT], "next": 57}}),
        Content(EVENT_STREAM),
    ),
    refusals=(RESOURCE_PARAMETER,),
)

READ_EVENT = Operation(
    id="monitoring_event",
    tag=TAG,
    summary="One event",
    description="The event with this number, which a webhook's message names.",
    parameters=(Parameter("number", "path", "The number of the event.", "57"),),
    answers=(Content(JSON, (MonitoringEvent,), {"An event": EVENT}),),
    refusals=(RESOURCE_UNKNOWN,),
)
