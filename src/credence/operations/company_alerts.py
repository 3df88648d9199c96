"""Operations on all alerts about a company at once: a person acknowledges them, assigns them, or snoozes them."""

import datetime as dt
from typing import Annotated, Final

from msgspec import Meta, Struct

from credence import paths
from credence.clock import london_day
from credence.companies.number import normalise_or_none
from credence.errors import InvalidInput
from credence.meanings import Input, meaning
from credence.monitoring.company_alerts import (
    CompanyAlert,
    CompanyAlertPage,
    OpenAlerts,
    alerts_by_company,
    entry_of,
    first_of,
    open_alerts,
    with_states,
)
from credence.monitoring.schema import Reference
from credence.operations.acting import OWNERS, READ, Acting
from credence.operations.applications import APPLICATION
from credence.operations.operation import Change, Noun, operation
from credence.operations.reading import reading, showing
from credence.refusals.refusal import Refused, because
from credence.refusals.resources import RESOURCE_MALFORMED
from credence.store.records import Application

MAX_SHOWN = 1_000
MAX_SNOOZE_DAYS = 366

_TEXT = because(RESOURCE_MALFORMED, "The name must be text of one line.")

UpTo = Annotated[
    int,
    Meta(ge=0),
    meaning("Only events up to this number, so that newer ones stay; 0 for all.", example=57),
    Input(default="all"),
]


async def _find(by: Acting, text: str) -> OpenAlerts | None:
    number = normalise_or_none(text)
    return await open_alerts(by.means.store, by.owns or "", number) if number else None


async def _save(by: Acting, before: OpenAlerts | None, wanted: OpenAlerts) -> None:
    had = {each.number: each.state for each in before.events} if before else {}
    states = [each.state for each in wanted.events if each.state != had.get(each.number)]
    await by.means.store.save_alerts(states)


async def _state(by: Acting, found: OpenAlerts) -> CompanyAlert:
    today = london_day(by.now or by.clock()).isoformat()
    open_ = [each for each in found.events if not each.state.read_at and each.state.snoozed_until <= today]
    return entry_of(open_, found.line)


COMPANY_ALERTS: Final[Noun[OpenAlerts]] = Noun(
    name="company",
    path="company-alerts/{company_number}",
    base=paths.MONITORING,
    help="The company number.",
    example="99999901",
    find=_find,
    save=_save,
    state=_state,
    identity=lambda found: found.company,
    within=APPLICATION,
    is_found_by_owner=True,
    reasons="company_alerts",
)
read_company_alerts = showing(
    COMPANY_ALERTS,
    "alert company",
    id="read_company_alerts",
    no_tool="`company_alerts` has it.",
    access=OWNERS,
    title="The alerts of one company",
    text="Show the open alerts about one company: the causes, the pounds at risk, and what to do.",
)


@reading(
    "app alerts", on=APPLICATION, api="alerts", rows="alerts", access=READ, title="List the alerts of an application"
)
async def list_company_alerts(by: Acting, found: Application, _query: None) -> CompanyAlertPage:
    """List the companies with open alerts, the largest amount at risk first; 1,000 at most."""
    return first_of(await alerts_by_company(by.means.store, found.client_id, london_day(by.now)), MAX_SHOWN)


@reading(
    "alert companies",
    on=COMPANY_ALERTS,
    lists=True,
    rows="alerts",
    columns=("company_number", "name", "severity", "at_risk", "exposure", "to_do", "assigned_to"),
    access=OWNERS,
    title="Alerts by company",
)
async def alerts_of_companies(by: Acting, _found: None, _query: None) -> CompanyAlertPage:
    """List the companies with open alerts, one entry each with its causes, exposure and what to do.

    The largest amount at risk comes first; 1,000 companies at most. An alert is open until it is acknowledged; one that is
    snoozed opens again on its day.
    """
    return first_of(await alerts_by_company(by.means.store, by.owns or "", london_day(by.now)), MAX_SHOWN)


class Acknowledged(Struct, frozen=True, forbid_unknown_fields=True):
    """Which events of a company have been dealt with."""

    up_to: UpTo = 0


class Assignment(Struct, frozen=True, forbid_unknown_fields=True):
    """Who works on the alerts of a company."""

    to: Annotated[
        Reference, meaning("Who works on it; empty to assign it to no one.", example="Ada"), Input(argument=True)
    ]
    up_to: UpTo = 0


class Rest(Struct, frozen=True, forbid_unknown_fields=True):
    """Until when the alerts of a company rest."""

    until: Annotated[
        str,
        Meta(max_length=10),
        meaning("The day on which they are shown again.", example="2026-12-01"),
        Input(argument=True),
    ]
    up_to: UpTo = 0


@operation(
    "alert acknowledge",
    on=COMPANY_ALERTS,
    api=("POST", "acknowledge"),
    access=OWNERS,
    title="Acknowledge",
    event="alert_changed",
)
async def acknowledge_alerts(by: Acting, found: OpenAlerts, body: Acknowledged) -> Change[OpenAlerts]:
    """Acknowledge the alerts of a company: they leave the list, and the company comes back with its next event."""
    return Change(with_states(found, body.up_to, read_at=by.now), said="Acknowledged.")


@operation(
    "alert assign", on=COMPANY_ALERTS, api=("POST", "assign"), access=OWNERS, title="Assign", event="alert_changed"
)
async def assign_alerts(_by: Acting, found: OpenAlerts, body: Assignment) -> Change[OpenAlerts]:
    """Assign the alerts of a company to a person, or to no one."""
    if not body.to.isprintable():
        raise Refused(_TEXT, "alert.text")
    said = f"Assigned to {body.to}." if body.to else "Assigned to no one."
    return Change(with_states(found, body.up_to, assigned_to=body.to), said=said)


@operation(
    "alert snooze", on=COMPANY_ALERTS, api=("POST", "snooze"), access=OWNERS, title="Snooze", event="alert_changed"
)
async def snooze_alerts(by: Acting, found: OpenAlerts, body: Rest) -> Change[OpenAlerts]:
    """Hide the alerts of a company until a day. Events that come meanwhile are shown."""
    today = london_day(by.now)
    try:
        until = dt.date.fromisoformat(body.until)
    except ValueError:
        until = dt.date.min
    if body.until != until.isoformat() or not today < until <= today + dt.timedelta(days=MAX_SNOOZE_DAYS):
        raise InvalidInput("Enter a day after today, within a year, such as 2026-01-31.", member="until")
    return Change(with_states(found, body.up_to, snoozed_until=body.until), said=f"Hidden until {body.until}.")
