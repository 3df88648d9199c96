"""The schema of a deployment in the management API: scopes, limits, invitations, data, policies, audit trail (D30)."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from credence.meanings import meaning

Names = list[Annotated[str, Meta(max_length=2_048)]]


class ScopeState(Struct):
    """A scope."""

    scope: Annotated[str, meaning("Its name.")]
    opens: Annotated[str, meaning("What a token with it may do.")]
    resource: Annotated[
        str | None, meaning("The resource its tokens are for; null: none here.", example="https://api.example")
    ]


class FindingState(Struct):
    """What the doctor found out by one check."""

    check: Annotated[str, meaning("The check.", example="certificate")]
    outcome: Annotated[Literal["ok", "warning", "failure"], meaning("A failure breaks clients or lets attackers in.")]
    seen: Annotated[str, meaning("What the answers were.")]
    to_do: Annotated[list[str], meaning("What helps, a line each.")]


class Findings(Struct):
    """What the doctor found out about the public address of the deployment."""

    address: Annotated[str, meaning("The address that it examined.", example="https://api.example.com")]
    findings: list[FindingState]


class Scopes(Struct):
    """Every scope that can be written to an application."""

    scopes: Annotated[list[ScopeState], meaning("The scopes.")]


class LimitState(Struct):
    """A rate of the service."""

    of: Annotated[Literal["application", "account", "address"], meaning("Whose requests count together.")]
    per_minute: Annotated[int, meaning("Requests per minute, smoothed; 0: no limit.")]
    burst: Annotated[int, meaning("Requests that may come at once.")]


class Limits(Struct):
    """The rates of the service. An application may have a rate of its own."""

    limits: Annotated[list[LimitState], meaning("The rates.")]


class ConsentState(Struct):
    """What a person has allowed an application."""

    client_id: Annotated[str, meaning("The application.")]
    scope: Annotated[str, meaning("What it may do.")]
    granted_at: Annotated[str, meaning("When the person allowed it.")]


class Consents(Struct):
    """The consents of an account."""

    consents: Annotated[list[ConsentState], meaning("The consents, by client_id.")]


class Source(Struct):
    """A source of credit data; null where it is not loaded."""

    source: Annotated[str, meaning("Its name.")]
    as_of: Annotated[str | None, meaning("The date of the data.", example="2026-11-01")] = None
    age_in_days: Annotated[int | None, meaning("Days since then, or else since the load.", example=21)] = None
    loaded: Annotated[str | None, meaning("When it was loaded.", example="2026-11-02")] = None
    companies: Annotated[int | None, meaning("Companies in it.", example=5000000)] = None
    facts: Annotated[int | None, meaning("Facts in it.", example=9000000)] = None
    bytes: Annotated[int | None, meaning("Its size.", unit="bytes", example=1000000)] = None
    without_number: Annotated[
        str | None, meaning("Notices that name no company by a number.", example="3 of 200 (2%)")
    ] = None
    held_since: Annotated[str | None, meaning("Since when it is held.", example=None)] = None
    held_by: Annotated[str | None, meaning("Who holds it.", example=None)] = None
    hold_reason: Annotated[str | None, meaning("Why it is held.", example=None)] = None
    pending: Annotated[bool, meaning("Whether another node published a newer edition.")] = False
    fault: Annotated[str | None, meaning("Why it cannot be read, and what to do.", example=None)] = None


class Sources(Struct):
    """The sources of credit data."""

    sources: Annotated[list[Source], meaning("The sources, in the order in which a deployment is filled.")]


class DisputeState(Struct):
    """A dispute about a member of a report."""

    company: Annotated[str, meaning("The company's number.")]
    field: Annotated[str, meaning("What is disputed.")]
    note: Annotated[str, meaning("The claim.")]
    status: Annotated[str, meaning("Its state, as in `credence data dispute`.")]
    opened: Annotated[str, meaning("When it was opened.")]
    answer_due: Annotated[str | None, meaning("The day by which it must be decided.", example="2026-12-20")] = None
    by: Annotated[str | None, meaning("The application that sent it; null: the operator.", example=None)] = None
    decided_by: Annotated[str | None, meaning("Who decided it.", example=None)] = None


class Disputes(Struct):
    """The disputes."""

    disputes: Annotated[list[DisputeState], meaning("The disputes, by company.")]


class PolicyState(Struct):
    """A policy: one file of the policy folder."""

    policy: Annotated[str, meaning("Its name in the API.")]
    date: Annotated[str | None, meaning("Its date.", example="2026-11-01")] = None
    hash: Annotated[str | None, meaning("SHA-256 of the file.", example="5f0c…")] = None
    rules: Annotated[int | None, meaning("The number of its rules.", example=7)] = None
    fault: Annotated[str | None, meaning("Why it decides nothing; null: it can be used.", example=None)] = None


class Policies(Struct):
    """The installed policies."""

    policies: Annotated[list[PolicyState], meaning("The policies, by name.")]


class TrailPage(Struct):
    """Lines of the audit trail, the newest first."""

    lines: Annotated[list[dict[str, Any]], meaning("The lines as they were written, see docs/operating.md.")]
    next_before: Annotated[
        str, meaning("`before` of the next page; empty when all was searched.", example="2026-11-22T09:30:00.125Z")
    ]
    is_partial: Annotated[bool, meaning("Whether the time for one search ended it; the next page goes on.")] = False


class NodeState(Struct):
    """A process that uses the store."""

    node: Annotated[str, meaning("The name of its node.")]
    seen_at: Annotated[str, meaning("When it last wrote that it runs.", example="2026-11-22T09:30:00.125Z")]
    runs: Annotated[bool, meaning("Whether that is at most half a minute ago.")]


class ConnectionState(Struct):
    """The connections of a process to PostgreSQL."""

    used: Annotated[int, meaning("In use.")]
    idle: Annotated[int, meaning("Open and not in use.")]
    waiting: Annotated[int, meaning("Requests that wait for one.")]


class ServiceHealth(Struct):
    """Whether the service works: the process that answers, and all nodes of its store."""

    status: Annotated[str, meaning("`ready`, or what is missing, as `/readyz` says it.")]
    version: Annotated[str, meaning("The version of Credence.")]
    environment: Annotated[str, meaning("The environment.")]
    node: Annotated[str, meaning("The node that answers.")]
    credit_data: Annotated[str, meaning("`current`, or `behind` if a newer data set is published.")]
    audit_fault: Annotated[str | None, meaning("Why the audit trail cannot be written; null: it can.")]
    audit_lines_lost: Annotated[int, meaning("Lines of the audit trail lost since the start.")]
    certificate_until: Annotated[str | None, meaning("When the certificate expires; null: plain HTTP, or a proxy's.")]
    clock_ahead_ms: Annotated[
        int, meaning("How far the clock of the store is ahead of the node's.", unit="milliseconds")
    ]
    connections: Annotated[ConnectionState | None, meaning("The connections; null: the store is a file.")]
    last_backup: Annotated[str | None, meaning("The last backup made on this node; null: none.")]
    nodes: Annotated[list[NodeState] | None, meaning("The processes; null: the store is a file of one node.")]
