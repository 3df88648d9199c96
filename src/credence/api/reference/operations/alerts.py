"""Documentation of alerts and digests. The examples are invented."""

from credence.api.reference.operations.monitoring import EVENT, PAGES, TAG
from credence.monitoring.alerts import AlertPage, Digest
from credence.monitoring.rules import RULES
from credence.refusals.resources import RESOURCE_PARAMETER
from credence.web.messages.answer import JSON
from credence.web.routing.operation import Content, Operation, Parameter

_ALERT = {
    "event": EVENT,
    "read": True,
    "read_at": "2026-11-22T09:45:00Z",
    "assigned_to": "Ada",
    "note": "Limit halved",
}
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
