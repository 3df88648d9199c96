"""The inbox of alerts: people read, assign and annotate events of their lists."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlencode

import msgspec

from credence import paths
from credence.blocks.forms import Field, Form, Query
from credence.blocks.values import Cell, Facts, Table, moment
from credence.clock import london_day
from credence.companies.number import normalise_or_none
from credence.monitoring.alerts import AlertBody, AlertView, view_of
from credence.monitoring.envelope import envelope_of, number_in
from credence.monitoring.rules import RULES, happened
from credence.oauth.parameters.scopes import MONITOR
from credence.operations.alerts import ALERT as NOUN
from credence.operations.alerts import change_alert, list_alerts, read_alert
from credence.operations.perform import found
from credence.sites.kit.screen import Act, ActResult, Page, Screen, Visit
from credence.sites.workbench.acting import TAG, acting_of, perform_as_read, perform_here, state_tag
from credence.sites.workbench.changes import value_cell
from credence.sites.workbench.figures import company_cell, day_cell
from credence.sites.workbench.lists import MAX_OFFERED, address_of_list, list_cell, offered_lists, with_names
from credence.sites.workbench.outlines import load_outlines
from credence.sites.workbench.reader import reader_of, store_of
from credence.sites.workbench.texts import converted, text_in
from credence.store.alerts import Alert, AlertFilter
from credence.store.events import EventFilter

ALERTS = f"{paths.WORKBENCH}/alerts"
PAGE_ROWS = 20

_FIELDS = {"assigned_to": "A name has at most 100 characters.", "note": "A note has at most 500 characters."}


async def read(visit: Visit) -> Page:
    """Return the alerts that match the filter, oldest first; by default the unread ones."""
    store, client_id = store_of(visit), reader_of(visit).client_id
    typed = {name: visit.parameter(name)[:100] for name in ("show", "list", "rule", "company", "assigned")}
    number = normalise_or_none(typed["company"]) if typed["company"] else ""
    today = london_day(visit.request.now).isoformat()
    rule = typed["rule"] if typed["rule"] in RULES else ""
    only = AlertFilter(EventFilter(typed["list"], rule, number or ""), typed["show"] != "all", typed["assigned"], today)
    after = number_in(visit.parameter("after"))
    alerts = [] if number is None else await store.alerts(client_id, after, PAGE_ROWS + 1, only)
    listed = (typed["list"], *(each.event.portfolio for each in alerts))
    offered = await offered_lists(visit)
    names = await with_names(visit, offered, filter(None, listed))
    hint = f"These are {MAX_OFFERED} of your lists. The page of any other list has a link to its alerts."
    options = {each: name for each, name in names.items() if each in offered or each == typed["list"]}
    wrong = "" if number is not None else "Enter a company number, such as 01234567."
    query = Query(
        "Choose alerts",
        "Show",
        (
            Field("company", "Company number", typed["company"]),
            Field("show", "Status", typed["show"], options=(("", "Unread"), ("all", "All"))),
            Field(
                "list",
                "List",
                typed["list"],
                hint if len(offered) == MAX_OFFERED else "",
                options=(("", "All lists"), *options.items()),
            ),
            Field(
                "rule",
                "Kind",
                rule,
                options=(("", "All kinds"), *((code, each.words) for code, each in RULES.items())),
            ),
            Field("assigned", "Assigned to", typed["assigned"]),
        ),
        wrong=wrong,
        wrong_field="company" if wrong else "",
    )
    table = await _table(visit, alerts[:PAGE_ROWS], names)
    if len(alerts) > PAGE_ROWS:
        further = {**visit.request.parameters, "after": str(alerts[PAGE_ROWS - 1].event.number)}
        table = replace(table, following=f"{ALERTS}?{urlencode(further)}")
    return Page("Alerts", [query, table], "", lead="Changes to the companies in your lists.")


async def read_one(visit: Visit) -> Page:
    """Return one alert with its form."""
    alert = await _alert_at(visit)
    event = envelope_of(alert.event)
    kept = await store_of(visit).portfolio(event.data.portfolio)
    seen = (await load_outlines(visit, [event.resource_id])).of[event.resource_id]
    what = happened(event.data.rule, event.data.kind, event.data.source_day)
    rows = [
        ("Company", company_cell(seen.name, event.resource_id)),
        ("What", Cell(what)),
        ("Kind", Cell(event.data.kind)),
        ("Before", value_cell(event.data.rule, event.data.before)),
        ("After", value_cell(event.data.rule, event.data.after)),
        ("Date in the source", day_cell(event.data.source_day)),
        ("Found", Cell(f"{event.event.published_at[:19].replace('T', ' ')} UTC", whole=True)),
        ("List", Cell(kept.name, address_of_list(kept.id)) if kept else Cell("deleted")),
        ("Read", moment(alert.state.read_at or None)),
    ]
    form = Form(
        "change",
        "Work on it",
        "Save",
        fields=(
            Field("read", "Read", "1" if alert.state.read_at else "", kind="box"),
            Field("assigned_to", "Assigned to", alert.state.assigned_to, "A name in your own words."),
            Field("note", "Note", alert.state.note),
        ),
        hidden=[(TAG, state_tag(view_of(event, alert.state)))],
    )
    title = f"{what.rstrip('.')}: {seen.name or event.resource_id}"
    return Page(title, [Facts("What happened", rows), form], "", above=("Alerts", ALERTS))


async def change(visit: Visit, values: Mapping[str, str]) -> ActResult:
    """Mark an alert as read or unread, assign it, or change its note.

    Raises Changed if another person changed it since the form was opened.
    """
    members = {"read": bool(values.get("read")), **{name: text_in(values, name) for name in _FIELDS}}
    number, body = visit.request.segments[0], converted(members, AlertBody, _FIELDS)
    body = msgspec.structs.replace(body, snoozed_until=(await _alert_at(visit)).state.snoozed_until)
    await perform_as_read(visit, change_alert, number, body, values, _as_it_is)
    return ActResult("Alert updated.")


async def mark_read(visit: Visit, values: Mapping[str, str]) -> ActResult:
    """Mark an alert of the inbox as read, and keep its other values."""
    await perform_here(visit, change_alert, values.get("number", ""), {"read": True})
    return ActResult(f"Alert {number_in(values.get('number', ''))} is read.")


async def _table(visit: Visit, alerts: Sequence[Alert], names: Mapping[str, str]) -> Table:
    seen = (await load_outlines(visit, list(dict.fromkeys(each.event.company for each in alerts)))).of
    assigned, noted = any(each.state.assigned_to for each in alerts), any(each.state.note for each in alerts)
    rows = []
    for each in alerts:
        event = envelope_of(each.event)
        number = str(event.event.timepoint)
        name = seen[event.resource_id].name or event.resource_id
        rows.append(
            [
                Cell(
                    happened(event.data.rule, event.data.kind, event.data.source_day).rstrip("."), f"{ALERTS}/{number}"
                ),
                company_cell(seen[event.resource_id].name, event.resource_id),
                value_cell(event.data.rule, event.data.before),
                value_cell(event.data.rule, event.data.after),
                day_cell(event.data.source_day or event.event.published_at[:10]),
                list_cell(names, event.data.portfolio),
                *([Cell(each.state.assigned_to)] if assigned else []),
                *([Cell(each.state.note)] if noted else []),
                Cell("")
                if each.state.read_at
                else Cell("Mark as read", act="read", hidden=[("number", number)], about=f"{number}, {name}"),
            ]
        )
    further = (*(("Assigned to",) if assigned else ()), *(("Note",) if noted else ()))
    columns = ("What", "Company", "Before", "After", "Day", "List", *further, "Read")
    return Table("Alerts", columns, rows, "There is no such alert.", cards=True)


def _after(visit: Visit) -> int:
    return number_in(visit.parameter("after"))


async def _alert_at(visit: Visit) -> Alert:
    """Return the alert that the path names. Raises Refused with the same 404 for another application's."""
    alert: Alert = await found(NOUN, acting_of(visit), visit.request.segments[0])
    return alert


def _as_it_is(state: AlertView) -> str:
    return (
        "Someone else changed this alert while you were working on it. "
        f"It is now {'read' if state.read else 'unread'}, assigned to {state.assigned_to or 'nobody'}, with "
        f"{f'the note {state.note}' if state.note else 'no note'}. If you save again, your version replaces it."
    )


INBOX = Screen(ALERTS, "Alerts", MONITOR, read, (Act("read", MONITOR, mark_read),), shows=(list_alerts,))
ALERT = Screen(
    f"{ALERTS}/{{number}}",
    "Alert",
    MONITOR,
    read_one,
    (Act("change", MONITOR, change),),
    listed=False,
    shows=(read_alert,),
)
