"""The screen of one company's alerts: every cause, and what a person does about them."""

import datetime as dt
from collections.abc import Mapping

import msgspec

from credence import paths
from credence.blocks.forms import Field, Form
from credence.blocks.values import Block, Cell, Facts, Links, Note, Table
from credence.clock import london_day
from credence.companies.number import normalise_or_none
from credence.monitoring.company_alerts import entry_of, open_alerts
from credence.oauth.parameters.scopes import MONITOR
from credence.operations.company_alerts import (
    Acknowledged,
    Assignment,
    Rest,
    acknowledge_alerts,
    assign_alerts,
    read_company_alerts,
    snooze_alerts,
)
from credence.operations.operation import Operation
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.sites.kit.screen import Act, ActResult, Page, Screen, Visit
from credence.sites.workbench.acting import perform_here
from credence.sites.workbench.figures import address_of_company, amount_cell, band_cell, day_cell, severity_cell
from credence.sites.workbench.reader import reader_of, store_of
from credence.sites.workbench.texts import converted, text_in

COMPANY_ALERTS = f"{paths.WORKBENCH}/company-alerts"
_HOME = ("Today", paths.WORKBENCH)
_ALERTS = f"{paths.WORKBENCH}/alerts"


def address_of_alerts(number: str) -> str:
    """Return the path of the alerts of a company."""
    return f"{COMPANY_ALERTS}/{number}"


async def read(visit: Visit) -> Page:
    """Return the causes of one company's alerts, and the forms."""
    number = normalise_or_none(visit.request.segments[0])
    found = await open_alerts(store_of(visit), reader_of(visit).client_id, number) if number else None
    if number is None:
        raise Refused(RESOURCE_UNKNOWN, "company_alerts.unknown")
    if found is None:
        return Page(f"Alerts: {number}", [Note("There are no open alerts about this company.")], "", above=_HOME)
    entry, line = entry_of(found.events, found.line), found.line
    facts = [
        ("What to do", Cell(entry.to_do)),
        ("Severity", severity_cell(entry.severity)),
        ("Pounds at risk", amount_cell(entry.at_risk, is_least=entry.exposure_is_least)),
        ("Exposure", amount_cell(entry.exposure, is_least=entry.exposure_is_least)),
        ("Approved limit" if line.approved else "Suggested limit", amount_cell(entry.limit)),
        ("Band", band_cell(entry.band)),
        ("State", Cell(entry.state)),
        ("Assigned to", Cell(entry.assigned_to)),
    ]
    rows = [
        [Cell(cause.words), day_cell(cause.day), Cell(f"Alert {event}", f"{_ALERTS}/{event}")]
        for cause in entry.causes
        for event in cause.events
    ]
    hidden = [("up_to", str(entry.last_event))]
    in_a_week = london_day(visit.request.now) + dt.timedelta(days=7)
    blocks: list[Block] = [
        Links("Company", [("Open the company and decide", address_of_company(number))]),
        Facts("What it is about", facts),
        Table("Causes", ("What", "Day", "Alert"), rows, ""),
        Form("acknowledge", "Acknowledge", "Acknowledge", "The company comes back with its next event.", hidden=hidden),
        Form("assign", "Assign", "Assign", fields=(Field("to", "Assigned to", entry.assigned_to),), hidden=hidden),
        Form(
            "snooze",
            "Snooze",
            "Snooze",
            fields=(Field("until", "Show again on", in_a_week.isoformat(), kind="date", required=True),),
            hidden=hidden,
        ),
    ]
    title = f"Alerts: {entry.name or number}"
    return Page(title, blocks, "", above=_HOME)


async def acknowledge(visit: Visit, values: Mapping[str, str]) -> ActResult:
    """Acknowledge the alerts of a company: of the path, or of the form."""
    return await _do(visit, acknowledge_alerts, values, Acknowledged, {})


async def assign(visit: Visit, values: Mapping[str, str]) -> ActResult:
    """Give the alerts of a company to a person."""
    members = {"to": text_in(values, "to")}
    return await _do(visit, assign_alerts, values, Assignment, members)


async def snooze(visit: Visit, values: Mapping[str, str]) -> ActResult:
    """Hide the alerts of a company until a day."""
    return await _do(visit, snooze_alerts, values, Rest, {"until": values.get("until", "").strip()})


async def _do(
    visit: Visit,
    operation: Operation,
    values: Mapping[str, str],
    model: type[msgspec.Struct],
    members: Mapping[str, object],
) -> ActResult:
    number = visit.request.segments[0] if visit.request.segments else values.get("number", "")
    up_to = values.get("up_to", "")
    known = int(up_to) if up_to.isascii() and up_to.isdigit() and len(up_to) < 16 else 0
    words = {"to": "A name has at most 100 characters.", "until": "Enter a date, such as 2026-01-31."}
    body = converted({**members, "up_to": known}, model, words)
    outcome = await perform_here(visit, operation, number, body)
    return ActResult(outcome.said, next_url=paths.WORKBENCH)


COMPANY_ALERT = Screen(
    f"{COMPANY_ALERTS}/{{company_number}}",
    "Alerts of a company",
    MONITOR,
    read,
    (Act("acknowledge", MONITOR, acknowledge), Act("assign", MONITOR, assign), Act("snooze", MONITOR, snooze)),
    shows=(read_company_alerts,),
    listed=False,
)
