"""Documentation of alerts and digests. The examples are invented."""

from credence.api.reference.operations.monitoring import EVENT, IF_MATCH, PAGES, TAG
from credence.api.resources.bodies import MERGE_PATCH
from credence.api.resources.refusals import OF_A_BODY, OF_A_VERSION
from credence.monitoring.alerts import AlertBody, AlertPage, AlertView, Digest
from credence.monitoring.rules import RULES
from credence.refusals.resources import RESOURCE_PARAMETER, RESOURCE_UNKNOWN
from credence.web.messages.answer import JSON
from credence.web.routing.operation import Content, Operation, Parameter

_ALERT = {
    "event": EVENT,
    "read": True,
    "read_at": "2026-11-22T09:45:00Z",
    "assigned_to": "Ada",
    "note": "Limit halved",
}
_NUMBER = Parameter("number", "path", "The number of the event.", "57")

LIST_ALERTS = Operation(
    id="list_alerts",
    tag=TAG,
    summary="Alerts",
    description=(
        "Events with what people have made of them: read, assigned, noted. Applications that share a portfolio share it."
    ),
    parameters=(
        *PAGES,
        Parameter("unread", "query", "Only those that are not read.", schema={"type": "boolean"}),
        Parameter("assigned_to", "query", "Only those assigned to this name."),
        Parameter("portfolio", "query", "Only the alerts of this portfolio."),
        Parameter("rule", "query", "Only the alerts of this rule.", schema={"type": "string", "enum": list(RULES)}),
        Parameter("company", "query", "Only the alerts of this company number."),
    ),
    answers=(Content(JSON, (AlertPage,), {"One": {"alerts": [_ALERT], "next_page_token": ""}}),),
    refusals=(RESOURCE_PARAMETER,),
)

READ_ALERT = Operation(
    id="read_alert",
    tag=TAG,
    summary="One alert",
    description="With the entity tag that a change needs.",
    parameters=(_NUMBER,),
    answers=(Content(JSON, (AlertView,), {"An alert": _ALERT}),),
    refusals=(RESOURCE_UNKNOWN,),
    cacheable=True,
)

CHANGE_ALERT = Operation(
    id="change_alert",
    tag=TAG,
    summary="Work on an alert",
    description="A merge patch (RFC 7396): read or unread, assigned to someone, noted.",
    parameters=(_NUMBER, IF_MATCH),
    bodies=(
        Content(MERGE_PATCH, (AlertBody,), {"Read": {"read": True, "assigned_to": "Ada", "note": "Limit halved"}}),
    ),
    answers=(Content(JSON, (AlertView,), {"Changed": _ALERT}),),
    refusals=(*OF_A_VERSION, *OF_A_BODY),
)

READ_DIGEST = Operation(
    id="monitoring_digest",
    tag=TAG,
    summary="The digest of a day",
    description=(
        "How many events were made on a day (UTC), for each portfolio and rule. Webhooks get a message of type "
        "`monitoring.digest` after midnight if the day had any."
    ),
    parameters=(
        Parameter("day", "query", "The day. Default: yesterday.", schema={"type": "string", "format": "date"}),
    ),
    answers=(
        Content(
            JSON,
            (Digest,),
            {
                "A day": {
                    "day": "2026-11-21",
                    "complete": True,
                    "events": 14,
                    "counts": [
                        {
                            "portfolio": "pf_2o6x4hk3tmy7q5c3",
                            "rule": "band",
                            "events": 14,
                            "companies": 9,
                            "first": 40,
                            "last": 57,
                        }
                    ],
                }
            },
        ),
    ),
    refusals=(RESOURCE_PARAMETER,),
)
