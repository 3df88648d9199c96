"""Documentation of scopes, limits, disputes, policies, audit and invitations in the management API.

The examples show an invented deployment.
"""

from credence.api.reference.operations.management import TAG
from credence.management.audit_search import FIELDS
from credence.management.service_schema import (
    Disputes,
    Findings,
    Limits,
    Policies,
    Scopes,
    TrailPage,
)
from credence.refusals.resources import RESOURCE_PARAMETER
from credence.web.messages.answer import JSON
from credence.web.routing.operation import Content, Operation, Parameter

_FINDING = {"check": "TLS versions", "outcome": "ok", "seen": "1.2 and 1.3", "to_do": []}
_SCOPE = {"scope": "credit:report", "opens": "Read credit reports on companies.", "resource": "https://api.example"}
_DISPUTE = {
    "company": "00000001",
    "field": "NumberOfEmployees",
    "note": "It is 12.",
    "status": "open",
    "opened": "2026-11-22",
    "answer_due": "2026-12-20",
}
_LINE = {"time": "2026-11-22T09:30:00.125Z", "event": "operator", "act": "app create", "operator": "ada"}


SCOPES = Operation(
    id="list_scopes",
    tag=TAG,
    summary="List the scopes",
    description="Every scope that can be written to an application, and the resource that its tokens are for.",
    answers=(Content(JSON, (Scopes,), {"One": {"scopes": [_SCOPE]}}),),
)

DOCTOR = Operation(
    id="run_doctor",
    tag=TAG,
    summary="Examine the public address",
    description="What `credence doctor` prints, seen from this node. It takes some seconds, and changes nothing.",
    answers=(Content(JSON, (Findings,), {"One": {"address": "https://api.example.com", "findings": [_FINDING]}}),),
)

LIMITS = Operation(
    id="list_limits",
    tag=TAG,
    summary="List the rates",
    description="The rates of the service (D16). `spike_per_minute` of an application replaces the first.",
    answers=(Content(JSON, (Limits,), {"One": {"limits": [{"of": "application", "per_minute": 600, "burst": 200}]}}),),
)

DISPUTES = Operation(
    id="list_disputes",
    tag=TAG,
    summary="List the disputes",
    description="All of them, those that are closed included. `credence data dispute` decides one.",
    answers=(Content(JSON, (Disputes,), {"One": {"disputes": [_DISPUTE]}}),),
)

POLICIES = Operation(
    id="list_policies",
    tag=TAG,
    summary="List the policies",
    description="The files of the policy folder. One that cannot be read says why, and decides nothing.",
    answers=(
        Content(
            JSON,
            (Policies,),
            {"One": {"policies": [{"policy": "trade-credit", "date": "2026-11-01", "hash": "5f0c…", "rules": 7}]}},
        ),
    ),
)

AUDIT = Operation(
    id="search_audit",
    tag=TAG,
    summary="Search the audit trail",
    description="The lines of this node, the newest first. Each parameter must equal the field of the line.",
    parameters=(
        Parameter("trail", "query", "Default: deeds.", schema={"type": "string", "enum": ["deeds", "refusals"]}),
        *(Parameter(name, "query", f"The field `{name}` of the line.") for name in FIELDS),
        Parameter("before", "query", "`next_before` of the page before."),
        Parameter("page_size", "query", "Lines of a page, at most 1,000. Default: 100.", schema={"type": "integer"}),
    ),
    answers=(Content(JSON, (TrailPage,), {"One": {"lines": [_LINE], "next_before": "", "is_partial": False}}),),
    refusals=(RESOURCE_PARAMETER,),
)
