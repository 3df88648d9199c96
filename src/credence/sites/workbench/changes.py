"""What changed about a company since a given day: dated entries of its report, and events."""

import datetime as dt
import re
from contextlib import suppress

import msgspec

from credence import paths
from credence.blocks.forms import Field, Query
from credence.blocks.text import day as day_in_words
from credence.blocks.values import Block, Cell, Note, Table
from credence.clock import london_day
from credence.mcp.changes import ChangedEntry, ChangesAsked, what_changed
from credence.meanings import words_of
from credence.monitoring.envelope import envelope_of
from credence.monitoring.rules import happened
from credence.oauth.parameters.scopes import MONITOR
from credence.report.schema.report import LtdCompanyData
from credence.sites.kit.screen import Visit
from credence.sites.workbench.figures import day_cell, reason_in_short
from credence.sites.workbench.reader import reader_of, sources_of, store_of

SINCE_DAYS = 365
SHOWN_EVENTS = 20
_CAPITAL = re.compile("(?<=[a-z])(?=[A-Z])")
_FIRST = dt.date(1900, 1, 1)
_SHORT = {
    "num": "number of",
    "dirs": "directors",
    "secs": "secretaries",
    "curr": "current",
    "prev": "previous",
    "avg": "average",
    "last12": "in the last 12 months",
}
"""Abbreviation in the specification's member names -> full word."""


async def change_blocks(visit: Visit, number: str) -> list[Block]:
    """Return a form for the day, the report entries with a date since then, and the events about the company."""
    typed, wrong = visit.parameter("since")[:20], ""
    since = london_day(visit.request.now) - dt.timedelta(days=SINCE_DAYS)
    if typed:
        with suppress(ValueError):
            since = dt.date.fromisoformat(typed)
        wrong = "" if since.isoformat() == typed and since >= _FIRST else "Enter a date in the format 2026-01-31."
    field = Field("since", "Since", typed or since.isoformat(), kind="date")
    blocks: list[Block] = [Query("What changed", "Show", (field,), wrong, "since" if wrong else "")]
    if wrong:
        return blocks
    found = await what_changed.call(sources_of(visit), ChangesAsked(number, since))
    rows = [[Cell(day_in_words(each.Day)), Cell(_part(each)), Cell(_said(each))] for each in found.Changes]
    title = f"In the report since {day_in_words(since)}"
    blocks.append(Table(title, ("Day", "Part", "What it says"), rows, "The report has no entries in this period."))
    if found.Entries > len(found.Changes):
        blocks.append(Note(f"The newest {len(found.Changes)} of {found.Entries:,} entries are listed.", "soft"))
    if found.Facts:
        blocks.append(Note(f"{found.Facts}. Later days are not known.", "soft"))
    if visit.has(MONITOR):
        blocks.append(await _events(visit, number))
    return blocks


async def _events(visit: Visit, number: str) -> Table:
    found = await store_of(visit).newest_about(reader_of(visit).client_id, number, SHOWN_EVENTS)
    rows = []
    for each in found:
        event = envelope_of(each)
        rows.append(
            [
                day_cell(event.event.published_at[:10]),
                Cell(
                    happened(event.data.rule, event.data.kind, event.data.source_day).rstrip("."),
                    f"{paths.WORKBENCH}/alerts/{each.number}",
                ),
                value_cell(event.data.rule, event.data.before),
                value_cell(event.data.rule, event.data.after),
            ]
        )
    columns = ("Found", "What", "Before", "After")
    return Table(
        "Events in your lists", columns, rows, "None of your lists has an event about this company.", cards=False
    )


def value_cell(rule: str, raw: object) -> Cell:
    """Return a value of an event of this rule; a reason for caution has its short name instead of its code."""
    text = value_text(raw)
    return Cell((reason_in_short(text) if rule == "reservation" else "") or text)


def value_text(raw: object) -> str:
    """Return a value of an event as text; the store keeps it as JSON."""
    value = msgspec.json.decode(raw) if isinstance(raw, msgspec.Raw) else raw
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return f"{value:,}" if isinstance(value, int) else str(value)


def _part(entry: ChangedEntry) -> str:
    words = [in_words(each) for each in entry.Member.split("/") if each and not each.isdigit()]
    return ", ".join(words[:2])


def _said(entry: ChangedEntry) -> str:
    steps = entry.Member.split("/")[1:]
    said = []
    for name, value in entry.Values.items():
        words = words_of(LtdCompanyData, (*steps, name)) if isinstance(value, str) else {}
        said.append(f"{in_words(name)}: {words.get(value, value_text(value))}")
    return "; ".join(said)


def in_words(member: str) -> str:
    """Return a member name as readable text: `LatestAccounts` is "Latest accounts", `NumDirs` "Number of directors"."""
    words = (_SHORT.get(each, each) for each in _CAPITAL.sub(" ", member).lower().split())
    return " ".join(words).capitalize()
