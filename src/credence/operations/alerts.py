"""Operations on alerts: what people make of the events of portfolios (D31)."""

import datetime as dt
from typing import Annotated, Final

from msgspec import Meta, Struct

from credence import paths
from credence.clock import date_of, day_start, london_day
from credence.companies.number import normalise_or_none
from credence.crypto import base64url
from credence.meanings import Input, meaning
from credence.monitoring.alerts import AlertBody, AlertPage, AlertView, Digest, changed, digest_of, view_of
from credence.monitoring.envelope import envelope_of, number_in
from credence.monitoring.rules import RULES
from credence.operations.acting import OWNERS, Acting
from credence.operations.applications import APPLICATION
from credence.operations.operation import Change, Noun, as_it_is, operation
from credence.operations.pages import MAX_PAGE_SIZE, Page, after, first_of
from credence.operations.reading import reading, showing
from credence.refusals.refusal import Refused, because
from credence.refusals.resources import RESOURCE_MALFORMED, RESOURCE_PARAMETER
from credence.store.alerts import Alert, AlertFilter
from credence.store.events import EventFilter

_TEXT = because(RESOURCE_MALFORMED, "The name and the note must be text of one line.")

_NO_TOOL = "`company_alerts` has them by company, `portfolio_events` by number."

_DAY = because(RESOURCE_PARAMETER, "Write the day as 2026-11-21.")


async def _find(by: Acting, text: str) -> Alert | None:
    number = number_in(text)
    found = await by.means.store.alerts(by.owns or "", number - 1, 1, AlertFilter()) if number else []
    return found[0] if found and found[0].event.number == number else None


async def _save(by: Acting, _found: Alert | None, after: Alert) -> None:
    await by.means.store.save_alert(after.state)


async def _state(_by: Acting, alert: Alert) -> AlertView:
    return view_of(envelope_of(alert.event), alert.state)


def _body_of(alert: Alert) -> AlertBody:
    return AlertBody(alert.state.read_at > 0, alert.state.assigned_to, alert.state.note, alert.state.snoozed_until)


ALERT: Final[Noun[Alert]] = Noun(
    name="alert",
    path="alerts/{number}",
    base=paths.MONITORING,
    help="The number of the event.",
    example="57",
    find=_find,
    save=_save,
    state=_state,
    identity=lambda alert: str(alert.event.number),
    body_of=_body_of,
    within=APPLICATION,
    is_found_by_owner=True,
    also_named=lambda alert: {"portfolio": alert.event.portfolio},
    reasons="alert",
)
read_alert = showing(
    ALERT,
    "alert show",
    id="read_alert",
    no_tool=_NO_TOOL,
    access=OWNERS,
    title="One alert",
    text="Show an alert: the event, whether it has been read, who works on it, and its note.",
)


@operation("alert set", on=ALERT, api=("PATCH", ""), access=OWNERS, title="Work on an alert", event="alert_changed")
async def change_alert(by: Acting, found: Alert, body: AlertBody) -> Change[Alert]:
    """Mark an alert as read or unread, assign it, or change its note. It keeps the time at which it was first read."""
    if not (body.assigned_to.isprintable() and body.note.isprintable()):
        raise Refused(_TEXT, "alert.text")
    return Change(found if body == _body_of(found) else Alert(found.event, changed(found.state, body, by.now)))


class AlertQuery(Struct):
    """Which alerts are returned."""

    unread: Annotated[bool, meaning("Only those that are not read.")] = False
    assigned_to: Annotated[str, meaning("Only those assigned to this name.")] = ""
    portfolio: Annotated[str, meaning("Only the alerts of this portfolio.")] = ""
    rule: Annotated[str, meaning("Only the alerts of this rule."), Meta(extra_json_schema={"enum": list(RULES)})] = ""
    company: Annotated[str, meaning("Only the alerts of this company number.")] = ""
    page_size: Annotated[
        int, Meta(ge=1, le=MAX_PAGE_SIZE), meaning(f"Entries of a page, at most {MAX_PAGE_SIZE:,}. Default: 100.")
    ] = 100
    page_token: Annotated[str, meaning("`next_page_token` of the previous page.")] = ""


class AlertOptions(Struct):
    """Which alerts are printed."""

    unread: Annotated[bool, meaning("Only those that are not read."), Input(flag="--unread")] = False
    assigned_to: Annotated[str, meaning("Only those assigned to this name."), Input(default="any")] = ""
    after: Annotated[int, Meta(ge=0), meaning("Only those above this number.")] = 0

    def body(self) -> AlertQuery:
        """Return the query of the first page."""
        token = base64url.encode(str(self.after).encode())
        return AlertQuery(self.unread, self.assigned_to, page_size=MAX_PAGE_SIZE, page_token=token)


@reading(
    "alert list",
    on=ALERT,
    lists=True,
    access=OWNERS,
    title="Alerts",
    no_tool=_NO_TOOL,
    typed=AlertOptions,
    rows="alerts",
    columns=(
        *("number:event.event.timepoint", "portfolio:event.data.portfolio", "rule:event.data.rule"),
        *("kind:event.data.kind", "company:event.resource_id", "before:event.data.before", "after:event.data.after"),
        *("read_at", "assigned_to", "note"),
    ),
)
async def list_alerts(by: Acting, _found: None, query: AlertQuery) -> AlertPage:
    """List events with what people have made of them: read, assigned, noted.

    Applications that share a portfolio share it. The command prints at most a thousand.
    """
    try:
        page = Page(after(query.page_token) if query.page_token else "0", query.page_size)
    except ValueError:
        raise Refused(RESOURCE_PARAMETER, "resource.page_token") from None
    number = number_in(page.after)
    if number == 0 and page.after != "0":
        raise Refused(RESOURCE_PARAMETER, "resource.parameter")
    events = event_filter(query.portfolio, query.rule, query.company)
    only = AlertFilter(events, query.unread, query.assigned_to, london_day(by.now).isoformat())
    found = await by.means.store.alerts(by.owns or "", number, page.size + 1, only)
    shown, following = first_of(found, ALERT.key_of, page)
    return AlertPage(tuple([await _state(by, each) for each in shown]), following)


def event_filter(portfolio: str, rule: str, company: str) -> EventFilter:
    """Return a filter of events, each part empty for all. Raises Refused with 422 for an unknown rule or company number."""
    number = normalise_or_none(company) if company else ""
    if number is None or rule not in {"", *RULES}:
        raise Refused(RESOURCE_PARAMETER, "resource.parameter")
    return EventFilter(portfolio, rule, number)


class Day(Struct):
    """The day whose events are counted."""

    day: Annotated[
        str,
        meaning("The day (UTC), as 2026-11-21. Default: yesterday."),
        Meta(extra_json_schema={"format": "date"}),
        Input(default="yesterday"),
    ] = ""


DIGEST: Final[Noun[Digest]] = Noun(
    name="digest",
    path="digest",
    base=paths.MONITORING,
    state=as_it_is(Digest),
    within=APPLICATION,
    is_found_by_owner=True,
)


@reading(
    "alert digest",
    on=DIGEST,
    lists=True,
    id="monitoring_digest",
    access=OWNERS,
    title="Digest of one day",
    rows="counts",
)
async def read_digest(by: Acting, _found: None, query: Day) -> Digest:
    """Count the events on one day for each portfolio and rule.

    Webhooks get a message of type `monitoring.digest` after midnight if the day had any.
    """
    today = date_of(by.now)
    try:
        day = dt.date.fromisoformat(query.day) if query.day else today - dt.timedelta(days=1)
        begins, ends = day_start(day), day_start(day + dt.timedelta(days=1))
    except (ValueError, OverflowError):
        raise Refused(_DAY, "resource.parameter") from None
    return digest_of(day, await by.means.store.digest(by.owns or "", begins, ends), complete=day < today)
