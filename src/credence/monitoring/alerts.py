"""Alerts and digests as the API sends and reads them."""

import datetime as dt
from collections.abc import Sequence
from typing import Annotated

import msgspec

from credence.clock import Milliseconds, rfc3339
from credence.meanings import Input, meaning
from credence.monitoring.rows import MAX_CHARACTERS
from credence.monitoring.schema import MonitoringEvent, Reference
from credence.store.alerts import AlertState, DigestLine

Note = Annotated[str, msgspec.Meta(max_length=MAX_CHARACTERS)]


class AlertBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What people make of an event."""

    read: Annotated[bool, meaning("Whether it has been read.", example=True), Input(flag="--read/--unread")] = False
    assigned_to: Annotated[Reference, meaning("Who works on it, in your own words.", example="Ada")] = ""
    note: Annotated[Note, meaning("A note.", example="Limit halved")] = ""
    snoozed_until: Annotated[
        str,
        msgspec.Meta(pattern=r"^(\d{4}-\d{2}-\d{2})?$"),
        meaning("The day until which it rests; empty for an alert that does not.", example=""),
    ] = ""


class AlertView(msgspec.Struct, frozen=True):
    """An event and what people have made of it."""

    event: Annotated[MonitoringEvent, meaning("The event, as in the feed.")]
    read: Annotated[bool, meaning("Whether it has been read.", example=True)]
    read_at: Annotated[
        str, meaning("When it was marked as read, in UTC; empty if unread.", example="2026-11-22T09:30:00Z")
    ]
    assigned_to: Annotated[str, meaning("Who works on it.", example="Ada")]
    note: Annotated[str, meaning("A note.", example="Limit halved")]
    snoozed_until: Annotated[
        str, meaning("The day until which it rests; empty for an alert that does not.", example="")
    ]


class AlertPage(msgspec.Struct, frozen=True):
    """A page of alerts."""

    alerts: Annotated[tuple[AlertView, ...], meaning("The alerts, ordered by the numbers of their events.")]
    next_page_token: Annotated[str, meaning("The token of the next page; empty at the end.", example="")]


class DigestCount(msgspec.Struct, frozen=True):
    """The events of one portfolio and rule."""

    portfolio: Annotated[str, meaning("The id of the portfolio.", example="pf_2o6x4hk3tmy7q5c3")]
    rule: Annotated[str, meaning("The code of the rule.", example="band")]
    events: Annotated[int, meaning("How many events.", example=14)]
    companies: Annotated[int, meaning("How many companies they are about.", example=9)]
    first: Annotated[int, meaning("The lowest number among them.", example=40)]
    last: Annotated[int, meaning("The highest number among them.", example=57)]


class Digest(msgspec.Struct, frozen=True):
    """What was found on one day."""

    day: Annotated[str, meaning("The day, in UTC.", example="2026-11-21")]
    complete: Annotated[bool, meaning("Whether the day is over.", example=True)]
    events: Annotated[int, meaning("How many events it has.", example=14)]
    counts: Annotated[tuple[DigestCount, ...], meaning("One entry for each portfolio and rule.")]


def changed(kept: AlertState, body: AlertBody, now: Milliseconds) -> AlertState:
    """Return the state after a change. It keeps the time at which it was first marked as read."""
    read_at = (kept.read_at or now) if body.read else 0
    return AlertState(kept.number, kept.version + 1, read_at, body.assigned_to, body.note, body.snoozed_until)


def view_of(event: MonitoringEvent, state: AlertState) -> AlertView:
    """Return an alert as it is sent."""
    read_at = rfc3339(state.read_at) if state.read_at else ""
    return AlertView(event, state.read_at > 0, read_at, state.assigned_to, state.note, state.snoozed_until)


def digest_of(day: dt.date, lines: Sequence[DigestLine], *, complete: bool) -> Digest:
    """Return a digest as it is sent."""
    return Digest(
        day.isoformat(), complete, sum(each.events for each in lines), tuple(DigestCount(*each) for each in lines)
    )
