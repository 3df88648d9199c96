"""Readings of what a deployment has written down: the audit trail and the request log (D30)."""

from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from credence.management.audit_search import FIELDS, search_deeds, search_refusals
from credence.management.developers import applications_of
from credence.management.log_schema import LogPage
from credence.management.request_log import MAX_PAGE_SIZE, PAGE_SIZE, missing_from
from credence.management.request_log import search_log as search
from credence.management.service_schema import TrailPage
from credence.meanings import Input, meaning
from credence.oauth.parameters.scopes import MANAGE_READ
from credence.operations.acting import READ, Access, Acting
from credence.operations.deployment import DEPLOYMENT
from credence.operations.reading import reading
from credence.refusals.resources import RESOURCE_MALFORMED

MAX_LINES = 10_000
"""The most lines of the audit trail in one answer."""

_STORED = replace(DEPLOYMENT, needs_store=True)

_reading = partial(reading, on=_STORED, lists=True)

Field = Annotated[str | UnsetType, Input(default="any")]
Newest = Annotated[int, Meta(ge=1, le=MAX_LINES), meaning("How many at most.")]


class TrailQuery(Struct):
    """Which lines of the audit trail are returned."""

    trail: Annotated[
        Literal["deeds", "refusals"],
        meaning("What was done on this node, or what all nodes that share the store refused. Default: deeds."),
    ] = "deeds"
    event: Annotated[Field, meaning("The field `event` of the line.")] = UNSET
    act: Annotated[Field, meaning("The field `act` of the line.")] = UNSET
    operator: Annotated[Field, meaning("The field `operator` of the line.")] = UNSET
    application: Annotated[Field, meaning("The field `application` of the line.")] = UNSET
    account: Annotated[Field, meaning("The field `account` of the line.")] = UNSET
    reason: Annotated[Field, meaning("The field `reason` of the line.")] = UNSET
    request_id: Annotated[Field, meaning("The field `request_id` of the line.")] = UNSET
    address: Annotated[Field, meaning("The field `address` of the line.")] = UNSET
    node: Annotated[Field, meaning("The node that refused.")] = UNSET
    text: Annotated[str, meaning("A text that some field of the line contains, in upper or lower case.")] = ""
    before: Annotated[str, meaning("`next_before` of the previous page.")] = ""
    page_size: Annotated[
        int, Meta(ge=1, le=MAX_LINES), meaning(f"Lines of a page, at most {MAX_LINES:,}. Default: {PAGE_SIZE}.")
    ] = PAGE_SIZE


class Deeds(Struct):
    """Which lines about acts are printed."""

    act: Annotated[Field, meaning("With this act, such as 'app create'.")] = UNSET
    operator: Annotated[Field, meaning("By this operator.")] = UNSET
    application: Annotated[Field, meaning("About this application.")] = UNSET
    account: Annotated[Field, meaning("About this account.")] = UNSET
    text: Annotated[Field, meaning("With this text in any field, in upper or lower case.")] = UNSET
    newest: Newest = 50

    def body(self) -> TrailQuery:
        """Return the query of the trail."""
        return _query("deeds", self)


class Refusals(Struct):
    """Which refusals are printed."""

    application: Annotated[Field, meaning("Of this application.")] = UNSET
    account: Annotated[Field, meaning("Of this account.")] = UNSET
    address: Annotated[Field, meaning("From this address.")] = UNSET
    reason: Annotated[Field, meaning("With this reason code.")] = UNSET
    node: Annotated[Field, meaning("Answered by this node of a shared store.")] = UNSET
    newest: Newest = 50

    def body(self) -> TrailQuery:
        """Return the query of the trail."""
        return _query("refusals", self)


def _query(trail: Literal["deeds", "refusals"], typed: Deeds | Refusals) -> TrailQuery:
    given = msgspec.to_builtins(typed)
    return TrailQuery(trail, page_size=given.pop("newest"), **given)


def _rest(query: TrailQuery, answer: Any) -> TrailQuery | None:
    """Return the query that goes on where the time for one search ended."""
    missing = query.page_size - len(answer["lines"])
    if not (answer["is_partial"] and answer["next_before"] and missing > 0):
        return None
    return msgspec.structs.replace(query, before=answer["next_before"], page_size=missing)


@_reading(
    "audit deeds",
    api="audit",
    access=READ,
    rows="lines",
    columns=("time", "event", "act", "operator", "through", "application", "account", "address", "changes"),
    typed=Deeds,
    goes_on=_rest,
    unreadable="manage.audit_unavailable",
    title="Search the audit trail",
)
async def search_audit(by: Acting, _found: None, query: TrailQuery) -> TrailPage:
    """List the newest lines of the audit trail, the newest first: what was done on this node, or what was refused.

    A line must have every value that is given.
    """
    settings = by.means.settings
    wanted = {name: value for name in FIELDS if (value := getattr(query, name)) is not UNSET}
    if query.trail == "deeds":
        return await search_deeds(settings, wanted, query.page_size, query.before, query.text)
    return await search_refusals(settings, by.means.store, wanted, query.page_size, query.before, query.text)


list_refusals: Final = replace(
    search_audit,
    name="audit refusals",
    text="List the newest refusals, the newest first, of all nodes that share the store.",
    columns=("time", "node", "request_id", "status", "reason", "route", "application", "account", "address"),
    typed=Refusals,
    is_route=False,
)


class LogQuery(Struct):
    """Which requests are returned."""

    query: Annotated[
        str,
        meaning(
            "Terms separated by spaces: `client:… account:… reason:… status:… path:… method:… from:… id:… "
            "correlation:… node:… since:1h until:…`. All must hold; of several with one name, one; `-` before a term "
            "excludes it.",
            example="status:4xx since:1h",
        ),
    ] = ""
    page_size: Annotated[
        int,
        Meta(ge=1, le=MAX_PAGE_SIZE),
        meaning(f"Requests of a page, at most {MAX_PAGE_SIZE:,}. Default: {PAGE_SIZE}."),
    ] = PAGE_SIZE
    page_token: Annotated[str, meaning("`next_page_token` of the previous page.")] = ""


class LogTerms(Struct):
    """Which requests are printed."""

    query: Annotated[
        list[str],
        meaning(
            "Terms that must all hold: client:… account:… reason:… status:4xx path:… method:… from:… id:… node:… "
            "since:1h until:…; a hyphen before one excludes it (after --)."
        ),
        Input(argument=True, default="every request"),
    ] = msgspec.field(default_factory=list)
    newest: Annotated[int, Meta(ge=1, le=MAX_PAGE_SIZE), meaning("How many at most.")] = 50
    page: Annotated[
        str, meaning("Go on from here: the token that a partial answer prints."), Input(default="the newest")
    ] = ""

    def body(self) -> LogQuery:
        """Return the query of the log."""
        return LogQuery(" ".join(self.query), self.newest, self.page)


def _remarks(found: LogPage) -> list[str]:
    """Return what an answer lacks, for the operator."""
    remarks = []
    if found.is_partial:
        remarks.append(f"Looked back to {found.looked_back_to} only: go on with --page {found.next_page_token}")
    remarks += missing_from(found)
    others = [each.node for each in found.nodes if each.has == "shared"]
    if others:
        remarks.append(f"Of {', '.join(others)} the last minute may be missing, except refusals.")
    return remarks


@_reading(
    "log",
    api="log",
    access=Access(MANAGE_READ, "support", owner=True),
    rows="requests",
    columns=(
        *("at", "request_id", "node", "status", "milliseconds", "method", "path", "reason", "client_id", "account"),
        "address",
    ),
    typed=LogTerms,
    remarks=_remarks,
    unreadable="manage.log_unreadable",
    refuses=(RESOURCE_MALFORMED,),
    title="Search the request log",
)
async def search_log(by: Acting, _found: None, query: LogQuery) -> LogPage:
    """Find requests in the request log, the newest first. `credence why ID` explains one.

    A search stops after 0.2 seconds; `is_partial` is then true, and the next page continues from `looked_back_to`.
    """
    means = by.means
    of = None if by.owns is None else {each.client_id for each in await applications_of(means.store, by.owns)}
    return await search(
        means.settings, means.store, query.query, by.now, size=query.page_size, page=query.page_token, of=of
    )
